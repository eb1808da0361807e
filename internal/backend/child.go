package backend

import (
	"fmt"
	"io"
	"runtime"

	"linnet/internal/config"
	"linnet/internal/media"
)

// pictureCommand is the hidden command that processes one picture.
const pictureCommand = "__picture"

// mediaWorker returns the worker for pictures. It runs this program again for each picture, if
// its path is known.
func mediaWorker(c *config.Config) *media.Worker {
	w := media.NewWorker()
	if c.Program != "" {
		w = media.NewWorker(c.Program, pictureCommand)
	}
	if tool := c.FFmpegPath(); tool != "" && c.Program != "" {
		w.UseTool(c.Program, limitedCommand, tool)
	}
	return w
}

// limitedCommand is the hidden command that runs another program within limits.
const limitedCommand = "__limited"

// RunChild runs a child process if args are the arguments of one: it processes a picture, or runs
// another program within limits. It returns false for other arguments.
func RunChild(args []string, stdin io.Reader, stdout, stderr io.Writer) (ok bool, err error) {
	switch {
	case len(args) > 1 && args[0] == limitedCommand:
		return true, runLimited(args[1:], stdin, stdout, stderr)
	case len(args) == 2 && args[0] == pictureCommand:
		runtime.GOMAXPROCS(1)
		if err := limitProcess(); err != nil {
			return true, fmt.Errorf("limit the memory of the process: %w", err)
		}
		return true, media.Serve(stdin, stdout, media.Shape(args[1]))
	}
	return false, nil
}

package backend

import (
	"fmt"
	"io"
	"runtime"

	"linnet/internal/config"

	"linnet/internal/media"
)

// pictureWord is the hidden command that processes one picture.
const pictureWord = "__picture"

// workOnPicture processes the picture in in and writes the result to out. It uses one processor,
// and limits stop it if the picture needs too much memory or time.
func workOnPicture(in io.Reader, out io.Writer, shape string) error {
	runtime.GOMAXPROCS(1)
	if err := limitProcess(); err != nil {
		return fmt.Errorf("limit the process: %w", err)
	}
	return media.Serve(in, out, media.Shape(shape))
}

// pictureWorker returns the worker for pictures. It runs this program again for each picture, if
// its path is known.
func pictureWorker(c *config.Config) *media.Worker {
	w := media.NewWorker()
	if c.Program != "" {
		w = media.NewWorker(c.Program, pictureWord)
	}
	if tool := c.FFmpegPath(); tool != "" && c.Program != "" {
		w.UseTool(c.Program, limitedWord, tool)
	}
	return w
}

// limitedWord is the hidden command that runs another program within limits.
const limitedWord = "__limited"

// RunChild runs a child process if args are the arguments of one: it processes a picture, or runs
// another program within limits. It returns false for other arguments.
func RunChild(args []string, stdin io.Reader, stdout, stderr io.Writer) (ok bool, err error) {
	switch {
	case len(args) > 1 && args[0] == limitedWord:
		return true, runLimited(args[1:], stdin, stdout, stderr)
	case len(args) == 2 && args[0] == pictureWord:
		return true, workOnPicture(stdin, stdout, args[1])
	}
	return false, nil
}

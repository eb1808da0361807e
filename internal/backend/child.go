package backend

import (
	"fmt"
	"io"
	"runtime"

	"linnet/internal/config"

	"linnet/internal/media"
)

// pictureWord runs the program as what works on one picture and ends. It is no command
// of people's.
const pictureWord = "__picture"

// workOnPicture reads a picture from standard input and writes what is made of it, on
// one processor and with limits that end it where the picture costs more than it may.
func workOnPicture(in io.Reader, out io.Writer, shape string) error {
	runtime.GOMAXPROCS(1)
	if err := limitProcess(); err != nil {
		return fmt.Errorf("limit the process: %w", err)
	}
	return media.Serve(in, out, media.Shape(shape))
}

// pictureWorker makes what works on pictures: this program, run again for each, if it
// can be found.
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

// limitedWord runs another program in place of this one, with limits that end it where it
// takes more than it may. It is no command of people's.
const limitedWord = "__limited"

// RunChild executes args if they are those of a child process of this program: one that processes
// a picture, or one that runs another program within limits. It reports false for other args.
func RunChild(args []string, stdin io.Reader, stdout, stderr io.Writer) (ok bool, err error) {
	switch {
	case len(args) > 1 && args[0] == limitedWord:
		return true, runLimited(args[1:], stdin, stdout, stderr)
	case len(args) == 2 && args[0] == pictureWord:
		return true, workOnPicture(stdin, stdout, args[1])
	}
	return false, nil
}

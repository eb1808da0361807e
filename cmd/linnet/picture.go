package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"linnet/internal/blob"
	"linnet/internal/media"
)

// pictureWord runs the program as what works on one picture and ends. It is no command
// of people's.
const pictureWord = "__picture"

// workOnPicture reads a picture from standard input and writes what is made of it, on
// one processor and with limits that end it where the picture costs more than it may.
func workOnPicture(p process, shape string) error {
	runtime.GOMAXPROCS(1)
	if err := limitProcess(); err != nil {
		return fmt.Errorf("limit the process: %w", err)
	}
	return media.Serve(p.stdin, p.stdout, media.Shape(shape))
}

// pictureWorker makes what works on pictures: this program, run again for each, if it
// can be found.
func (c *config) pictureWorker() *media.Worker {
	if c.program == "" {
		return media.NewWorker()
	}
	return media.NewWorker(c.program, pictureWord)
}

// openFiles opens the place where pictures are kept.
func openFiles(c *config) (*blob.Dir, error) {
	dir := c.Media
	if dir == "" {
		dir = filepath.Join(c.Data, "media")
	}
	d, err := blob.NewDir(dir)
	if err != nil {
		return nil, &fault{code: exitFailed, what: "cannot keep pictures in " + dir, cause: err, from: c.from("media"),
			advice: "Name another directory with --media DIR."}
	}
	return d, nil
}

// thisProgram is the path of the running program, "" if the system does not tell.
func thisProgram() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	return path
}

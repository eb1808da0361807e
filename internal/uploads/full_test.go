package uploads

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"

	"linnet/internal/linnet"
)

// fullDisk takes nothing.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) {
	return 0, &os.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}
}

// TestCopyInNamesWhatFailed checks that a full disk is reported as an error of the server, not of
// the upload.
func TestCopyInNamesWhatFailed(t *testing.T) {
	for name, c := range map[string]struct {
		to   io.Writer
		from io.Reader
		fits bool
		want linnet.Kind
	}{
		"all of it":       {&bytes.Buffer{}, strings.NewReader("12345"), true, 0},
		"too much":        {&bytes.Buffer{}, strings.NewReader("123456"), false, linnet.Invalid},
		"it ends early":   {&bytes.Buffer{}, io.MultiReader(strings.NewReader("1"), iotest.ErrReader(errors.New("reset"))), false, linnet.Invalid},
		"no room is left": {fullDisk{}, strings.NewReader("1"), false, linnet.Full},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := copyIn(c.to, c.from, 5)
			if c.fits != (err == nil) || !c.fits && linnet.KindOf(err) != c.want {
				t.Errorf("got %v, want %v", err, c.want)
			}
		})
	}
}

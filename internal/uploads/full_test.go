package uploads

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"linnet/internal/linnet"
)

// A disk that takes no more is the server's matter, and no fault of what is sent.
func TestTakeNamesWhatFailed(t *testing.T) {
	scratch := func(t *testing.T) *os.File {
		f, err := os.CreateTemp(t.TempDir(), "")
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	full := func(t *testing.T) *os.File {
		f, err := os.OpenFile("/dev/full", os.O_RDWR, 0)
		if err != nil {
			t.Skip("no file here that is always full: ", err)
		}
		return f
	}
	for name, c := range map[string]struct {
		to   func(*testing.T) *os.File
		from io.Reader
		fits bool
		want linnet.Kind
	}{
		"all of it":       {scratch, strings.NewReader("12345"), true, 0},
		"too much":        {scratch, strings.NewReader("123456"), false, linnet.Invalid},
		"it ends early":   {scratch, io.MultiReader(strings.NewReader("1"), iotest.ErrReader(errors.New("reset"))), false, linnet.Invalid},
		"no room is left": {full, strings.NewReader("1"), false, linnet.Full},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := take(c.to(t), c.from, 5, false)
			if f != nil {
				defer f.Close()
			}
			if c.fits != (err == nil) || !c.fits && linnet.KindOf(err) != c.want {
				t.Errorf("got %v, want %v", err, c.want)
			}
		})
	}
}

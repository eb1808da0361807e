package admin

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"

	"linnet/internal/linnet"
)

// textFile reads a file line by line, whether or not it is compressed with
// gzip, and sums up what it has read.
type textFile struct {
	path  string
	file  *os.File
	lines *bufio.Scanner
	sum   hash.Hash
	line  int
}

// lineMost is the length in bytes of the longest line that is read.
const lineMost = 1 << 20

func openText(path string) (*textFile, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err // it says all
	}
	t := &textFile{path: path, file: f, sum: sha256.New()}
	var r io.Reader = bufio.NewReaderSize(f, 1<<16)
	if head, _ := r.(*bufio.Reader).Peek(2); bytes.Equal(head, []byte{0x1f, 0x8b}) {
		if r, err = gzip.NewReader(r); err != nil {
			f.Close()
			return nil, t.fault("%v", err)
		}
	}
	t.lines = bufio.NewScanner(io.TeeReader(r, t.sum))
	t.lines.Buffer(make([]byte, 1<<16), lineMost)
	return t, nil
}

// next moves on to the next line; text is good until the call after.
func (t *textFile) next() (text []byte, ok bool, err error) {
	if t.lines.Scan() {
		t.line++
		return t.lines.Bytes(), true, nil
	}
	switch err := t.lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		t.line++
		return nil, false, t.fault("the line is longer than %d bytes", lineMost)
	case err != nil:
		return nil, false, t.fault("%v", err)
	}
	return nil, false, nil
}

func (t *textFile) fault(format string, args ...any) error {
	return linnet.Errorf(linnet.Invalid, "%s, line %d: %s", t.path, t.line, fmt.Sprintf(format, args...))
}

func (t *textFile) Close() error { return t.file.Close() }

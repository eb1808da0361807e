package seed

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"unicode/utf8"

	"linnet/internal/linnet"
)

// textFile reads a file by line, compressed with gzip or not, and computes its checksum.
type textFile struct {
	path  string
	file  *os.File
	lines *bufio.Scanner
	from  *failing
	sum   hash.Hash
	line  int
}

// lineMost is the length in bytes of the longest line that is read.
const lineMost = 1 << 20

func openText(path string) (*textFile, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err // explains itself
	}
	t := &textFile{path: path, file: f, sum: sha256.New()}
	var r io.Reader = bufio.NewReaderSize(f, 1<<16)
	if head, _ := r.(*bufio.Reader).Peek(2); bytes.Equal(head, []byte{0x1f, 0x8b}) {
		if r, err = gzip.NewReader(r); err != nil {
			f.Close()
			return nil, t.unreadable(err)
		}
	}
	t.from = &failing{Reader: r}
	t.lines = bufio.NewScanner(io.TeeReader(t.from, t.sum))
	t.lines.Buffer(make([]byte, 1<<16), lineMost)
	return t, nil
}

// failing records the error that ended reading.
type failing struct {
	io.Reader
	err error
}

func (f *failing) Read(b []byte) (int, error) {
	n, err := f.Reader.Read(b)
	if err != nil && !errors.Is(err, io.EOF) {
		f.err = err
	}
	return n, err
}

// next reads the next line. The text is valid until the next call.
func (t *textFile) next() (text []byte, ok bool, err error) {
	if t.lines.Scan() {
		if t.from.err != nil { // the last line read may be incomplete
			return nil, false, t.unreadable(t.from.err)
		}
		t.line++
		return t.lines.Bytes(), true, nil
	}
	switch err := t.lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		t.line++
		return nil, false, t.fault("the line is longer than %d bytes", lineMost)
	case err != nil:
		return nil, false, t.unreadable(err)
	}
	return nil, false, nil
}

// unreadable returns the error for a file that can't be read.
func (t *textFile) unreadable(err error) error {
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return linnet.Errorf(linnet.Invalid, "%s is truncated: the compressed file ends after line %d. Copy or download it again", t.path, t.line)
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader), errors.As(err, new(flate.CorruptInputError)):
		return linnet.Errorf(linnet.Invalid, "%s is damaged: can't decompress it after line %d (%v). Copy or download it again", t.path, t.line, err)
	}
	return t.fault("%v", err)
}

// checkText returns an error for a line that is not UTF-8.
func (t *textFile) checkText(text []byte) error {
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && n <= 1 {
			return t.fault("the text is not UTF-8: byte %d is 0x%02X. Convert the file first, for example with iconv -f WINDOWS-1252 -t UTF-8", i+1, text[i])
		}
		i += n
	}
	return nil
}

func (t *textFile) fault(format string, args ...any) error {
	return linnet.Errorf(linnet.Invalid, "%s, line %d: %s", t.path, t.line, fmt.Sprintf(format, args...))
}

func (t *textFile) Close() error { return t.file.Close() }

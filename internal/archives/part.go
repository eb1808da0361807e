package archives

import (
	"archive/zip"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"linnet/internal/record"
)

// part is a ZIP file on the disk of this server with entries of an archive. It has no name, so it
// is deleted even after a crash.
type part struct {
	f      *os.File
	to     *counted
	zip    *zip.Writer
	filled bool // it has an entry
}

// counted counts written bytes.
type counted struct {
	io.Writer
	n int64
}

func (c *counted) Write(b []byte) (int, error) {
	n, err := c.Writer.Write(b)
	c.n += int64(n)
	return n, err
}

func (s *Service) newPart() (*part, error) {
	f, err := s.scratch()
	if err != nil {
		return nil, err
	}
	to := &counted{Writer: f}
	return &part{f: f, to: to, zip: zip.NewWriter(to)}, nil
}

// scratch returns a file without a name.
func (s *Service) scratch() (*os.File, error) {
	f, err := os.CreateTemp(s.opt.Receiving, "linnet-archive-")
	if err != nil {
		return nil, fmt.Errorf("create a temporary file for an archive: %w", err)
	}
	if err := os.Remove(f.Name()); err != nil {
		f.Close()
		return nil, fmt.Errorf("create a temporary file for an archive: %w", err)
	}
	return f, nil
}

func (p *part) close() { p.f.Close() }

// bytes returns the approximate number of bytes written so far.
func (p *part) bytes() int64 { return p.to.n }

// addPart adds a part to the archive, unless it is empty.
func (m *making) addPart(ctx context.Context, p *part) error {
	if !p.filled {
		return nil
	}
	if err := p.zip.Close(); err != nil { // writes the directory after the entries
		return fmt.Errorf("write an archive: %w", err)
	}
	entries, err := directoryAt(p.f, p.to.n)
	if err != nil {
		return err
	}
	if _, err := p.f.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("write an archive: %w", err)
	}
	name, err := m.put(ctx, p.f)
	if err == nil {
		m.a.Parts = append(m.a.Parts, record.ArchivePart{Name: name, Entries: entries})
	}
	return err
}

// directoryAt returns the offset of the directory of a ZIP file. The file must be written by this
// package, without a comment and not larger than about 100 MB.
// https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT section 4.3.16
func directoryAt(f io.ReaderAt, size int64) (int64, error) {
	const endBytes, offsetAt = 22, 16
	var end [endBytes]byte
	if _, err := f.ReadAt(end[:], size-endBytes); err != nil {
		return 0, fmt.Errorf("read the central directory of a ZIP archive: %w", err)
	}
	at := binary.LittleEndian.Uint32(end[offsetAt:])
	if string(end[:4]) != "PK\x05\x06" || at == math.MaxUint32 {
		return 0, errors.New("read the central directory of a ZIP archive: it is missing")
	}
	return int64(at), nil
}

// directory writes the ZIP directory of all parts, by writing their entries again without content.
func (m *making) directory(ctx context.Context) error {
	f, err := m.scratch()
	if err != nil {
		return err
	}
	defer f.Close()
	// Only the directory after the entries is needed. The rest is counted and dropped.
	to := &counted{Writer: io.Discard}
	w := zip.NewWriter(to)
	var end int64
	for _, p := range m.a.Parts {
		if err := m.copyHeaders(ctx, p, w); err != nil {
			return err
		}
		if err := w.Flush(); err != nil {
			return fmt.Errorf("write the central directory of a ZIP archive: %w", err)
		}
	}
	for _, p := range m.a.Parts {
		end += p.Entries
	}
	// The descriptor of the last entry is written with the directory.
	tail := &from{w: f, skip: end - to.n}
	to.Writer = tail
	if err := w.Close(); err != nil {
		return fmt.Errorf("write the central directory of a ZIP archive: %w", err)
	}
	if tail.skip > 0 {
		return errors.New("write the central directory of a ZIP archive: the parts contain more data than their entries")
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("write the central directory of a ZIP archive: %w", err)
	}
	name, err := m.put(ctx, f)
	if err == nil {
		m.a.Tail = record.ArchivePart{Name: name, Entries: to.n - end}
	}
	return err
}

// from writes everything after the first skip bytes.
type from struct {
	w    io.Writer
	skip int64
}

func (f *from) Write(b []byte) (int, error) {
	n := min(f.skip, int64(len(b)))
	f.skip -= n
	if _, err := f.w.Write(b[n:]); err != nil {
		return 0, err
	}
	return len(b), nil
}

// copyHeaders writes the entries of a part to w unchanged, without content.
func (m *making) copyHeaders(ctx context.Context, p record.ArchivePart, w *zip.Writer) error {
	f, err := m.opt.Files.Open(ctx, p.Name)
	if err != nil {
		return fmt.Errorf("open a part of an archive: %w", err)
	}
	defer f.Close()
	r, err := zip.NewReader(seeking{f}, f.Info.Bytes)
	if err != nil {
		return fmt.Errorf("read a part of an archive: %w", err)
	}
	for _, e := range r.File {
		h := e.FileHeader
		to, err := w.CreateRaw(&h)
		if err == nil {
			_, err = io.CopyN(to, nothing{}, int64(h.CompressedSize64))
		}
		if err != nil {
			return fmt.Errorf("write the central directory of a ZIP archive: %w", err)
		}
	}
	return nil
}

// nothing is a reader of endless zeros.
type nothing struct{}

func (nothing) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}

// seeking reads a file at any offset. It is for one goroutine.
type seeking struct{ io.ReadSeeker }

func (s seeking) ReadAt(b []byte, at int64) (int, error) {
	if _, err := s.Seek(at, io.SeekStart); err != nil {
		return 0, err
	}
	n, err := io.ReadFull(s, b)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = io.EOF
	}
	return n, err
}

package archives

import (
	"context"
	"errors"
	"fmt"
	"io"

	"golang.org/x/sync/errgroup"

	"linnet/internal/blob"
	"linnet/internal/record"
)

// multiReader reads the beginnings of several files in sequence, like one file. It opens one of
// them at a time.
type multiReader struct {
	ctx   context.Context
	files blob.Store
	parts []record.ArchivePart
	size  int64

	at   int64      // position of the next byte
	end  int64      // position of the end of the open part
	open *blob.File // nil if none is open
}

func newMultiReader(ctx context.Context, files blob.Store, parts []record.ArchivePart) *multiReader {
	j := &multiReader{ctx: ctx, files: files, parts: parts}
	for _, p := range parts {
		j.size += p.Entries
	}
	return j
}

// partsAtOnce is the number of parts that are opened at a time.
const partsAtOnce = 8

// whole returns an error if a part is missing or too short, so that the announced length is right.
func (j *multiReader) whole() error {
	g, ctx := errgroup.WithContext(j.ctx)
	g.SetLimit(partsAtOnce)
	for _, p := range j.parts {
		g.Go(func() error {
			f, err := j.files.Open(ctx, p.Name)
			if err != nil {
				return fmt.Errorf("open part %s of an archive in %s: %w", p.Name, j.files.Where(), err)
			}
			if f.Info.Bytes < p.Entries {
				err = fmt.Errorf("part %s of an archive in %s is truncated: %d bytes, expected %d", p.Name, j.files.Where(), f.Info.Bytes, p.Entries)
			}
			return errors.Join(err, f.Close())
		})
	}
	return g.Wait()
}

func (j *multiReader) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += j.at
	case io.SeekEnd:
		offset += j.size
	}
	if offset < 0 {
		return 0, errors.New("seek in an archive: negative offset")
	}
	if offset != j.at {
		j.shut()
		j.at = offset
	}
	return offset, nil
}

func (j *multiReader) Read(b []byte) (int, error) {
	for {
		if j.at >= j.size {
			return 0, io.EOF
		}
		if j.open == nil {
			if err := j.find(); err != nil {
				return 0, err
			}
		}
		n, err := j.open.Read(b[:min(int64(len(b)), j.end-j.at)])
		if j.at += int64(n); j.at == j.end {
			j.shut()
			err = nil
		} else if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if n > 0 || err != nil || len(b) == 0 {
			return n, err
		}
	}
}

// find opens the part that contains the next byte.
func (j *multiReader) find() error {
	start := int64(0)
	for _, p := range j.parts {
		if j.at < start+p.Entries {
			f, err := j.files.Open(j.ctx, p.Name)
			if err != nil {
				return fmt.Errorf("open a part of an archive: %w", err)
			}
			if _, err := f.Seek(j.at-start, io.SeekStart); err != nil {
				f.Close()
				return fmt.Errorf("read a part of an archive: %w", err)
			}
			j.open, j.end = f, start+p.Entries
			return nil
		}
		start += p.Entries
	}
	return io.ErrUnexpectedEOF
}

func (j *multiReader) shut() {
	if j.open != nil {
		j.open.Close()
		j.open = nil
	}
}

func (j *multiReader) Close() error {
	j.shut()
	return nil
}

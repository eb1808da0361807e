package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"linnet/internal/blob"
)

// bucket is a location in a bucket, below a prefix.
type bucket struct {
	objects *blob.Objects
	scratch string
}

func (b bucket) prepare() error { return nil }
func (b bucket) sync() error    { return nil } // received files are durable

func (b bucket) open(ctx context.Context, path string) (io.ReadCloser, error) {
	f, err := b.objects.Get(ctx, path)
	if errors.Is(err, blob.ErrAbsent) {
		return nil, fmt.Errorf("%s: %w", path, fs.ErrNotExist)
	}
	return f, err
}

// write uploads a file after it is complete, because its size is sent first and a failed upload is
// repeated.
func (b bucket) write(ctx context.Context, path string, by func(io.Writer) error) error {
	f, err := scratchFile(b.scratch)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := by(f); err != nil {
		return fmt.Errorf("write to the backup: %w", err)
	}
	return b.objects.Put(ctx, path, "application/octet-stream", f)
}

func (b bucket) remove(ctx context.Context, path string) error { return b.objects.Remove(ctx, path) }

func (b bucket) walk(ctx context.Context, begin string, each func(fileInfo) error) error {
	return b.objects.List(ctx, begin, func(i blob.Info) error { return each(fileInfo{i.Name, i.Bytes, i.Written}) })
}

// scratch is a file that is deleted when it is closed.
type scratch struct{ *os.File }

func scratchFile(dir string) (scratch, error) {
	f, err := os.CreateTemp(dir, ".linnet-backup-*") // creates it with mode 0600
	if err != nil {
		return scratch{}, fmt.Errorf("create a temporary file: %w", err)
	}
	return scratch{f}, nil
}

// Close removes the file.
func (s scratch) Close() error { return errors.Join(s.File.Close(), os.Remove(s.Name())) }

package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
)

// Bucket keeps files in a bucket, below a prefix. It is safe for concurrent use, also by
// several processes.
type Bucket struct{ *Objects }

// NewBucket opens a bucket. It asks the server whether it is there: ErrNoBucket if not.
func NewBucket(ctx context.Context, opt BucketOptions) (*Bucket, error) {
	o, err := OpenObjects(ctx, opt)
	if err != nil {
		return nil, err
	}
	return &Bucket{o}, nil
}

// key is where a file lies: as in a directory, so that copying a directory to a bucket
// moves the files of an installation, and back.
func (b *Bucket) key(name string) string { return name[:2] + "/" + name }

// Put keeps a file, see Store.
func (b *Bucket) Put(ctx context.Context, name, contentType string, data Source) error {
	if !Valid(name) {
		return fmt.Errorf("keep a file: %q is no name of one", name)
	}
	return b.Objects.Put(ctx, b.key(name), contentType, data)
}

// Open opens a file, see Store.
func (b *Bucket) Open(ctx context.Context, name string) (*File, error) {
	if !Valid(name) {
		return nil, ErrAbsent
	}
	f, err := b.Get(ctx, b.key(name))
	if err == nil {
		f.Info.Name = name
	}
	return f, err
}

// Delete removes files. That one is not there is no error.
func (b *Bucket) Delete(ctx context.Context, names ...string) error {
	var errs []error
	for _, name := range names {
		if Valid(name) {
			errs = append(errs, b.Remove(ctx, b.key(name)))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("remove files: %w", err)
	}
	return nil
}

// Mark reads the mark of the place, see Store.
func (b *Bucket) Mark(ctx context.Context) (string, error) {
	f, err := b.Get(ctx, markName)
	if err != nil {
		return "", err
	}
	data, err := io.ReadAll(io.LimitReader(f, markBytes))
	if err = errors.Join(err, f.Close()); err != nil {
		return "", fmt.Errorf("read the mark of the place: %w", err)
	}
	return markText(data), nil
}

// SetMark writes it if there is none, see Store. Where the server knows no conditions, two
// that begin at once may both write.
func (b *Bucket) SetMark(ctx context.Context, text string) error {
	return b.putNew(ctx, markName, "text/plain", strings.NewReader(text+"\n"))
}

// Walk tells of every file, see Store.
func (b *Bucket) Walk(ctx context.Context, each func(Info) error) error {
	return b.List(ctx, "", func(i Info) error {
		key := i.Name
		if i.Name = path.Base(key); !Valid(i.Name) || key != b.key(i.Name) {
			return nil // somebody else's
		}
		return each(i)
	})
}

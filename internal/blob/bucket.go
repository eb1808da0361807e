package blob

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"golang.org/x/sync/errgroup"
)

// Bucket stores files in a bucket, below a prefix. It is safe for concurrent use, also by several
// processes.
type Bucket struct{ *Objects }

// NewBucket opens a bucket. It returns ErrNoBucket if the server does not have it.
func NewBucket(ctx context.Context, opt BucketOptions) (*Bucket, error) {
	o, err := OpenObjects(ctx, opt)
	if err != nil {
		return nil, err
	}
	return &Bucket{o}, nil
}

// key returns the key of a file. It corresponds to the paths of Dir, so files can be copied between
// a directory and a bucket.
func (b *Bucket) key(name string) string { return name[:2] + "/" + name }

// Put stores a file, see Store.
func (b *Bucket) Put(ctx context.Context, name, contentType string, data Source) error {
	if !Valid(name) {
		return fmt.Errorf("store a file: %q is not a valid file name", name)
	}
	return b.Objects.Put(ctx, b.key(name), contentType, data)
}

func (b *Bucket) withheldKey(name string) string { return withheldDir + "/" + b.key(name) }

// Open opens a file, see Store.
func (b *Bucket) Open(ctx context.Context, name string) (*File, error) {
	if !Valid(name) {
		return nil, ErrAbsent
	}
	f, err := b.Get(ctx, b.key(name))
	if errors.Is(err, ErrAbsent) {
		if f, err = b.Get(ctx, b.withheldKey(name)); err == nil {
			f.Info.Withheld = true
		}
	}
	if err == nil {
		f.Info.Name = name
	}
	return f, err
}

// moves is the number of files that one call moves concurrently.
const moves = 16

// each calls do for each valid name, several concurrently, and joins the errors.
func each(names []string, do func(name string) error) error {
	errs := make([]error, len(names))
	var g errgroup.Group
	g.SetLimit(moves)
	for i, name := range names {
		if Valid(name) {
			g.Go(func() error { errs[i] = do(name); return nil })
		}
	}
	return errors.Join(g.Wait(), errors.Join(errs...))
}

// Withhold moves files away from their public keys, see Store.
func (b *Bucket) Withhold(ctx context.Context, names ...string) error {
	if err := each(names, func(name string) error { return b.move(ctx, name, b.key(name), b.withheldKey(name)) }); err != nil {
		return fmt.Errorf("withhold files: %w", err)
	}
	return nil
}

// Release moves withheld files back, see Store.
func (b *Bucket) Release(ctx context.Context, names ...string) error {
	if err := each(names, func(name string) error { return b.move(ctx, name, b.withheldKey(name), b.key(name)) }); err != nil {
		return fmt.Errorf("restore withheld files: %w", err)
	}
	return nil
}

// move moves a file, if it exists, with a protocol that can only copy and remove. Overlapping moves
// in opposite directions could remove both copies, so each makes a spare copy first. A move that
// finds both removed restores the withheld one. The last move to remove a copy therefore leaves
// one, and a file deleted meanwhile does not become public again.
func (b *Bucket) move(ctx context.Context, name, from, to string) error {
	spare := movingDir + "/" + rand.Text()
	if there, err := b.copy(ctx, from, spare); err != nil || !there {
		return err
	}
	there, err := b.copy(ctx, from, to)
	if err == nil && there {
		if err = b.Remove(ctx, from); err == nil {
			there, err = b.exists(ctx, to)
		}
		if err == nil && !there {
			_, err = b.copy(ctx, spare, b.withheldKey(name))
		}
		if err != nil {
			return err // the spare may be the last copy
		}
	}
	return errors.Join(err, b.Remove(ctx, spare))
}

// Delete deletes files. It ignores missing ones.
func (b *Bucket) Delete(ctx context.Context, names ...string) error {
	if err := each(names, func(name string) error {
		return errors.Join(b.Remove(ctx, b.withheldKey(name)), b.Remove(ctx, b.key(name)))
	}); err != nil {
		return fmt.Errorf("remove files: %w", err)
	}
	return nil
}

// Mark returns the mark of the location, see Store.
func (b *Bucket) Mark(ctx context.Context) (string, error) {
	f, err := b.Get(ctx, markName)
	if err != nil {
		return "", err
	}
	data, err := io.ReadAll(io.LimitReader(f, markBytes))
	if err = errors.Join(err, f.Close()); err != nil {
		return "", fmt.Errorf("read the marker of the media location: %w", err)
	}
	return markText(data), nil
}

// SetMark writes the mark unless one exists, see Store. If the server does not support conditions,
// two concurrent calls can both write.
func (b *Bucket) SetMark(ctx context.Context, text string) error {
	return b.putNew(ctx, markName, "text/plain", strings.NewReader(text+"\n"))
}

// Walk calls each for every file, see Store. It lists the withheld files first and stores their
// names in memory.
func (b *Bucket) Walk(ctx context.Context, each func(Info) error) error {
	var withheld []Info
	if err := b.List(ctx, withheldDir+"/", func(i Info) error {
		key := i.Name
		if i.Name, i.Withheld = path.Base(key), true; Valid(i.Name) && key == b.withheldKey(i.Name) {
			withheld = append(withheld, i)
		}
		return nil
	}); err != nil {
		return err
	}
	m := merge{withheld: withheld, each: each}
	if err := b.List(ctx, "", func(i Info) error {
		key := i.Name
		if i.Name = path.Base(key); !Valid(i.Name) || key != b.key(i.Name) {
			return nil // an object of another program
		}
		return m.public(i)
	}); err != nil {
		return err
	}
	return m.rest()
}

// merge reports public and withheld files in the order of names, each name once.
type merge struct {
	withheld []Info
	each     func(Info) error
}

// public reports the withheld files before a public one, and then that one.
func (m *merge) public(i Info) error {
	for len(m.withheld) > 0 && m.withheld[0].Name <= i.Name {
		w := m.withheld[0]
		m.withheld = m.withheld[1:]
		if w.Name == i.Name {
			break
		}
		if err := m.each(w); err != nil {
			return err
		}
	}
	return m.each(i)
}

// rest reports the withheld files that are left.
func (m *merge) rest() error {
	for _, w := range m.withheld {
		if err := m.each(w); err != nil {
			return err
		}
	}
	return nil
}

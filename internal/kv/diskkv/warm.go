package diskkv

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// A clean stop leaves the feeds to the next start, so that the readers who all come back
// at once do not have them filled again. They are good for the very state that the
// store was left in: the file carries a stamp of the library's files, of which each
// opening makes new ones, and it is removed before the store is opened. So feeds that a
// crash, a copy of parts or a release that knows nothing of this file made stale are
// never taken up.

const (
	feedsFile = "LINNET-FEEDS"
	// maxSaved bounds the file, in bytes: 13,000 full feeds or more. A start
	// took a quarter of a second for 26 MB.
	maxSaved = 64 << 20
)

// savedLimit returns the most bytes of feeds that are saved and loaded. Loading needs memory for the
// file and for the feeds at the same time, so it is at most half of the memory for feeds.
func (e *Engine) savedLimit() int64 { return min(maxSaved, e.opts.FeedMemory/2) }

// saveFeeds leaves the feeds to the next start. They are a cache: where that does not
// come about, they are filled again.
func (e *Engine) saveFeeds() {
	if e.feeds.Bytes() == 0 || e.space.check(int(min(e.feeds.Bytes(), e.savedLimit()))) != nil {
		return
	}
	if err := e.writeFeeds(); err != nil {
		e.opts.Logger.Warn("cannot save feeds; they are rebuilt after the restart", "err", err)
	}
}

func (e *Engine) writeFeeds() error {
	fs, path := e.opts.FS, e.opts.FS.PathJoin(e.dir, feedsFile)
	stamp, err := stampOf(fs, e.dir)
	if err != nil {
		return err
	}
	f, err := fs.Create(path, vfs.WriteCategoryUnspecified)
	if err != nil {
		return fmt.Errorf("create %s: %w", path, err)
	}
	err = errors.Join(e.feeds.Save(f, stamp, int(e.savedLimit())), f.Sync(), f.Close(), syncDir(fs, e.dir))
	if err != nil {
		return errors.Join(fmt.Errorf("write %s: %w", path, err), fs.Remove(path))
	}
	return nil
}

// takeUpFeeds takes the feeds up that the last stop left. The store is not open yet.
func (e *Engine) takeUpFeeds() {
	err := e.readFeeds()
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		e.opts.Logger.Warn("cannot use saved feeds; they are rebuilt", "err", err)
	}
}

func (e *Engine) readFeeds() error {
	fs, path := e.opts.FS, e.opts.FS.PathJoin(e.dir, feedsFile)
	f, err := fs.Open(path)
	if err != nil {
		return err
	}
	text, err := readAtMost(f, e.savedLimit())
	err = errors.Join(err, f.Close(), fs.Remove(path), syncDir(fs, e.dir))
	if err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	stamp, err := stampOf(fs, e.dir)
	if err != nil {
		return err
	}
	return e.feeds.Load(text, stamp)
}

// readAtMost reads a file of at most limit bytes into a buffer of its size.
func readAtMost(f vfs.File, limit int64) ([]byte, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() > limit {
		return nil, fmt.Errorf("%d bytes, more than the memory for feeds allows (%d)", info.Size(), limit)
	}
	text := make([]byte, info.Size())
	_, err = io.ReadFull(f, text)
	return text, err
}

// stampOf tells the state of a store that is not open: the names and sizes of the
// library's files.
func stampOf(fs vfs.FS, dir string) (string, error) {
	names, err := fs.List(dir)
	if err != nil {
		return "", fmt.Errorf("list %s: %w", dir, err)
	}
	slices.Sort(names)
	var stamp strings.Builder
	for _, name := range names {
		if !isStoreFile(name) {
			continue
		}
		info, err := fs.Stat(fs.PathJoin(dir, name))
		if err != nil {
			return "", fmt.Errorf("stamp of %s: %w", dir, err)
		}
		fmt.Fprintf(&stamp, "%s %d\n", name, info.Size())
	}
	return stamp.String(), nil
}

package diskkv

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// A clean stop saves the feeds for the next start, so that they need not be filled again for all
// returning readers at once. They match only the exact state of the store at that moment. So the
// file has a stamp of the library's files, which change with each opening, and it is removed before
// the store is opened. Feeds that are outdated after a crash, a partial copy or a run of an older
// release are never loaded.

const (
	feedsFile = "LINNET-FEEDS"
	// maxSaved limits the file in bytes, to about 13,000 full feeds. Loading 26 MB took a quarter
	// of a second.
	maxSaved = 64 << 20
)

// savedLimit returns the maximum bytes of feeds that are saved and loaded. Loading needs memory for
// the file and the feeds at the same time, so it is at most half of the memory for feeds.
func (o Options) savedLimit() int64 { return min(maxSaved, o.FeedMemory/2) }

// saveFeeds saves the feeds for the next start. Feeds are a cache, so after a failure they are
// filled again.
func (e *Engine) saveFeeds() {
	if e.feeds.Bytes() == 0 || e.space.check(int(min(e.feeds.Bytes(), e.opts.savedLimit()))) != nil {
		return
	}
	if err := e.writeFeeds(); err != nil {
		e.opts.Logger.Warn("cannot save feeds; will rebuild them after the restart", "err", err)
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
	err = errors.Join(e.feeds.Save(f, stamp, int(e.opts.savedLimit())), f.Sync(), f.Close(), syncDir(fs, e.dir))
	if err != nil {
		return errors.Join(fmt.Errorf("write %s: %w", path, err), fs.Remove(path))
	}
	return nil
}

func (e *Engine) readFeeds() error {
	fs, path := e.opts.FS, e.opts.FS.PathJoin(e.dir, feedsFile)
	f, err := fs.Open(path)
	if err != nil {
		return err
	}
	text, err := readAtMost(f, e.opts.savedLimit())
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
		return nil, fmt.Errorf("the file has %d bytes, more than the feed memory of %d bytes", info.Size(), limit)
	}
	text := make([]byte, info.Size())
	_, err = io.ReadFull(f, text)
	return text, err
}

// stampOf returns a stamp of a store that is not open: the names and sizes of the library's files.
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
			return "", fmt.Errorf("read the modification time of %s: %w", dir, err)
		}
		fmt.Fprintf(&stamp, "%s %d\n", name, info.Size())
	}
	return stamp.String(), nil
}

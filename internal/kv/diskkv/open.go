package diskkv

import (
	"fmt"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"

	"linnet/internal/kv/diskkv/walcheck"
)

// Open opens the store in dir, creating it if dir is missing or empty, and
// replays its log. It fails if another process owns the directory, if the
// format is one that this program does not know, and if a file is damaged; the
// error then names the file and what to do.
func Open(dir string, opts Options) (*Engine, error) {
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, fmt.Errorf("open store: %w", err)
	}
	if err := prepareDir(opts.FS, dir); err != nil {
		return nil, fmt.Errorf("open store: %w", err)
	}
	lock, err := lockDir(opts.FS, dir)
	if err != nil {
		return nil, fmt.Errorf("open store: %w", err)
	}
	if vfs.Root(opts.FS) == vfs.Default {
		if err := makeAllPrivate(dir); err != nil {
			lock.Close()
			return nil, fmt.Errorf("open store: %w", err)
		}
	}
	e := newEngine(dir, opts)
	e.lock = lock
	if err := e.openStore(); err != nil {
		lock.Close()
		if isFull(err) {
			err = fmt.Errorf("%w: %w", ErrNoRoom, err)
		}
		return nil, fmt.Errorf("open store: %w", err)
	}
	e.start()
	return e, nil
}

func (e *Engine) openStore() (err error) {
	// The library panics on some damaged files.
	defer func() {
		if r := recover(); r != nil {
			err = e.damaged(fmt.Errorf("panic: %v", r))
		}
	}()
	fs := e.opts.FS
	fresh, err := checkFormat(fs, e.dir)
	if err != nil {
		return err
	}
	if err := e.checkRoom(); err != nil {
		return err
	}
	if fresh {
		err = e.files.logs.reset()
	} else {
		err = e.files.logs.check()
	}
	if err != nil {
		return e.damaged(err)
	}
	end, err := walcheck.Check(fs, e.dir)
	if err != nil {
		return e.damaged(err)
	}
	if err := checkOptions(fs, e.dir, e.storeOptions()); err != nil {
		return e.damaged(err)
	}
	e.takeUpFeeds()
	db, err := pebble.Open(e.dir, e.storeOptions())
	if err != nil {
		return e.damaged(err)
	}
	tellEnd(e.opts.Logger, end, e.opts.Sync)
	if fresh {
		if err := sealFormat(fs, e.dir); err != nil {
			db.Close()
			return err
		}
	}
	e.db = db
	return nil
}

// storeOptions sets what differs from the library's defaults.
func (e *Engine) storeOptions() *pebble.Options {
	o := &pebble.Options{
		FS:     e.files,
		Lock:   e.lock.file,
		Logger: storeLogger{e},
		// The newest layout on purpose: with older ones a damaged place in the
		// middle of the log is taken for its end, and what follows is dropped.
		FormatMajorVersion: pebble.FormatNewest,
		// The library takes tables in memory out of the cache: the one that is
		// written to, and the one before it.
		CacheSize:    e.opts.Cache + 2*int64(e.memTable()),
		MemTableSize: e.memTable(),
		// A few of them, so that a burst does not wait for one slow flush.
		MemTableStopWritesThreshold: 4,
		L0CompactionThreshold:       2,
		L0StopWritesThreshold:       1000,
		EventListener:               e.listener(),
		WALMinSyncInterval:          e.pace.pause,
	}
	o.Experimental.TombstoneDenseCompactionThreshold = mostlyTombstones
	for i := range o.Levels {
		o.Levels[i].FilterPolicy = bloom.FilterPolicy(10)
		o.Levels[i].FilterType = sstable.TableFilter
	}
	return o
}

// mostlyTombstones is the part of a file's blocks that has to be dense with tombstones for
// the file to be merged into what lies below it for that alone. A range that is used as a
// queue, as the expiry index is, comes to it and would be slow to read. The library's tenth
// is reached by too many files here: what waits for the search index and what leaves the
// public timeline lies in 16 places for everybody, so that the lowest level would be written
// anew all the time (docs/decisions/measurements.md).
const mostlyTombstones = 0.5

// memTable is the size of the table in memory that takes writes. What lies in
// such tables is still to be written to disk, so it has to fit the reserve.
func (e *Engine) memTable() uint64 {
	const least, most = 1 << 20, 16 << 20
	if e.opts.Reserve < 0 {
		return most
	}
	return uint64(min(max(e.opts.Reserve/16, least), most))
}

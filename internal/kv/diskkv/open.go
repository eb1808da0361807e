package diskkv

import (
	"errors"
	"fmt"
	"os"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"

	"linnet/internal/kv/diskkv/walcheck"
)

// Open opens the store in dir and replays its log. It creates the store if dir is missing or empty.
// It returns an error if another process uses the directory, if the format is unknown, or if a file
// is damaged. That error contains the file and the remedy.
func Open(dir string, opts Options) (*Engine, error) {
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, fmt.Errorf("open the store: %w", err)
	}
	if err := prepareDir(opts.FS, dir); err != nil {
		return nil, fmt.Errorf("open the store: %w", err)
	}
	lock, err := lockDir(opts.FS, dir)
	if err != nil {
		return nil, fmt.Errorf("open the store: %w", err)
	}
	if vfs.Root(opts.FS) == vfs.Default {
		if err := makeAllPrivate(dir); err != nil {
			lock.Close()
			return nil, fmt.Errorf("open the store: %w", err)
		}
	}
	e := newEngine(dir, opts)
	e.lock = lock
	if err := e.openStore(); err != nil {
		lock.Close()
		if isFull(err) {
			err = fmt.Errorf("%w: %w", ErrNoRoom, err)
		}
		return nil, fmt.Errorf("open the store: %w", err)
	}
	e.users.Add(2)
	go e.every(sweepEvery, e.sweepAll)
	go e.every(ageEvery, e.ageAll)
	if e.opts.Sync == SyncInterval {
		e.users.Add(1)
		go e.every(syncEvery, e.syncNew)
	}
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
	if err := e.readFeeds(); err != nil && !errors.Is(err, os.ErrNotExist) {
		e.opts.Logger.Warn("cannot use saved feeds; rebuilding them", "err", err)
	}
	db, err := pebble.Open(e.dir, e.storeOptions())
	if err != nil {
		return e.damaged(err)
	}
	logUncleanEnd(e.opts.Logger, end, e.opts.Sync)
	if fresh {
		if err := sealFormat(fs, e.dir); err != nil {
			db.Close()
			return err
		}
	}
	e.db = db
	return nil
}

// storeOptions returns the options that differ from the library's defaults.
func (e *Engine) storeOptions() *pebble.Options {
	o := &pebble.Options{
		FS:     e.files,
		Lock:   e.lock.file,
		Logger: storeLogger{e},
		// Older layouts treat damage in the middle of the log as its end and drop the rest.
		FormatMajorVersion: pebble.FormatNewest,
		// The library's cache includes two memory tables: the current one and the previous one.
		CacheSize:    e.opts.Cache + 2*int64(e.opts.memTable()),
		MemTableSize: e.opts.memTable(),
		// Several tables, so that bursts do not wait for one slow flush.
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

// mostlyTombstones is the share of blocks dense with tombstones that lets the library merge a file
// for that reason alone. Ranges that are used as queues, such as the expiry index, reach it.
// Without merges they would become slow to read. Too many files reach the library's default of a
// tenth: the queue of the search index and the removals from the public timeline are in 16 places,
// so the last level would be rewritten all the time (docs/decisions/measurements.md).
const mostlyTombstones = 0.5

// memTable returns the size of the memory table for writes. Its contents are still to be written to
// disk, so it has to fit into the reserve.
func (o Options) memTable() uint64 {
	const least, most = 1 << 20, 16 << 20
	if o.Reserve < 0 {
		return most
	}
	return uint64(min(max(o.Reserve/16, least), most))
}

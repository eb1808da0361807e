package diskkv

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cockroachdb/pebble/v2"

	"linnet/internal/kv"
	"linnet/internal/kv/diskkv/feeds"
	"linnet/internal/kv/localbus"
	"linnet/internal/wording"
)

// Engine is a kv.Engine in one directory. Open creates one.
type Engine struct {
	*localbus.Bus

	dir   string
	opts  Options
	lock  *ownership
	files *datedFS
	db    *pebble.DB

	shards  shardLocks
	readers sync.Pool // *reader
	space   space
	feeds   *feeds.Feeds
	meters  *meters
	pace    pace

	unsynced atomic.Bool                // there are unsynced writes; for SyncInterval
	relaxed  atomic.Uint64              // number of commits in the log that were not awaited (see commit.behind)
	durable  atomic.Uint64              // number of these commits that are durable
	probe    probe                      // for Ping
	damage   atomic.Pointer[kv.Trouble] // the first damage that was found; nil if none
	failed   chan struct{}              // closed when the store has failed
	fatal    sync.Once                  // closes failed
	stop     chan struct{}              // closed by Close
	late     lateListeners              // called with writes that became visible late
	users    sync.WaitGroup             // running calls, commits and workers
	gate     sync.RWMutex               // guards closed, and users against adding after the wait
	closed   bool
	ended    atomic.Bool // closed or failed; for calls that use only memory
}

var (
	_ kv.Engine = (*Engine)(nil)
	_ kv.Late   = (*Engine)(nil)
)

func newEngine(dir string, opts Options) *Engine {
	e := &Engine{
		dir:  dir,
		opts: opts,
		files: &datedFS{FS: opts.FS, now: opts.Now, logs: &logList{fs: opts.FS, dir: dir, logs: map[uint64]bool{}},
			known: map[uint64]logFile{}, tables: map[uint64]time.Time{}},
		feeds:  feeds.New(opts.FeedMemory, opts.FeedTTL, opts.Now),
		meters: newMeters(),
		failed: make(chan struct{}),
		stop:   make(chan struct{}),
	}
	e.Bus = localbus.New(opts.BusQueue, e.usable)
	e.shards.init()
	e.space.init(opts, dir)
	return e
}

func (e *Engine) every(d time.Duration, do func()) {
	defer e.users.Done()
	t := time.NewTicker(d)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			do()
		case <-e.stop:
			return
		case <-e.failed:
			return
		}
	}
}

// enter begins a call that needs the store. leave ends it.
func (e *Engine) enter(ctx context.Context) error {
	if err := e.usable(ctx); err != nil {
		return err
	}
	e.gate.RLock()
	defer e.gate.RUnlock()
	if e.closed {
		return kv.ErrClosed
	}
	e.users.Add(1)
	return nil
}

func (e *Engine) leave() { e.users.Done() }

// usable returns an error if a call cannot begin.
func (e *Engine) usable(ctx context.Context) error {
	if e.ended.Load() {
		select {
		case <-e.failed:
			return fmt.Errorf("%w: the disk failed", kv.ErrUnavailable)
		default:
			return kv.ErrClosed
		}
	}
	return ctx.Err()
}

// fail ends the store. It also ends the process, unless Options.Fatal returns.
func (e *Engine) fail(what string) {
	e.fatal.Do(func() {
		e.ended.Store(true)
		close(e.failed)
		msg := fmt.Sprintf("the store in %s failed and cannot continue: %s", e.dir, what)
		e.opts.Logger.Error(msg)
		e.opts.Fatal(msg)
	})
}

// Close waits for running calls, makes the log durable and unlocks the directory. Further calls do
// nothing.
func (e *Engine) Close() error {
	e.gate.Lock()
	again := e.closed
	e.closed = true
	e.gate.Unlock()
	if again {
		return nil
	}
	e.ended.Store(true)
	close(e.stop)
	e.End()
	if e.waitUnused() {
		e.emptyLog()
	}
	if !e.waitUnused() {
		// Goroutines of the library block forever after it called Fatal, and closing it would wait
		// for them.
		return fmt.Errorf("close the store: %w", errors.Join(kv.ErrUnavailable, e.lock.Close()))
	}
	err := e.db.Close()
	if err == nil {
		e.saveFeeds()
	}
	if lerr := e.lock.Close(); err == nil {
		err = lerr
	}
	if err != nil {
		return fmt.Errorf("close the store: %w", err)
	}
	return nil
}

// A log of up to logLeft is replayed within tens of milliseconds at the next start. closePatience
// limits how long Close waits until a longer one is flushed.
const (
	logLeft       = 1 << 20
	closePatience = 5 * time.Second
)

// emptyLog flushes the log to tables. Replaying sixty megabytes, the result of many writes, would
// delay the next start by almost a second. A failed flush loses nothing, because the log has all
// data. It does not flush to a full disk.
func (e *Engine) emptyLog() {
	if e.db.Metrics().WAL.Size <= logLeft || e.space.check(0) != nil {
		return
	}
	done, err := e.db.AsyncFlush()
	if err != nil {
		return
	}
	late := time.NewTimer(closePatience)
	defer late.Stop()
	select {
	case <-done:
	case <-e.failed:
	case <-late.C:
	}
}

// waitUnused waits until no call uses the store. It returns false if the store has failed.
func (e *Engine) waitUnused() bool {
	done := make(chan struct{})
	go func() { e.users.Wait(); close(done) }()
	select {
	case <-done:
	case <-e.failed:
	}
	select {
	case <-e.failed:
		return false
	default:
		return true
	}
}

// Now implements kv.Clock.
func (e *Engine) Now(ctx context.Context) (time.Time, error) {
	if err := e.usable(ctx); err != nil {
		return time.Time{}, err
	}
	return e.opts.Now(), nil
}

// diskSpace returns the size of the store on disk, or 0 if it is closed.
func (e *Engine) diskSpace() int64 {
	if err := e.enter(context.Background()); err != nil {
		return 0
	}
	defer e.leave()
	return int64(e.db.Metrics().DiskSpaceUsage())
}

// Info implements kv.Engine.
func (e *Engine) Info() kv.Info {
	durable := wording.Messagef("acknowledged writes survive a power failure (fsync before the response)")
	if e.opts.Sync == SyncInterval {
		durable = wording.Messagef("a crash can lose the last second of writes (fsync once a second)")
	}
	return kv.Info{Engine: wording.Store("embedded"), Location: e.dir, Durability: durable, Bytes: e.diskSpace()}
}

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

// Engine is a kv.Engine in one directory. Make it with Open.
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

	unsynced atomic.Bool                // in SyncInterval: something was written
	relaxed  atomic.Uint64              // commits in the log that were not awaited (see commit.behind)
	durable  atomic.Uint64              // how many of those, from the first, are durable
	probe    probe                      // of Ping
	damage   atomic.Pointer[kv.Trouble] // of a file, which was met first; nil: none
	failed   chan struct{}              // closed when the store can go on no longer
	fatal    sync.Once                  // closes failed
	stop     chan struct{}              // closed by Close
	late     lateListeners              // told of what became visible after its call
	users    sync.WaitGroup             // calls, commits and workers under way
	gate     sync.RWMutex               // guards closed, and users against adding after the wait
	closed   bool
	ended    atomic.Bool // closed or failed; for calls that touch memory only
}

var (
	_ kv.Engine = (*Engine)(nil)
	_ kv.Late   = (*Engine)(nil)
)

func newEngine(dir string, opts Options) *Engine {
	e := &Engine{
		dir:    dir,
		opts:   opts,
		files:  newDatedFS(opts.FS, opts.Now, &logList{fs: opts.FS, dir: dir, logs: map[uint64]bool{}}),
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

// start begins the work that nobody asks for.
func (e *Engine) start() {
	e.users.Add(2)
	go e.every(sweepEvery, e.sweepAll)
	go e.every(ageEvery, e.ageAll)
	if e.opts.Sync == SyncInterval {
		e.users.Add(1)
		go e.every(syncEvery, e.syncNew)
	}
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

// enter begins a call that needs the store; leave ends it.
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

// usable says whether a call may begin at all.
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

// fail ends the store: the process too, unless Options.Fatal returns.
func (e *Engine) fail(what string) {
	e.fatal.Do(func() {
		e.ended.Store(true)
		close(e.failed)
		msg := fmt.Sprintf("the store in %s can go on no longer: %s", e.dir, what)
		e.opts.Logger.Error(msg)
		e.opts.Fatal(msg)
	})
}

// Close waits for the calls under way, makes the log durable and gives the
// directory free. Calling it again does nothing.
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
	if e.settled() {
		e.emptyLog()
	}
	if !e.settled() {
		// Goroutines of the library hang where it called Fatal; closing it
		// would wait for them for ever.
		return fmt.Errorf("close store: %w", errors.Join(kv.ErrUnavailable, e.lock.Close()))
	}
	err := e.db.Close()
	if err == nil {
		e.saveFeeds()
	}
	if lerr := e.lock.Close(); err == nil {
		err = lerr
	}
	if err != nil {
		return fmt.Errorf("close store: %w", err)
	}
	return nil
}

// A log of up to logLeft is read again within tens of milliseconds at the next start.
// closePatience is how long Close waits for a longer one to be emptied.
const (
	logLeft       = 1 << 20
	closePatience = 5 * time.Second
)

// emptyLog brings what lies in the log alone into tables: sixty megabytes of it, as a
// lot of writing leaves, take the next start the better part of a second. The log holds
// everything, so nothing is lost where that does not come about; on a full disk it is
// not tried.
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

// settled waits until nobody uses the store; false if it failed.
func (e *Engine) settled() bool {
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

// diskSpace is how much the store takes on disk, 0 if it is closed.
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
	return kv.Info{Engine: wording.Keep("embedded"), Place: e.dir, Durability: durable, Bytes: e.diskSpace()}
}

package task

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"linnet/internal/kv"
)

// Options configure a Queue.
type Options struct {
	Now       func() time.Time // the clock of the instance
	Log       *slog.Logger
	Workers   int  // concurrent batches; 0: 4
	Exclusive bool // only this process uses the store: leases found at start are void
	// Delegate makes this server run only the first batch of its own tasks. It releases the rest at
	// once to a server that sweeps.
	Delegate bool
	// Name identifies this server across restarts, so that it takes its tasks back at once. Servers
	// without a name get a random one.
	Name string
	// Version is the version of the program, which other servers can list.
	Version string
	// Begins is called for each batch. The batch runs with the returned context, and the returned
	// function receives its error. It can be nil.
	Begins func(ctx context.Context, kind string) (context.Context, func(error))
	// Ended is called when an attempt at a task has ended here: "done", "failed" (it is repeated)
	// or "dead". It gets the time for which this server held the task.
	Ended func(kind, outcome string, took time.Duration)
}

// Queue runs tasks. Its methods are safe for concurrent use.
//
// A held task is in exactly one state: it is ready, it waits for a timer, or one goroutine runs it
// and has exclusive access.
type Queue struct {
	kv       Engine
	spread   bool // the shards are on several servers, see kv.Spread
	opt      Options
	handlers map[string]Handler
	slot     atomic.Int32 // see lease.go; 0 until this server has joined

	mu      sync.Mutex
	ready   []*Task               // round robin: a task goes to the end after each batch
	waiting map[*Task]*time.Timer // tasks to be repeated later
	local   map[string]*Task      // all tasks that this server holds, by id
	made    map[string]struct{}   // from New, while leases found are still void; nil afterwards
	drawn   map[string]*Task      // tasks from New that are not held yet; see stray.go
	wake    chan struct{}
	stopped bool // leases were released: later tasks are released too
	running sync.WaitGroup
}

// NewQueue returns a queue on an engine. An engine whose shards may be on several servers
// implements kv.Spread. The handlers are fixed, one for each kind of task.
func NewQueue(store Engine, handlers map[string]Handler, opt Options) *Queue {
	if opt.Workers == 0 {
		opt.Workers = 4
	}
	if opt.Log == nil {
		opt.Log = slog.New(slog.DiscardHandler)
	}
	if opt.Ended == nil {
		opt.Ended = func(string, string, time.Duration) {}
	}
	spread, _ := store.(kv.Spread)
	var made map[string]struct{}
	if opt.Exclusive {
		made = map[string]struct{}{}
	}
	return &Queue{made: made, kv: store, spread: spread != nil && spread.Spread(), opt: opt, handlers: handlers, local: map[string]*Task{}, drawn: map[string]*Task{}, waiting: map[*Task]*time.Timer{},
		wake: make(chan struct{}, opt.Workers)}
}

// Run runs the first batch at once, in the caller's request, and leaves the rest to the workers.
// The action is already committed. So the caller does not get errors of the task, which is repeated
// later. Workers also remove finished tasks, so that the caller need not wait.
func (q *Queue) Run(ctx context.Context, t Task) { q.RunAs(ctx, t, q.handlers[t.Kind]) }

// RunAs is Run with another function for the first batch. It must have the same effect as the
// handler, but can use data that the caller already has.
func (q *Queue) RunAs(ctx context.Context, t Task, first Handler) {
	q.hold(&t)
	t.asked = true
	rest, err := q.call(ctx, &t, first)
	q.conclude(ctx, &t, rest, err, func() {
		t.done = true
		q.enqueue(&t)
	})
}

// Start leaves the whole task to the workers.
func (q *Queue) Start(t Task) {
	q.hold(&t)
	q.enqueue(&t)
}

// Idle reports whether this server holds no task.
func (q *Queue) Idle() bool { return q.Held() == 0 }

// Held returns the number of tasks that this server holds.
func (q *Queue) Held() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.local)
}

// Load is the number of tasks of one kind that a server holds.
type Load struct {
	Held   int
	Oldest time.Time // time since which the oldest one is held; zero for none
}

// Loads returns the load of each kind with a handler.
func (q *Queue) Loads() map[string]Load {
	loads := make(map[string]Load, len(q.handlers))
	for kind := range q.handlers {
		loads[kind] = Load{}
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, t := range q.local {
		l, ok := loads[t.Kind]
		if !ok { // no handler: it will fail
			continue
		}
		if l.Held++; l.Oldest.IsZero() || t.since.Before(l.Oldest) {
			l.Oldest = t.since
		}
		loads[t.Kind] = l
	}
	return loads
}

func (q *Queue) hold(t *Task) {
	t.since = q.opt.Now()
	q.mu.Lock()
	defer q.mu.Unlock()
	q.local[t.ID] = t
	delete(q.drawn, t.ID)
}

// enqueue makes a task ready, which the caller has run. After the queue has stopped, it releases
// the lease instead.
func (q *Queue) enqueue(t *Task) {
	q.mu.Lock()
	stopped := q.stopped
	if !stopped {
		q.ready = append(q.ready, t)
	}
	q.mu.Unlock()
	if stopped {
		ctx, cancel := context.WithTimeout(context.Background(), handBackTime)
		defer cancel()
		q.release(ctx, t)
		return
	}
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// Serve runs tasks until ctx ends. Then it releases all leases, so that another server or the next
// start continues at once. When it returns, no worker and no timer remains.
func (q *Queue) Serve(ctx context.Context) {
	for range q.opt.Workers {
		q.running.Go(func() { q.work(ctx) })
	}
	q.running.Go(func() { q.strayLoop(ctx) })
	if q.opt.Delegate {
		q.running.Go(func() { q.watchLoop(ctx) })
	} else {
		q.running.Go(func() { q.sweepLoop(ctx) })
	}
	<-ctx.Done()
	q.running.Wait()
	q.handBack()
}

func (q *Queue) work(ctx context.Context) {
	for ctx.Err() == nil {
		t := q.next()
		if t == nil {
			select {
			case <-q.wake:
			case <-ctx.Done():
			}
			continue
		}
		if t.waits > 0 && !t.done && !q.reload(ctx, t) {
			continue
		}
		finish := func() { q.finish(ctx, t) }
		switch {
		case t.done:
			finish()
		case len(t.after) > 0:
			after, rest := t.after, t.rest
			t.after, t.rest, t.asked = nil, nil, false
			_, err := q.call(ctx, t, func(ctx context.Context, _ []byte) (any, error) {
				for _, f := range after {
					if err := f(ctx); err != nil {
						return nil, err
					}
				}
				return nil, nil
			})
			q.conclude(ctx, t, rest, err, finish)
		case q.opt.Delegate:
			q.delegate(ctx, t)
		default:
			rest, err := q.call(ctx, t, q.handlers[t.Kind])
			q.conclude(ctx, t, rest, err, finish)
		}
	}
}

func (q *Queue) next() *Task {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.ready) == 0 {
		return nil
	}
	t := q.ready[0]
	q.ready = q.ready[1:]
	return t
}

// conclude decides how a task continues after a batch.
func (q *Queue) conclude(ctx context.Context, t *Task, rest any, err error, finish func()) {
	if err != nil {
		t.after = nil // the whole batch is repeated
	}
	switch {
	case err != nil && ctx.Err() != nil:
		t.again = true
		q.later(t, 0) // stopped halfway: the next holder repeats the batch
	case err != nil:
		q.failed(ctx, t, err)
	case len(t.after) > 0:
		t.rest = rest
		q.later(t, answerFirst)
	case rest == nil:
		finish()
	default:
		q.goOn(ctx, t, rest)
	}
}

func (q *Queue) call(ctx context.Context, t *Task, h Handler) (rest any, err error) {
	defer func() {
		if r := recover(); r != nil {
			q.opt.Log.Error("panic in task", "task", t.Kind, "id", t.ID, "panic", r, "stack", string(debug.Stack()))
			err = fmt.Errorf("panic in task %s: %v", t.Kind, r)
		}
	}()
	if h == nil {
		return nil, fmt.Errorf("no handler for tasks of kind %q: a newer version may have created the task", t.Kind)
	}
	ctx, cancel := context.WithTimeout(kv.Relaxed(ctx), Lease)
	defer cancel()
	if t.again {
		ctx = kv.Durable(ctx)
	}
	if t.asked {
		ctx = context.WithValue(ctx, afterKey{}, t)
	}
	if q.opt.Begins != nil {
		var ended func(error)
		ctx, ended = q.opt.Begins(ctx, t.Kind)
		defer func() { ended(err) }()
	}
	return h(ctx, t.Args)
}

// answerFirst delays the second batch of a task that began in a request, so that the workers do not
// compete with the response for processors.
const answerFirst = 2 * time.Millisecond

// goOn sets the arguments of the remaining work. It writes them only when the lease is due for
// renewal. Repeating some batches after a crash is cheaper than a write for each batch.
func (q *Queue) goOn(ctx context.Context, t *Task, rest any) {
	args, err := json.Marshal(rest)
	if err != nil {
		q.failed(ctx, t, fmt.Errorf("encode the remaining part of the task: %w", err))
		return
	}
	t.Args, t.waits, t.again = args, 0, false
	now := q.opt.Now()
	if !q.opt.Delegate && t.due-now.UnixMilli() < (Lease*2/3).Milliseconds() {
		held, err := q.renew(ctx, t, q.lease(now))
		if err == nil && !held {
			q.drop(t)
			return
		}
	}
	wait := time.Duration(0)
	if t.asked && !q.opt.Delegate {
		wait = answerFirst
	}
	t.asked = false
	q.later(t, wait)
}

// renew writes the current state of the task and moves its due time. It reports whether the lease
// was still held.
func (q *Queue) renew(ctx context.Context, t *Task, due time.Time) (bool, error) {
	next := *t
	next.due, next.ver = due.UnixMilli(), t.ver+1
	failed, err := q.kv.Txn(ctx, []kv.Cond{t.held()}, next.Ops()...)
	if err != nil {
		return false, fmt.Errorf("renew task %s: %w", t.ID, err)
	}
	if failed >= 0 {
		return false, nil
	}
	t.due, t.ver = next.due, next.ver
	return true, nil
}

// reload loads the stored arguments of a task after the store was unavailable, and reports whether
// this server still holds the task. A store can return without its last writes, such as a Redis that
// syncs every second. It may then lack batches that t.Args counts as done, while the stored
// arguments are from before all batches that may be missing.
func (q *Queue) reload(ctx context.Context, t *Task) bool {
	get := kv.Get{Key: Key(t.Shard, t.ID)}
	if err := q.kv.Read(ctx, &get); err != nil {
		q.failed(ctx, t, fmt.Errorf("read task %s: %w", t.ID, err))
		return false
	}
	if get.Version != t.ver { // the task or its last renewal is missing
		q.drop(t)
		return false
	}
	stored, err := decode(t.Shard, t.ID, get)
	if err != nil {
		q.failed(ctx, t, err)
		return false
	}
	t.Args = stored.Args
	return true
}

func (q *Queue) drop(t *Task) {
	q.mu.Lock()
	delete(q.local, t.ID)
	q.mu.Unlock()
}

// finish removes the task. If that fails, the record stays and the task is repeated after its
// lease. If only ctx has ended, finish is tried once more when the leases are released.
func (q *Queue) finish(ctx context.Context, t *Task) {
	err := q.remove(ctx, t)
	if err != nil && ctx.Err() != nil {
		t.done = true
		q.enqueue(t)
		return
	}
	if err != nil {
		q.opt.Log.Warn("cannot remove finished task; it will run again", "task", t.Kind, "id", t.ID, "err", err)
	}
	q.opt.Ended(t.Kind, "done", q.opt.Now().Sub(t.since))
	q.drop(t)
}

// remove deletes a finished task. No other server can take it during its lease. After the lease,
// remove checks that no other server has moved it to the dead-letter set. It deletes the record
// first, because a sweep removes entries without a record.
func (q *Queue) remove(ctx context.Context, t *Task) error {
	ops := []kv.Op{kv.Delete{Key: Key(t.Shard, t.ID)}, kv.Remove{Key: DueKey(t.Shard), Member: t.ID}}
	if time.UnixMilli(t.due).Sub(q.opt.Now()) > leaseMargin {
		return q.kv.Apply(kv.Relaxed(ctx), ops...)
	}
	_, err := q.kv.Txn(kv.Relaxed(ctx), []kv.Cond{t.held()}, ops...)
	return err
}

// leaseMargin is the tolerated difference of server clocks where only the lease protects a task.
const leaseMargin = 2 * time.Second

// failed counts an error, or waits for the engine if it is unavailable. After MaxTries it moves the
// task to the dead-letter set.
func (q *Queue) failed(ctx context.Context, t *Task, cause error) {
	t.again = true
	if errors.Is(cause, kv.ErrUnavailable) || errors.Is(cause, kv.ErrUnknown) || errors.Is(cause, kv.ErrFull) || errors.Is(cause, context.DeadlineExceeded) {
		q.opt.Log.Debug("task waits for the store", "task", t.Kind, "id", t.ID, "err", cause)
		t.waits++
		q.later(t, backoff(t.waits))
		return
	}
	t.tries++
	t.cause = cut(cause.Error(), 500)
	q.opt.Log.Warn("task failed", "task", t.Kind, "id", t.ID, "try", t.tries, "err", cause)
	if t.tries < MaxTries {
		if held, err := q.renew(ctx, t, q.lease(q.opt.Now())); err == nil && !held {
			q.drop(t)
			return
		}
		q.opt.Ended(t.Kind, "failed", q.opt.Now().Sub(t.since))
		q.later(t, backoff(t.tries))
		return
	}
	t.ver++
	_, err := q.kv.Txn(ctx, []kv.Cond{t.held()}, t.put(),
		kv.Remove{Key: DueKey(t.Shard), Member: t.ID},
		kv.Add{Key: DeadKey(t.Shard), Member: t.ID, Score: q.opt.Now().UnixMilli()})
	if err != nil {
		q.opt.Log.Warn("cannot move task to failed tasks", "id", t.ID, "err", err)
	}
	q.opt.Ended(t.Kind, "dead", q.opt.Now().Sub(t.since))
	q.drop(t)
}

// backoff doubles from half a second to a minute.
func backoff(n int) time.Duration {
	return min(250*time.Millisecond<<min(n, 8), time.Minute)
}

// later queues t again after d, or at once when d is 0.
func (q *Queue) later(t *Task, d time.Duration) {
	q.mu.Lock()
	if d > 0 && !q.stopped {
		q.waiting[t] = time.AfterFunc(d, func() { q.due(t) })
		q.mu.Unlock()
		return
	}
	q.mu.Unlock()
	q.enqueue(t)
}

// due makes a waiting task ready, unless its lease was released meanwhile.
func (q *Queue) due(t *Task) {
	q.mu.Lock()
	_, waits := q.waiting[t]
	delete(q.waiting, t)
	q.mu.Unlock()
	if waits {
		q.enqueue(t)
	}
}

// handBackTime limits how long a stop waits for the store.
const handBackTime = 5 * time.Second

// handBack releases the leases of unfinished tasks. Tasks in requests are released at the end of
// the requests.
func (q *Queue) handBack() {
	ctx, cancel := context.WithTimeout(context.Background(), handBackTime)
	defer cancel()
	q.mu.Lock()
	q.stopped = true
	left := q.ready
	q.ready = nil
	for t, timer := range q.waiting {
		timer.Stop()
		left = append(left, t)
	}
	clear(q.waiting)
	q.mu.Unlock()
	for _, t := range left {
		q.release(ctx, t)
	}
}

// release removes a finished task, and ends the lease of another one.
func (q *Queue) release(ctx context.Context, t *Task) {
	err := ctx.Err()
	switch {
	case err != nil: // the store does not answer: the leases expire by themselves
	case t.done:
		err = q.remove(ctx, t)
	default:
		_, err = q.renew(ctx, t, wholeSecond(q.opt.Now().Add(-time.Second))) // due now, without a holder
		if err == nil {
			hint(ctx, q.kv, t.Shard)
		}
	}
	if err != nil {
		q.opt.Log.Warn("cannot release task; it waits until its lease expires", "task", t.Kind, "id", t.ID, "err", err)
	}
	q.drop(t)
}

func cut(s string, n int) string {
	if len(s) > n {
		return s[:n]
	}
	return s
}

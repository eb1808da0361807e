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

// Options of a Queue.
type Options struct {
	Now       func() time.Time // the installation's clock
	Log       *slog.Logger
	Workers   int  // passes at a time; 0: 4
	Exclusive bool // this process alone uses the store: leases found at start are void
	// HandOver: this server only does the first pass of its own tasks. What is
	// left of one goes back at once, to a server that sweeps.
	HandOver bool
	// Name tells this server from others and stays when it is started again: it
	// then takes its own tasks back at once. None is given to who has none.
	Name string
	// Version of the program, which others on the store are told.
	Version string
	// Begins is told of each pass; the pass runs with the context that it gives, and its end is
	// told to the function. May be nil.
	Begins func(ctx context.Context, kind string) (context.Context, func(error))
	// Ended is told of each try of a task that came to an end here: "done",
	// "failed" (it is tried again) or "dead", and how long this server held it.
	Ended func(kind, outcome string, took time.Duration)
}

// Queue runs tasks. Its methods are safe for concurrent use.
//
// A task that is held lies in exactly one place: it is ready, it waits for a
// timer, or one goroutine is at work on it and alone may touch it.
type Queue struct {
	kv       Engine
	spread   bool // the shards lie at several servers, see kv.Spread
	opt      Options
	handlers map[string]Handler
	slot     atomic.Int32 // see holder.go; 0 until this server has joined the others

	mu      sync.Mutex
	ready   []*Task               // round robin: a task goes to the end after each pass
	waiting map[*Task]*time.Timer // tasks that are tried again later
	local   map[string]*Task      // everything this server holds, by id
	made    map[string]struct{}   // by New here, while leases found are still void; nil afterwards
	drawn   map[string]*Task      // by New here, and not held since; see stray.go
	wake    chan struct{}
	stopped bool // leases were handed back: whatever still comes is handed back too
	running sync.WaitGroup
}

// NewQueue makes a queue over an engine; one whose shards may lie at several servers says
// so (kv.Spread). Handlers are by task kind and fixed.
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

// Run does the first pass at once, in the caller's request, and leaves the rest
// to the workers. The act is already committed, so a fault here is the task's
// own: it is tried again later and the caller is not told. Removing a finished
// task is left to the workers as well, so that the caller need not wait for it.
func (q *Queue) Run(ctx context.Context, t Task) { q.RunAs(ctx, t, q.handlers[t.Kind]) }

// RunAs is Run with another first pass than the handler's, which does the same and knows
// more: it need not read what the act has just written.
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

// Idle reports whether this server holds no task, and Held how many it holds.
func (q *Queue) Idle() bool { return q.Held() == 0 }

// Held is the number of tasks that this server holds now.
func (q *Queue) Held() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.local)
}

// Load is what a server holds of one kind of task.
type Load struct {
	Held   int
	Oldest time.Time // since when the one that it has held longest; zero if it holds none
}

// Loads tells what this server holds of each kind that it has a handler for.
func (q *Queue) Loads() map[string]Load {
	loads := make(map[string]Load, len(q.handlers))
	for kind := range q.handlers {
		loads[kind] = Load{}
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, t := range q.local {
		l, ok := loads[t.Kind]
		if !ok { // nobody here can do it: it will be set aside
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

// enqueue puts a task that the caller is at work on among the ready ones. After
// the queue has stopped there is nobody to take it: its lease goes back.
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

// Serve runs tasks until ctx ends, then hands the leases of what is left back,
// so that another server (or the next start) takes over at once. No worker and
// no timer remains when it returns.
func (q *Queue) Serve(ctx context.Context) {
	for range q.opt.Workers {
		q.running.Go(func() { q.work(ctx) })
	}
	q.running.Go(func() { q.strayLoop(ctx) })
	if q.opt.HandOver {
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
		finish := func() { q.finish(ctx, t) }
		switch {
		case t.done:
			finish()
		case len(t.after) > 0:
			q.settle(ctx, t, finish)
		case q.opt.HandOver:
			q.handOver(ctx, t)
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

// conclude decides what comes next for a task of which a pass was made.
func (q *Queue) conclude(ctx context.Context, t *Task, rest any, err error, finish func()) {
	if err != nil {
		t.after = nil // the pass is made again as a whole
	}
	switch {
	case err != nil && ctx.Err() != nil:
		t.again = true
		q.later(t, 0) // stopped in the middle: the next holder repeats the pass
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
		return nil, fmt.Errorf("no handler for tasks of kind %q; was it written by a newer version?", t.Kind)
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

// answerFirst is how long the rest of a task waits after the pass that was made in
// a request, so that the request is answered before the workers take processors
// from it.
const answerFirst = 2 * time.Millisecond

// goOn keeps the arguments of the rest. They are written only when the lease is
// due for renewal: a crash repeats some passes, which is cheaper than a write a
// pass.
func (q *Queue) goOn(ctx context.Context, t *Task, rest any) {
	args, err := json.Marshal(rest)
	if err != nil {
		q.failed(ctx, t, fmt.Errorf("encode rest: %w", err))
		return
	}
	t.Args, t.waits, t.again = args, 0, false
	now := q.opt.Now()
	if !q.opt.HandOver && t.due-now.UnixMilli() < (Lease*2/3).Milliseconds() {
		held, err := q.renew(ctx, t, q.lease(now))
		if err == nil && !held {
			q.drop(t)
			return
		}
	}
	wait := time.Duration(0)
	if t.asked && !q.opt.HandOver {
		wait = answerFirst
	}
	t.asked = false
	q.later(t, wait)
}

// renew writes the task as it stands and moves its due time. It reports whether
// the lease was still held.
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

func (q *Queue) drop(t *Task) {
	q.mu.Lock()
	delete(q.local, t.ID)
	q.mu.Unlock()
}

// finish removes the task. If that cannot be done now, the record stays and the
// task is repeated after its lease; if only ctx is at its end, it is tried once
// more when the leases are handed back.
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

// remove takes a task away whose work is done. Nobody else can have it while its lease has
// time left, and who has a lease that ran out makes sure that no other has set it aside.
// The record goes first: what is left without one a sweep takes away.
func (q *Queue) remove(ctx context.Context, t *Task) error {
	ops := []kv.Op{kv.Delete{Key: Key(t.Shard, t.ID)}, kv.Remove{Key: DueKey(t.Shard), Member: t.ID}}
	if time.UnixMilli(t.due).Sub(q.opt.Now()) > leaseMargin {
		return q.kv.Apply(kv.Relaxed(ctx), ops...)
	}
	_, err := q.kv.Txn(kv.Relaxed(ctx), []kv.Cond{t.held()}, ops...)
	return err
}

// leaseMargin is by how much the clocks of servers may differ for what goes by a lease
// alone.
const leaseMargin = 2 * time.Second

// failed counts a fault, or waits for the engine; after MaxTries the task is
// set aside.
func (q *Queue) failed(ctx context.Context, t *Task, cause error) {
	t.again = true
	if unavailable(cause) {
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

func unavailable(err error) bool {
	return errors.Is(err, kv.ErrUnavailable) || errors.Is(err, kv.ErrUnknown) || errors.Is(err, kv.ErrFull) ||
		errors.Is(err, context.DeadlineExceeded)
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

// due ends the waiting of a task, unless its lease was handed back meanwhile.
func (q *Queue) due(t *Task) {
	q.mu.Lock()
	_, waits := q.waiting[t]
	delete(q.waiting, t)
	q.mu.Unlock()
	if waits {
		q.enqueue(t)
	}
}

// handBackTime bounds how long a stop waits for the store.
const handBackTime = 5 * time.Second

// handBack gives up the leases of what was not finished. Tasks that a request
// is still at work on follow when it is done with them.
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

// release ends this server's part in a task: what is finished is removed, and of
// the rest the lease ends now.
func (q *Queue) release(ctx context.Context, t *Task) {
	err := ctx.Err()
	switch {
	case err != nil: // the store does not answer: the leases run out by themselves
	case t.done:
		err = q.remove(ctx, t)
	default:
		_, err = q.renew(ctx, t, wholeSecond(q.opt.Now().Add(-time.Second))) // due now, and nobody's
		if err == nil {
			hint(ctx, q.kv, t.Shard)
		}
	}
	if err != nil {
		q.opt.Log.Warn("cannot release task; its lease must expire", "task", t.Kind, "id", t.ID, "err", err)
	}
	q.drop(t)
}

func cut(s string, n int) string {
	if len(s) > n {
		return s[:n]
	}
	return s
}

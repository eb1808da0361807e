package core

import (
	"context"
	"crypto/rand"
	"log/slog"
	"sync"
	"time"

	"linnet/internal/kv"
	"linnet/internal/store"
	"linnet/internal/task"
)

const (
	// outboxHold is how long a job is reserved for the server that created it. After that, another
	// server does it.
	outboxHold = 2 * time.Minute

	outboxRoom = 1024 // maximum number of queued jobs; further ones stay in the store until they are due
)

// Job is work for an Outbox: a delayed task (task.NewLater), which the server that wrote it usually
// does earlier. The zero Job has no task.
type Job[A any] struct {
	Args A
	Task task.Task
	Due  time.Time
}

// Ops returns the operations that write the task. It returns none for the zero Job.
func (j Job[A]) Ops() []kv.Op {
	if j.Task.ID == "" {
		return nil
	}
	return j.Task.Ops()
}

// Outbox runs jobs that wait for remote servers, such as sending an e-mail. The task of a job is
// written together with the action that causes it. Separate workers run the jobs, so that a slow
// remote server blocks no request and no other task. A job can run twice if this server stops. An
// Outbox is safe for concurrent use.
type Outbox[A any] struct {
	opt OutboxOptions[A]

	st       *store.Store
	tasks    *task.Queue
	log      *slog.Logger
	delegate bool // tasks are left to other servers
	queue    chan Job[A]
}

// OutboxOptions describe the jobs of an Outbox.
type OutboxOptions[A any] struct {
	Workers int
	Time    time.Duration                         // timeout of one job; at most half of outboxHold, so that a job can wait before it starts
	Task    func(a A) (shard uint16, kind string) // returns the task of a job
	// Do makes one attempt. It returns the operations that replace the task, in the same shard.
	Do     func(ctx context.Context, a A) (next []kv.Op, err error)
	Failed string // log message for an error of Do, after which another server runs the task
}

// NewOutbox returns an Outbox. Call Run to do the work.
func NewOutbox[A any](b Base, o OutboxOptions[A]) *Outbox[A] {
	return &Outbox[A]{opt: o, st: b.Store, tasks: b.Tasks, log: b.Options.Log, delegate: b.Options.Delegate, queue: make(chan Job[A], outboxRoom)}
}

// New returns a job. The caller writes its Ops together with the action, and then calls Begin.
func (o *Outbox[A]) New(a A) (Job[A], error) {
	if o.delegate {
		return o.Later(a, 0)
	}
	return o.Later(a, outboxHold)
}

// Later returns a job that is due after a delay.
func (o *Outbox[A]) Later(a A, delay time.Duration) (Job[A], error) {
	due := o.st.Now().Add(delay).Truncate(time.Millisecond)
	shard, kind := o.opt.Task(a)
	t, err := task.NewLater(shard, rand.Text(), kind, a, due)
	return Job[A]{a, t, due}, err
}

// Begin starts jobs whose tasks have been written. It does not wait for them.
func (o *Outbox[A]) Begin(ctx context.Context, jobs ...Job[A]) {
	for _, j := range jobs {
		switch {
		case j.Task.ID == "":
		case o.delegate:
			o.tasks.Left(ctx, j.Task.Shard)
		default:
			o.enqueue(j)
		}
	}
}

// Resume replaces a task that was due, because its server has not done it or because an attempt
// failed, and starts the job.
func (o *Outbox[A]) Resume(ctx context.Context, a A) error {
	j, err := o.Later(a, outboxHold)
	if err != nil {
		return err
	}
	if err := o.st.Sessions.Leave(ctx, j.Task); err != nil {
		return err
	}
	o.enqueue(j)
	return nil
}

func (o *Outbox[A]) enqueue(j Job[A]) {
	select {
	case o.queue <- j:
	default: // its task becomes due
	}
}

// Run does jobs until ctx ends. Another server finds the tasks of interrupted ones.
func (o *Outbox[A]) Run(ctx context.Context) {
	var all sync.WaitGroup
	for range o.opt.Workers {
		all.Go(func() {
			for {
				select {
				case <-ctx.Done():
					return
				case j := <-o.queue:
					if err := o.do(ctx, j); err != nil && ctx.Err() == nil {
						o.log.Warn(o.opt.Failed, "task", j.Task.Kind, "err", err)
					}
				}
			}
		})
	}
	all.Wait()
}

// do makes one attempt and deletes the task of the job, or replaces it.
func (o *Outbox[A]) do(ctx context.Context, j Job[A]) error {
	if o.st.Now().After(j.Due.Add(-o.opt.Time)) {
		return nil // it has waited too long, so another server may do it
	}
	with, cancel := context.WithTimeout(ctx, o.opt.Time)
	defer cancel()
	next, err := o.opt.Do(with, j.Args)
	if err != nil {
		return err
	}
	_, err = o.st.Sessions.TakeBack(ctx, j.Task.Shard, j.Task.ID, j.Due, next...)
	if err == nil && next != nil {
		o.tasks.Left(ctx, j.Task.Shard)
	}
	return err
}

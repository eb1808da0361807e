package core_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"testing"
	"time"

	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/store"
	"linnet/internal/task"
)

// later returns the delayed tasks of a shard, by due time.
func later(t *testing.T, e kv.Store, shard uint16) (ids []string) {
	r := &kv.Range{Key: task.LaterKey(shard), Limit: 100}
	if err := e.Read(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	for _, m := range r.Members {
		ids = append(ids, m.Member)
	}
	return ids
}

// outbox returns an Outbox in shard 3, and the engine below it.
func outbox(handOver bool, do func(context.Context, string) ([]kv.Op, error)) (*core.Outbox[string], *memkv.Engine) {
	e := memkv.New(memkv.Options{})
	st := store.New(e, store.Options{})
	b := core.Base{Store: st, Options: core.Options{Log: slog.New(slog.DiscardHandler), Delegate: handOver}, Tasks: task.NewQueue(e, nil, task.Options{Now: st.Now})}
	return core.NewOutbox(b, core.OutboxOptions[string]{Workers: 1, Time: time.Minute, Do: do, Failed: "failed",
		Task: func(string) (uint16, string) { return 3, "test" }}), e
}

// leave writes the tasks of new jobs.
func leave(t *testing.T, o *core.Outbox[string], e kv.Store, args ...string) (jobs []core.Job[string]) {
	for _, a := range args {
		j, err := o.New(a)
		if err == nil {
			err = e.Apply(t.Context(), j.Ops()...)
		}
		if err != nil {
			t.Fatal(err)
		}
		jobs = append(jobs, j)
	}
	return jobs
}

// TestOutbox expects that a job that is done leaves no task, and that one to repeat leaves the next
// task. One that failed, or that has waited too long to start, leaves its own task.
func TestOutbox(t *testing.T) {
	var o *core.Outbox[string]
	var next string
	last, end := make(chan struct{}), make(chan struct{})
	o, e := outbox(false, func(ctx context.Context, a string) ([]kv.Op, error) {
		switch a {
		case "repeat":
			j, err := o.Later("repeated", time.Hour)
			next = j.Task.ID
			return j.Ops(), err
		case "fail":
			return nil, errors.New("down")
		case "late":
			t.Error("did a job that has waited too long")
		case "last":
			close(last)
			<-ctx.Done()
			return nil, ctx.Err()
		}
		return nil, nil
	})
	jobs := leave(t, o, e, "done", "repeat", "fail", "last")
	late, err := o.Later("late", time.Second) // which leaves less time than one job has
	if err == nil {
		err = e.Apply(t.Context(), late.Ops()...)
	}
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	go func() { o.Run(ctx); close(end) }()
	o.Begin(ctx, append([]core.Job[string]{{}, late}, jobs...)...)
	<-last
	want := []string{jobs[2].Task.ID, jobs[3].Task.ID, late.Task.ID, next}
	got := later(t, e, 3)
	slices.Sort(want)
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("tasks %v, not %v", got, want)
	}
	stop()
	<-end
}

// TestOutboxHandOver expects that a server that leaves tasks to others makes jobs due at once and
// doesn't do them.
func TestOutboxHandOver(t *testing.T) {
	did := make(chan string, 2)
	o, e := outbox(true, func(_ context.Context, a string) ([]kv.Op, error) { did <- a; return nil, nil })
	jobs := leave(t, o, e, "handed over")
	if wait := time.Until(jobs[0].Due); wait > time.Second {
		t.Errorf("due in %v", wait)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	o.Begin(ctx, jobs...)
	if err := o.Resume(ctx, "resumed"); err != nil { // by the server that found the task
		t.Fatal(err)
	}
	go o.Run(ctx)
	if a := <-did; a != "resumed" {
		t.Errorf("did %q", a)
	}
	if got := later(t, e, 3); !slices.Contains(got, jobs[0].Task.ID) {
		t.Errorf("tasks %v without the one that was handed over", got)
	}
}

package seed

import (
	"context"
	"errors"
	"testing"
	"time"

	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/store"
)

// failingApply is an engine whose first Apply ends with an error, after it was made.
type failingApply struct {
	kv.Engine
	err     error
	applied int
}

func (e *failingApply) Apply(ctx context.Context, ops ...kv.Op) error {
	err := e.Engine.Apply(ctx, ops...)
	if e.applied++; e.applied == 1 {
		err = errors.Join(err, e.err)
	}
	return err
}

// quiet returns options with a number of workers and no output.
func quiet(workers int) Options {
	return Options{Workers: workers, Pause: time.Millisecond, Retrying: func(error) {}}
}

// TestBulkRepeatsItself checks that a repeatable change is repeated when its outcome is unknown.
func TestBulkRepeatsItself(t *testing.T) {
	for _, err := range []error{kv.ErrUnavailable, kv.ErrUnknown} {
		e := &failingApply{Engine: memkv.New(memkv.Options{}), err: err}
		if err := newBulk(store.New(e, store.Options{}), quiet(1)).trimGlobal(t.Context()); err != nil {
			t.Error(err)
		}
		if e.applied != 2 {
			t.Errorf("after %v: applied %d times, want twice", err, e.applied)
		}
	}
}

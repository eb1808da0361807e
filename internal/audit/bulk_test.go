package audit_test

import (
	"context"
	"errors"
	"testing"

	"linnet/internal/audit"
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

// A bulk change that can be repeated is, also when it is not known whether it was made.
func TestBulkRepeatsItself(t *testing.T) {
	for _, err := range []error{kv.ErrUnavailable, kv.ErrUnknown} {
		e := &failingApply{Engine: memkv.New(memkv.Options{}), err: err}
		if err := audit.NewBulk(store.New(e, store.Options{}), e, 1).TrimGlobal(t.Context()); err != nil {
			t.Error(err)
		}
		if e.applied != 2 {
			t.Errorf("after %v: applied %d times, want twice", err, e.applied)
		}
	}
}

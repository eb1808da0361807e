package discovery_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// addsPromotion is an engine that calls do before a promotion is added to a voter's source, and
// then waits until the source is cleared. A source can be cleared twice.
type addsPromotion struct {
	kv.Engine
	do      func() // called once
	source  atomic.Pointer[kv.Key]
	cleared chan struct{} // with a capacity of one
}

func (e *addsPromotion) Txn(ctx context.Context, conds []kv.Cond, ops ...kv.Op) (int, error) {
	add, ok := ops[0].(kv.Add)
	if ok && len(ops) == 1 && add.Key.Kind == record.PromotionSource(1).Kind && e.source.CompareAndSwap(nil, &add.Key) {
		e.do()
		select {
		case <-e.cleared:
		case <-time.After(time.Minute):
			return 0, errors.New("nobody has cleared the source")
		}
	}
	return e.Engine.Txn(ctx, conds, ops...)
}

func (e *addsPromotion) Apply(ctx context.Context, ops ...kv.Op) error {
	err := e.Engine.Apply(ctx, ops...)
	for _, op := range ops {
		if out, ok := op.(kv.Remove); ok && e.source.Load() != nil && out.Key == *e.source.Load() {
			select {
			case e.cleared <- struct{}{}:
			default: // already signalled
			}
		}
	}
	return err
}

// TestPromotionOvertakenByDeletion checks that a promotion that is revoked before it is added to a
// source does not stay in it.
func TestPromotionOvertakenByDeletion(t *testing.T) {
	e := &addsPromotion{Engine: memkv.New(memkv.Options{}), cleared: make(chan struct{}, 1)}
	b := newBallot(apptest.New(t, e))
	st := b.Post(b.ann, "good").ID
	e.do = func() { apptest.Must(b.Posting.Delete(b.Ctx, b.ann, st))(t) }
	for _, voter := range b.voters[:4] {
		if _, err := b.Posting.Marks.Favourite(b.Ctx, voter, st); err != nil && linnet.KindOf(err) != linnet.NotFound {
			t.Fatal(err)
		}
	}
	b.Drain()
	if e.source.Load() == nil {
		t.Fatal("nothing was put into a source")
	}
	b.Check()
}

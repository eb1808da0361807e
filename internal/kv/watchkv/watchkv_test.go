package watchkv_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"linnet/internal/kv"
	"linnet/internal/kv/faultkv"
	"linnet/internal/kv/kvtest"
	"linnet/internal/kv/memkv"
	"linnet/internal/kv/watchkv"
)

func TestSuite(t *testing.T) {
	clock := kvtest.NewClock()
	kvtest.Run(t, func(t *testing.T) kv.Engine {
		e := memkv.New(memkv.Options{Now: clock.Now})
		t.Cleanup(func() { e.Close() })
		return watchkv.New(e, func(context.Context, watchkv.Call) {})
	}, kvtest.Caps{Advance: clock.Advance, Rounds: 4})
}

func TestReports(t *testing.T) {
	below := faultkv.New(memkv.New(memkv.Options{}))
	var mu sync.Mutex
	var calls []watchkv.Call
	e := watchkv.New(below, func(_ context.Context, c watchkv.Call) {
		mu.Lock()
		defer mu.Unlock()
		calls = append(calls, c)
	})
	ctx, k := t.Context(), kv.Key{Kind: "v", ID: "1"}
	below.FailAt(2, faultkv.Before)
	_ = e.Read(ctx, &kv.Get{Key: k}, &kv.Get{Key: k})
	_, _ = e.Txn(ctx, nil, kv.Put{Key: k, Data: []byte("x"), Version: 1})
	_ = e.Apply(ctx, kv.Delete{Key: k}, kv.Delete{Key: k}, kv.Delete{Key: k})
	_ = e.Publish(ctx, "t", nil)
	_, _ = e.Count(ctx, "k", 1, 1e9)
	want := []struct {
		op   string
		size int
		err  error
	}{{"read", 2, nil}, {"txn", 1, nil}, {"apply", 3, kv.ErrUnavailable}, {"publish", 1, nil}, {"count", 1, nil}}
	if len(calls) != len(want) {
		t.Fatalf("%d calls reported, want %d: %v", len(calls), len(want), calls)
	}
	for i, w := range want {
		if c := calls[i]; c.Op != w.op || c.Size != w.size || !errors.Is(c.Err, w.err) || c.Took <= 0 {
			t.Errorf("call %d: %+v, want %+v", i, c, w)
		}
	}
	if err := e.Track(ctx, nil, nil); !errors.Is(err, kv.ErrRefused) {
		t.Errorf("tracking an engine that cannot: %v", err)
	}
}

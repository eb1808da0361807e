package kvtest

import (
	"context"
	"errors"
	"time"

	"linnet/internal/kv"
)

func engineTests() []subtest {
	return []subtest{
		{"InfoAndPing", infoAndPing},
		{"Clock", clockTest},
		{"Cancelled", cancelled},
		{"DeadlinePassed", deadlinePassed},
		{"Closed", closed},
	}
}

func infoAndPing(e *env) {
	if info := e.Info(); info.Engine == "" || info.Durability.String() == "" {
		e.Errorf("Info does not say which engine this is, or what is durable: %+v", info)
	}
	if err := e.Ping(e.ctx); err != nil {
		e.Errorf("Ping: %v", err)
	}
}

func clockTest(e *env) {
	now := func() time.Time {
		at, err := e.Now(e.ctx)
		if err != nil {
			e.Fatalf("Now: %v", err)
		}
		return at
	}
	first := now()
	e.past(20 * time.Millisecond)
	if passed := now().Sub(first); passed < 19*time.Millisecond || passed > 10*time.Second {
		e.Errorf("after 20 ms the clock has moved by %v", passed)
	}
	if off := time.Since(first); e.caps.Advance == nil && (off < -time.Minute || off > time.Minute) {
		e.Errorf("the clock is off by %v", off)
	}
}

func cancelled(e *env) {
	ctx, cancel := context.WithCancel(e.ctx)
	cancel()
	e.wantNotMade(ctx)
}

func deadlinePassed(e *env) {
	ctx, cancel := context.WithDeadline(e.ctx, time.Now().Add(-time.Second))
	defer cancel()
	e.wantNotMade(ctx)
}

// wantNotMade checks that calls with an ended context fail, and that a transaction reports that
// nothing was changed.
func (e *env) wantNotMade(ctx context.Context) {
	e.Helper()
	k := key("v", 3, "a")
	failed, err := e.Txn(ctx, nil, kv.Put{Key: k, Version: 1})
	if err == nil || errors.Is(err, kv.ErrUnknown) || errors.Is(err, kv.ErrRefused) {
		e.Errorf("Txn: got %d, %v; want an error that says that nothing was changed", failed, err)
	}
	e.wantValue(k, "", 0)
	_, nowErr := e.Now(ctx)
	_, _, keysErr := e.Keys(ctx, "")
	_, countErr := e.Count(ctx, "k", 1, time.Hour)
	sub, subErr := e.Subscribe(ctx, "t")
	if sub != nil {
		sub.Close()
	}
	for name, err := range map[string]error{
		"Read": e.Read(ctx, &kv.Get{Key: k}), "Apply": e.Apply(ctx, kv.Put{Key: k, Version: 1}),
		"Publish": e.Publish(ctx, "t", nil), "Subscribe": subErr, "Count": countErr,
		"Ping": e.Ping(ctx), "Now": nowErr, "Keys": keysErr,
	} {
		if err == nil || errors.Is(err, kv.ErrRefused) {
			e.Errorf("%s under an ended context: got error %v", name, err)
		}
	}
	e.do(kv.Put{Key: k, Version: 5}) // the engine still works
	e.wantValue(k, "", 5)
}

func closed(e *env) {
	sub := e.subscribe("t")
	if err := e.Close(); err != nil {
		e.Fatalf("Close: %v", err)
	}
	if msg, ok := e.next(sub); ok {
		e.Errorf("after Close a subscription delivers %q", msg.Payload)
	}
	k := key("v", 3, "a")
	_, txnErr := e.Txn(e.ctx, nil, kv.Put{Key: k, Version: 1})
	_, _, keysErr := e.Keys(e.ctx, "")
	_, countErr := e.Count(e.ctx, "k", 1, time.Hour)
	_, subErr := e.Subscribe(e.ctx, "t")
	for name, err := range map[string]error{
		"Read": e.Read(e.ctx, &kv.Get{Key: k}), "Txn": txnErr, "Apply": e.Apply(e.ctx, kv.Put{Key: k, Version: 1}),
		"Publish": e.Publish(e.ctx, "t", nil), "Subscribe": subErr, "Count": countErr, "Ping": e.Ping(e.ctx), "Keys": keysErr,
	} {
		if !errors.Is(err, kv.ErrClosed) {
			e.Errorf("%s after Close: got error %v, want ErrClosed", name, err)
		}
	}
	if err := sub.Close(); err != nil {
		e.Errorf("Close of a subscription after Close of its engine: %v", err)
	}
	if err := e.Close(); err != nil {
		e.Errorf("second Close: %v", err)
	}
}

package store_test

import (
	"context"
	"testing"

	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// lastRead is an engine that records whether the last read was durable.
type lastRead struct {
	kv.Engine
	durable bool
}

func (e *lastRead) Read(ctx context.Context, qs ...kv.Query) error {
	e.durable = kv.IsDurable(ctx)
	return e.Engine.Read(ctx, qs...)
}

// TestKeepApp checks that the second token of an app reads durably that the first has kept it,
// because a failover must not undo that write.
func TestKeepApp(t *testing.T) {
	e := &lastRead{Engine: memkv.New(memkv.Options{})}
	s := store.New(e, store.Options{})
	app := linnet.App{Name: "Perch"}
	if err := s.Sessions.CreateApp(t.Context(), 3, &app, "hash"); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if ok, err := s.Sessions.KeepApp(t.Context(), app.ID); err != nil || !ok {
			t.Fatal(ok, err)
		}
	}
	if !e.durable {
		t.Error("that an app is kept already was read, and not durably")
	}
	if ok, err := s.Sessions.KeepApp(t.Context(), app.ID+1<<16); err != nil || ok {
		t.Errorf("an app that there is not: %v, %v", ok, err)
	}
}

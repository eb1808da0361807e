package apptest

import (
	"testing"

	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/kv/redistest"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// WithCards turns link cards on or off.
func (w *World) WithCards(on bool) {
	w.Helper()
	Must(w.Settings.ChangeInstance(w.Ctx, linnet.Operator(), linnet.InstanceChange{Cards: &on}))(w)
}

// OnFetchers runs a test of background fetches over each engine.
func OnFetchers(t *testing.T, test func(t *testing.T, w *World, e kv.Engine)) {
	for name, open := range map[string]func(t *testing.T) kv.Engine{"memory": func(*testing.T) kv.Engine { return memkv.New(memkv.Options{}) }, "disk": func(t *testing.T) kv.Engine { SkipShort(t); return OpenDisk(t) },
		"redis": func(t *testing.T) kv.Engine { SkipShort(t); return OpenRedis(t, redistest.Single(t), "") }} {
		t.Run(name, func(t *testing.T) {
			e := open(t)
			test(t, WithPush(t, e, store.Options{}), e)
		})
	}
}

package apptest

import (
	"testing"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// WithCards turns link cards on or off.
func (w *World) WithCards(on bool) {
	w.Helper()
	Must(w.Settings.ChangeInstance(w.Ctx, linnet.Operator(), linnet.InstanceChange{Cards: &on}))(w)
}

// OnFetchers runs a test of background fetches over the engines of EachEngine.
func OnFetchers(t *testing.T, test func(t *testing.T, w *World, e kv.Engine)) {
	EachEngine(t, func(t *testing.T, e kv.Engine) { test(t, WithPush(t, e, store.Options{}), e) })
}

package web_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// unasked is an engine that fails reads of one kind of keys while off is set.
type unasked struct {
	kv.Engine
	kind string
	off  atomic.Bool
}

func (u *unasked) Read(ctx context.Context, qs ...kv.Query) error {
	for _, q := range qs {
		if u.off.Load() && strings.Contains(fmt.Sprintf("%+v", q), u.kind) {
			return kv.ErrUnavailable
		}
	}
	return u.Engine.Read(ctx, qs...)
}

// TestHomeWithoutItsSidebar checks that the home page is shown without its sidebar if the sidebar
// cannot be loaded.
func TestHomeWithoutItsSidebar(t *testing.T) {
	w := newWorld(t, loopbackURL)
	u := &unasked{kind: record.KindDismissed}
	w.halt()
	w.within = func(e kv.Engine) kv.Engine { u.Engine = e; return u }
	w.start()
	ann, bob := w.user("ann"), w.user("bob")
	cat := w.user("cat")
	w.post(bob.ID, linnet.Draft{Text: "a finch"})
	for who, whom := range map[linnet.ID]linnet.ID{ann.ID: bob.ID, bob.ID: cat.ID} {
		if _, err := w.svc.Social.Follow(t.Context(), who, whom, linnet.FollowOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	b := w.browser().logIn("ann")
	want(t, b.get("/"), http.StatusOK, "a finch", "Who to follow")
	u.off.Store(true)
	a := b.get("/")
	want(t, a, http.StatusOK, "a finch", "What's on your mind?")
	if strings.Contains(a.body, "Who to follow") {
		t.Error("it is there though it cannot be read")
	}
	want(t, b.get("/explore"), http.StatusServiceUnavailable)
}

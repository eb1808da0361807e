package apptest

import (
	"context"
	"fmt"
	"net/netip"
	"testing"

	"linnet/internal/app"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/store"
	"linnet/internal/task"
)

// NoticesOf reads all notifications of a user, page by page.
func (w *World) NoticesOf(me linnet.ID, f linnet.NotificationFilter, limit int) []linnet.NotificationView {
	w.Helper()
	var all []linnet.NotificationView
	for p := (linnet.Page{Limit: limit}); ; {
		s := Must(w.Notify.Notifications(w.Ctx, me, f, p))(w)
		all = append(all, s.Items...)
		if s.Last == "" {
			return all
		}
		p.Max = s.Last
	}
}

// NoticeText describes notifications by their type, sender and status.
func NoticeText(ns []linnet.NotificationView) string {
	var out []string
	for _, n := range ns {
		s := string(n.Type) + " by " + n.By.Login
		if n.Status != nil {
			s += ": " + n.Status.Text
		}
		out = append(out, s)
	}
	return fmt.Sprint(out)
}

// Policy changes a user's notification policy.
func (w *World) Policy(me linnet.ID, c linnet.PolicyChange) {
	w.Helper()
	Must(w.Notify.ChangePolicy(w.Ctx, me, c))(w)
}

// WithPush returns a running app that is allowed to push to this machine. It ends with stop.
func WithPush(t *testing.T, e kv.Engine, opt store.Options) *World {
	t.Helper()
	st := store.New(e, opt)
	s, err := app.New(st, app.Options{Derive: Derive, PublicURL: "https://linnet.test", Log: Quiet(), Exclusive: true, Files: Files(t),
		Reach: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); s.Run(ctx) }()
	w := &World{T: t, App: s, Ctx: context.Background(), Store: st, Stop: func() { cancel(); <-done }}
	t.Cleanup(w.Stop)
	return w
}

// PushesIn returns the stored push tasks of a user.
func (w *World) PushesIn(e kv.Engine, who linnet.ID) []string {
	w.Helper()
	return w.TasksIn(e, task.LaterKey(who.Shard()))
}

// TasksIn returns the tasks in a set of a shard.
func (w *World) TasksIn(e kv.Engine, set kv.Key) (all []string) {
	w.Helper()
	r := &kv.Range{Key: set, Limit: kv.MaxRange}
	if err := e.Read(w.Ctx, r); err != nil {
		w.Fatal(err)
	}
	for _, m := range r.Members {
		get := &kv.Get{Key: task.Key(set.Shard, m.Member)}
		if err := e.Read(w.Ctx, get); err != nil {
			w.Fatal(err)
		}
		all = append(all, string(get.Data))
	}
	return all
}

package apptest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"linnet/internal/app"
	"linnet/internal/kv/redistest"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// Servers starts n servers on one Redis.
func Servers(t *testing.T, n int) []*World {
	t.Helper()
	url := redistest.Single(t)
	ws := make([]*World, n)
	for i := range ws {
		st := store.New(OpenRedis(t, url, ""), store.Options{Shared: true})
		s := Must(app.New(st, app.Options{Derive: Derive, PublicURL: "https://linnet.test", Log: Quiet()}))(t)
		ctx, stop := context.WithCancel(context.Background())
		if err := st.Follow(ctx); err != nil {
			t.Fatal(err)
		}
		done := make(chan struct{})
		go func() { defer close(done); s.Run(ctx) }()
		t.Cleanup(func() { stop(); <-done })
		ws[i] = &World{T: t, App: s, Ctx: ctx, Store: st}
	}
	return ws
}

// Settle waits until all servers are idle and have received each other's changes. Changes arrive in
// order, so each server must only see the latest rename of a user.
func Settle(ws []*World) {
	last := ws[0]
	last.Helper()
	rest := func() {
		for _, w := range ws {
			w.Drain()
		}
	}
	rest()
	id := Must(last.Store.Accounts.UserByLogin(last.Ctx, "renamed"))(last)
	if id == 0 {
		id = last.Person("renamed")
	}
	name := fmt.Sprint("at ", time.Now().UnixNano())
	Must(last.Social.Profiles.Update(last.Ctx, id, linnet.ProfileChange{Name: &name}))(last)
	rest()
	for _, w := range ws {
		w.WaitFor("the last change", func() string { return Must(w.View.User(w.Ctx, 0, id))(w).Name }, name)
	}
}

// heardWithin is the time that a test waits for a change from another server. Filters, blocks and
// mutes arrive at once, and the settings every two seconds. The rest is for slow machines.
const heardWithin = time.Minute

// WaitFor waits until shows returns want.
func (w *World) WaitFor(what string, shows func() string, want string) {
	w.Helper()
	begun := time.Now()
	for got := shows(); got != want; got = shows() {
		if time.Since(begun) > heardWithin {
			w.Fatalf("%s: %q after %v, want %q", what, got, heardWithin, want)
		}
		time.Sleep(time.Millisecond)
	}
	w.Logf("%s: after %v", what, time.Since(begun).Round(10*time.Microsecond))
}

package app_test

import (
	"context"
	"fmt"
	"testing"

	"linnet/internal/app"
	"linnet/internal/kv/diskkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// NewBench returns an app over the embedded store, configured as in the program.
func NewBench(b *testing.B) (*app.App, *store.Store) {
	b.Helper()
	e, err := diskkv.Open(b.TempDir(), diskkv.Options{Sync: diskkv.SyncInterval, Reserve: -1})
	if err != nil {
		b.Fatal(err)
	}
	st := store.New(e, store.Options{})
	s, err := app.New(st, app.Options{PublicURL: "https://linnet.test", Exclusive: true})
	if err != nil {
		b.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); s.Run(ctx) }()
	b.Cleanup(func() { stop(); <-done; e.Close() })
	return s, st
}

func signUp(b *testing.B, s *app.App, login string) linnet.ID {
	b.Helper()
	u, err := s.Identity.SignUp(context.Background(), linnet.SignUp{Login: login, Password: "correct horse", Agreed: true})
	if err != nil {
		b.Fatal(err)
	}
	return u.ID
}

// BenchmarkHomeWarm reads the newest 20 of a warm home of 20 followees.
func BenchmarkHomeWarm(b *testing.B) {
	s, _ := NewBench(b)
	ctx := context.Background()
	me := signUp(b, s, "reader")
	for i := range 20 {
		by := signUp(b, s, fmt.Sprintf("author%d", i))
		if _, err := s.Social.Follow(ctx, me, by, linnet.FollowOptions{}); err != nil {
			b.Fatal(err)
		}
		for n := range 5 {
			if _, err := s.Posting.Post(ctx, by, linnet.Draft{Text: fmt.Sprintf("status %d of author %d with a #tag and some text behind it", n, i)}); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		page, err := s.Reading.Home(ctx, me, linnet.Page{})
		if err != nil || len(page.Items) != 20 {
			b.Fatal(len(page.Items), err)
		}
	}
}

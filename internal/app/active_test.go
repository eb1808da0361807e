package app_test

import (
	"context"
	"log/slog"
	"net/netip"
	"testing"
	"time"

	"linnet/internal/app"
	"linnet/internal/app/apptest"
	"linnet/internal/event"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// TestActiveOnEachDay checks that several requests on one day note a user as active once, and that
// a request after midnight notes the user again.
func TestActiveOnEachDay(t *testing.T) {
	now := time.Date(2026, 5, 4, 23, 58, 0, 0, time.UTC)
	noted := 0
	s, err := app.New(store.New(memkv.New(memkv.Options{}), store.Options{Now: func() time.Time { return now }}),
		app.Options{Derive: apptest.Derive, PublicURL: "https://linnet.test", Log: slog.New(slog.DiscardHandler), Exclusive: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.Facts().UserActive.Add(func(context.Context, event.UserActive) error { noted++; return nil })
	if _, err := s.Identity.SignUp(t.Context(), linnet.SignUp{Login: "ann", Password: "correct horse", Agreed: true}); err != nil {
		t.Fatal(err)
	}
	token, _, err := s.Identity.LogIn(t.Context(), "ann", "correct horse", netip.MustParseAddr("192.0.2.1"))
	if err != nil {
		t.Fatal(err)
	}
	for day := range 2 {
		for range 3 {
			if _, err := s.Identity.Session(t.Context(), token); err != nil {
				t.Fatal(err)
			}
		}
		if noted != day+1 {
			t.Fatalf("on day %d the user was reported %d times in all", day, noted)
		}
		now = now.Add(5 * time.Minute)
	}
}

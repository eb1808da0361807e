package core_test

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"linnet/internal/app"
	"linnet/internal/app/apptest"
	"linnet/internal/kv/faultkv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

const rateWindow = 5 * time.Minute

// rateServers returns n servers over one engine, at the beginning of a window.
func rateServers(t testing.TB, n int) ([]*app.App, *faultkv.Engine) {
	t.Helper()
	now := func() time.Time { return time.Date(2030, 1, 2, 3, 5, 1, 0, time.UTC) }
	e := faultkv.New(memkv.New(memkv.Options{Now: now}))
	servers := make([]*app.App, n)
	for i := range servers {
		var err error
		servers[i], err = app.New(store.New(e, store.Options{Now: now, Shared: n > 1}),
			app.Options{Derive: apptest.Derive, PublicURL: "https://linnet.test", Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
	}
	e.Reset()
	return servers, e
}

// pass lets several callers of each server try concurrently and returns the number of allowed
// requests.
func pass(t *testing.T, servers []*app.App, callers, tries int, limit int64) int64 {
	t.Helper()
	var passed atomic.Int64
	var all sync.WaitGroup
	for _, s := range servers {
		for range callers {
			all.Go(func() {
				for range tries {
					left, _, err := s.Core.Allow(t.Context(), "api", "somebody", limit, rateWindow)
					switch {
					case err == nil:
						passed.Add(1)
					case linnet.KindOf(err) != linnet.TooMany:
						t.Error(err)
					}
					if left < 0 || left >= limit {
						t.Errorf("%d of %d are left", left, limit)
					}
				}
			})
		}
	}
	all.Wait()
	return passed.Load()
}

// TestLimitOfOneServerIsExact checks that the limit of one server is exact for concurrent requests,
// and that it rarely queries the engine.
func TestLimitOfOneServerIsExact(t *testing.T) {
	for _, limit := range []int64{1, 39, 40, 300, 1500} {
		servers, e := rateServers(t, 1)
		if passed := pass(t, servers, 8, 250, limit); passed != min(limit, 8*250) {
			t.Errorf("limit %d: %d passed", limit, passed)
		}
		if n, keep := int64(e.Stats().Counts), min(limit/20, 20); keep > 1 && n > 2*limit/keep {
			t.Errorf("limit %d: the engine was asked %d times", limit, n)
		}
	}
}

// TestLimitHoldsAcrossServers checks that several servers together exceed a large limit by the
// documented amount at most, and a small limit not at all.
func TestLimitHoldsAcrossServers(t *testing.T) {
	for _, limit := range []int64{39, 40, 300, 1500} {
		const n = 3
		servers, _ := rateServers(t, n)
		most, keep := limit, min(limit/20, 20)
		if keep > 1 {
			most += 2 * n * keep
		}
		if passed := pass(t, servers, 4, 300, limit); passed < limit || passed > most {
			t.Errorf("limit %d: %d passed, want at most %d", limit, passed, most)
		}
	}
}

// TestServersTellTheirCounts checks that another server receives even small counts within seconds.
func TestServersTellTheirCounts(t *testing.T) { synctest.Test(t, serversTellTheirCounts) }

func serversTellTheirCounts(t *testing.T) {
	servers, _ := rateServers(t, 2)
	ctx, stop := context.WithCancel(t.Context())
	var all sync.WaitGroup
	for _, s := range servers {
		all.Go(func() { s.Run(ctx) })
	}
	defer all.Wait()
	defer stop()
	allow := func(s *app.App) int64 {
		t.Helper()
		left, _, err := s.Core.Allow(ctx, "api", "ann", 300, rateWindow)
		if err != nil {
			t.Fatal(err)
		}
		return left
	}
	const first = 7
	for range first {
		allow(servers[0])
	}
	if left := allow(servers[1]); left != 299 {
		t.Errorf("at once %d are left to the other, want 299: it has heard of nothing yet", left)
	}
	for n := int64(2); ; n++ { // each server reports its own counts and receives the totals
		time.Sleep(time.Second) // in the bubble
		left := allow(servers[1])
		if left == 300-first-n {
			return
		}
		if n == 5 {
			t.Fatalf("after four seconds %d are left, want %d", left, 300-first-n)
		}
	}
}

// TestLimitWhileTheEngineIsAway checks that a count that must be reported fails while the engine is
// unavailable, and still counts.
func TestLimitWhileTheEngineIsAway(t *testing.T) {
	servers, e := rateServers(t, 1)
	allow := func() (int64, error) {
		left, _, err := servers[0].Core.Allow(t.Context(), "api", "ann", 300, rateWindow)
		return left, err
	}
	e.Away(true)
	for i := range int64(14) {
		if left, err := allow(); err != nil || left != 299-i {
			t.Fatalf("count %d: %d are left, %v", i, left, err)
		}
	}
	if _, err := allow(); linnet.KindOf(err) != linnet.Unavailable {
		t.Errorf("the fifteenth gives %v", err)
	}
	e.Away(false)
	if left, err := allow(); err != nil || left != 300-16 {
		t.Errorf("then %d are left, %v", left, err)
	}
}

// TestManyWhoAreLimited checks that counts beyond the limit of the memory are stored in the engine.
func TestManyWhoAreLimited(t *testing.T) {
	servers, e := rateServers(t, 1)
	const room, callers = 64 * 1024, 80_000
	for i := range callers {
		if _, _, err := servers[0].Core.Allow(t.Context(), "api", fmt.Sprint("address ", i), 300, rateWindow); err != nil {
			t.Fatal(err)
		}
	}
	if n := e.Stats().Counts; n < callers-room {
		t.Errorf("%d of %d were counted in the engine, at least %d have to be", n, callers, callers-room)
	}
}

// BenchmarkAllow counts one request. Each request counts twice.
func BenchmarkAllow(b *testing.B) {
	servers, _ := rateServers(b, 1)
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := servers[0].Core.Allow(b.Context(), "api", "somebody", 1<<40, rateWindow); err != nil {
			b.Fatal(err)
		}
	}
}

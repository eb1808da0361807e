package rediskv_test

import (
	"log/slog"
	"testing"
	"time"

	"linnet/internal/kv"
	"linnet/internal/kv/kvtest"
	"linnet/internal/kv/rediskv"
	"linnet/internal/kv/redistest"
)

func open(t testing.TB, url string, opts rediskv.Options) *rediskv.Engine {
	t.Helper()
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.DiscardHandler)
	}
	e, err := rediskv.Open(t.Context(), url, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

// patient has long timeouts for engines whose servers work, because the delays of a busy machine
// are not tested.
var patient = rediskv.Options{Timeout: time.Minute, DialTimeout: time.Minute}

func TestSuiteSingle(t *testing.T) {
	s := redistest.Start(t)
	kvtest.Run(t, func(t *testing.T) kv.Engine {
		s.Do("FLUSHALL")
		return open(t, s.URL(), patient)
	}, kvtest.Caps{FeedsMayPersist: true})
}

func TestSuiteCluster(t *testing.T) {
	t.Parallel()
	n := redistest.Cluster(t, 3, 0)
	kvtest.Run(t, func(t *testing.T) kv.Engine {
		for _, s := range n.Masters {
			s.Do("FLUSHALL")
		}
		return open(t, n.URL(), patient)
	}, kvtest.Caps{FeedsMayPersist: true})
}

func TestFeedsAreForgottenUnread(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	const life = 3 * time.Second
	kvtest.FeedLife(t, func(t *testing.T) kv.Engine {
		return open(t, s.URL(), rediskv.Options{FeedTTL: life, Timeout: time.Minute, DialTimeout: time.Minute})
	}, kvtest.Caps{}, life)
}

// TestRenewalsAreFew checks that reads renew a feed only once in a thirtieth of its life.
func TestRenewalsAreFew(t *testing.T) {
	s := redistest.Start(t)
	e := open(t, s.URL(), rediskv.Options{FeedTTL: 30 * 24 * time.Hour, Timeout: time.Minute, DialTimeout: time.Minute})
	k := key("home", 3, "a")
	warm(t, e, k, 10, someID)
	s.Do("CONFIG", "RESETSTAT")
	for range 50 {
		if err := e.Read(t.Context(), &kv.Feed{Key: k, Limit: 60}); err != nil {
			t.Fatal(err)
		}
	}
	calls := commands(t, s)
	if calls["pexpire"] != 1 || calls["lrange"] != 50 {
		t.Errorf("commands %v", calls)
	}
}

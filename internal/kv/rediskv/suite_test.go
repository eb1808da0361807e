package rediskv_test

import (
	"log/slog"
	"testing"

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

func TestSuiteSingle(t *testing.T) {
	s := redistest.Start(t)
	kvtest.Run(t, func(t *testing.T) kv.Engine {
		s.Do("FLUSHALL")
		return open(t, s.URL(), rediskv.Options{})
	}, kvtest.Caps{FeedsMayPersist: true})
}

func TestSuiteCluster(t *testing.T) {
	n := redistest.Cluster(t, 3, 0)
	kvtest.Run(t, func(t *testing.T) kv.Engine {
		for _, s := range n.Masters {
			s.Do("FLUSHALL")
		}
		return open(t, n.URL(), rediskv.Options{})
	}, kvtest.Caps{FeedsMayPersist: true})
}

package rediskv_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"linnet/internal/kv"
	"linnet/internal/kv/redistest"
)

var copiedKinds = map[string]kv.Shape{"c": kv.CounterShape}

// countUp counts in one shard and, after the acknowledgement, in another, until ctx ends.
func countUp(ctx context.Context, t *testing.T, e kv.Engine, rest time.Duration) {
	for ctx.Err() == nil {
		for _, shard := range []uint16{1, 900} {
			if _, err := e.Txn(t.Context(), nil, kv.Incr{Key: key("c", shard, "n"), Name: "n", By: 1}); err != nil {
				t.Error(err)
				return
			}
		}
		time.Sleep(rest)
	}
}

// countOf returns the count of a shard in a copy.
func countOf(t *testing.T, c kv.Copy, shard uint16) (n int64) {
	t.Helper()
	if err := c.Shard(t.Context(), shard, func(x *kv.Entry) error { n = x.Number; return nil }); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestCopyWithoutPause checks that a copy is of one moment even if CLIENT PAUSE is forbidden or
// unknown, on a single Redis and on a Cluster.
func TestCopyWithoutPause(t *testing.T) {
	t.Parallel()
	single, cluster := redistest.Start(t), redistest.Cluster(t, 3, 0)
	for _, s := range append(cluster.Masters, single) {
		s.Do("ACL", "SETUSER", "default", "-client|pause", "-client|unpause")
	}
	for name, url := range map[string]string{"single": single.URL(), "cluster": cluster.URL()} {
		t.Run(name, func(t *testing.T) {
			e := open(t, url, patient)
			ctx, stop := context.WithCancel(t.Context())
			var writing sync.WaitGroup
			writing.Go(func() { countUp(ctx, t, e, 10*time.Millisecond) })
			for range 5 {
				before := &kv.Counters{Key: key("c", 900, "n"), Names: []string{"n"}}
				if err := e.Read(t.Context(), before); err != nil {
					t.Fatal(err)
				}
				c, err := e.Copy(t.Context(), kv.CopyOptions{Kinds: copiedKinds, Dir: t.TempDir()})
				if err != nil {
					t.Fatal(err)
				}
				first, second := countOf(t, c, 1), countOf(t, c, 900)
				if c.Close(); first < second || first > second+1 || second < before.Values[0] {
					t.Errorf("the copy has %d in the first shard and %d in the second, where %d were before", first, second, before.Values[0])
				}
			}
			stop()
			writing.Wait()
		})
	}
}

// TestCopyWithoutPauseUnderWrites checks that a copy during continuous writes is of one moment, or
// fails with an error that contains the missing right.
func TestCopyWithoutPauseUnderWrites(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	s.Do("ACL", "SETUSER", "default", "-client|pause", "-client|unpause")
	e := open(t, s.URL(), patient)
	ctx, stop := context.WithCancel(t.Context())
	var writing sync.WaitGroup
	const writers = 8
	for range writers {
		writing.Go(func() { countUp(ctx, t, e, 0) })
	}
	c, err := e.Copy(t.Context(), kv.CopyOptions{Kinds: copiedKinds, Dir: t.TempDir()})
	stop()
	writing.Wait()
	if err == nil {
		defer c.Close()
		if first, second := countOf(t, c, 1), countOf(t, c, 900); first < second || first > second+writers {
			t.Errorf("the copy has %d in the first shard and %d in the second", first, second)
		}
		return
	}
	if !errors.Is(err, kv.ErrUnavailable) || !strings.Contains(err.Error(), "+client|pause") {
		t.Errorf("got %v", err)
	}
}

package rediskv

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"linnet/internal/kv"
	"linnet/internal/kv/redistest"
)

// ear collects the reports of a tracker.
type ear struct {
	mu    sync.Mutex
	keys  map[kv.Key]int
	alive bool
	lost  int
}

func (e *ear) hear(keys []kv.Key, alive bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !alive {
		e.lost++
	}
	e.alive = alive
	for _, k := range keys {
		e.keys[k]++
	}
}

// waitFor waits a few seconds for an expected report.
func (e *ear) waitFor(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		e.mu.Lock()
		done := ok()
		e.mu.Unlock()
		if done {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%s: never (alive %v, lost %d, %d keys)", what, e.alive, e.lost, len(e.keys))
		}
	}
}

func track(t *testing.T, url string) (*Engine, *ear) {
	t.Helper()
	e, err := Open(t.Context(), url, Options{Prefix: "p:"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	heard := &ear{keys: map[kv.Key]int{}}
	if err := e.Track(t.Context(), []string{"user", "tally"}, heard.hear); err != nil {
		t.Fatal(err)
	}
	heard.waitFor(t, "tracking", func() bool { return heard.alive })
	return e, heard
}

// change makes each kind of change to keys of many shards, and expects reports of all. If the
// tracker has reported missed changes, for example after the machine stood still for a second, it
// repeats them.
func change(t *testing.T, e *Engine, heard *ear) {
	t.Helper()
	for try := uint64(1); ; try++ {
		heard.mu.Lock()
		lost := heard.lost
		heard.mu.Unlock()
		want, all := changed(t, e, try), false
		heard.waitFor(t, "changes of all shards", func() bool {
			all = !slices.ContainsFunc(want, func(k kv.Key) bool { return heard.keys[k] == 0 })
			return all || heard.lost != lost && try < 3 && heard.alive
		})
		if all {
			break
		}
	}
	heard.mu.Lock()
	defer heard.mu.Unlock()
	for k := range heard.keys {
		if k.Kind == "other" {
			t.Errorf("heard of %v, which is not tracked", k)
		}
	}
}

// changed makes the changes and returns the changed keys that are tracked.
func changed(t *testing.T, e *Engine, version uint64) (want []kv.Key) {
	t.Helper()
	for s := range uint16(64) {
		user, tally := kv.Key{Kind: "user", Shard: s * 16, ID: fmt.Sprint(s)}, kv.Key{Kind: "tally", Shard: s * 16, ID: fmt.Sprint(s)}
		if _, err := e.Txn(context.Background(), nil, kv.Put{Key: user, Data: []byte("x"), Version: version},
			kv.Incr{Key: tally, Name: "n", By: 1}, kv.Put{Key: kv.Key{Kind: "other", Shard: s * 16}, Data: []byte("x"), Version: version}); err != nil {
			t.Fatal(err)
		}
		want = append(want, user, tally)
	}
	return want
}

func TestTrackSingle(t *testing.T) {
	e, heard := track(t, redistest.Single(t))
	change(t, e, heard)
}

func TestTrackCluster(t *testing.T) {
	e, heard := track(t, redistest.Cluster(t, 3, 0).URL())
	change(t, e, heard)
}

// TestTrackSurvivesRestart restarts a server. The tracker reports missed changes and continues.
func TestTrackSurvivesRestart(t *testing.T) {
	s := redistest.Start(t)
	e, heard := track(t, s.URL())
	s.Kill()
	heard.waitFor(t, "the loss", func() bool { return !heard.alive && heard.lost > 0 })
	s.Begin()
	heard.waitFor(t, "tracking again", func() bool { return heard.alive })
	change(t, e, heard)
}

// TestTrackNoticesSilence checks that a frozen server is noticed although its connection stays
// open.
func TestTrackNoticesSilence(t *testing.T) {
	s := redistest.Start(t)
	_, heard := track(t, s.URL())
	s.Stop()
	defer s.Continue()
	heard.waitFor(t, "the loss", func() bool { return !heard.alive })
}

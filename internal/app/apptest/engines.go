package apptest

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"linnet/internal/admin"
	"linnet/internal/app"
	"linnet/internal/discovery"
	"linnet/internal/kv"
	"linnet/internal/kv/diskkv"
	"linnet/internal/kv/faultkv"
	"linnet/internal/kv/memkv"
	"linnet/internal/kv/rediskv"
	"linnet/internal/kv/redistest"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/task"
)

// Quiet returns a logger that discards everything.
func Quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

// EachEngine runs a test over every engine, but only in memory with -short or the race detector:
// engines have their own tests of concurrent calls.
func EachEngine(t *testing.T, f func(t *testing.T, e kv.Engine)) {
	t.Run("memory", func(t *testing.T) { f(t, memkv.New(memkv.Options{})) })
	if testing.Short() || Race {
		return
	}
	t.Run("disk", func(t *testing.T) { f(t, OpenDisk(t)) })
	t.Run("redis", func(t *testing.T) { f(t, OpenRedis(t, redistest.Single(t), "")) })
}

// OnEngines runs a test with an app over the engines of EachEngine.
func OnEngines(t *testing.T, f func(w *World)) {
	EachEngine(t, func(t *testing.T, e kv.Engine) { f(New(t, e)) })
}

// OnCluster runs tests on a Cluster of three masters, where the two sides of most relations are on
// different servers.
func OnCluster(t *testing.T, tests map[string]func(w *World)) {
	SkipShort(t)
	nodes := redistest.Cluster(t, 3, 0)
	worlds := 0
	for name, f := range tests {
		worlds++
		t.Run(name, func(t *testing.T) { f(New(t, OpenRedis(t, nodes.URL(), fmt.Sprintf("t%d.", worlds)))) })
	}
}

// SkipShort skips a test in the quick run.
func SkipShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("only in memory when short")
	}
}

// OpenDisk opens an embedded store that does not wait for the disk. The tests of the engine cover
// durability.
func OpenDisk(t testing.TB) kv.Engine {
	t.Helper()
	e, err := diskkv.Open(t.TempDir(), diskkv.Options{Sync: diskkv.SyncInterval, Reserve: -1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

// OpenRedis opens a store on a Redis server, whose keys have a prefix. It tolerates a busy machine.
func OpenRedis(t testing.TB, url, prefix string) kv.Engine {
	t.Helper()
	return OpenRedisWith(t, url, rediskv.Options{Prefix: prefix})
}

// OpenRedisWith is OpenRedis with other options.
func OpenRedisWith(t testing.TB, url string, opt rediskv.Options) kv.Engine {
	t.Helper()
	opt.Logger = Quiet()
	opt.Timeout, opt.DialTimeout = time.Minute, time.Minute // tolerates a busy machine
	e, err := rediskv.Open(context.Background(), url, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

// Faulty returns a world whose engine can fail writes. It does not run tasks, which stay until
// serve is called.
func Faulty(t *testing.T) (*World, *faultkv.Engine) {
	t.Helper()
	e := faultkv.New(memkv.New(memkv.Options{}))
	return Idle(t, e, store.Options{}), e
}

// Idle returns an app that runs no tasks beyond the first batch within an action.
func Idle(t *testing.T, e kv.Engine, opt store.Options) *World {
	t.Helper()
	st := store.New(e, opt)
	if opt.Now == nil {
		follows(t, e, st)
	}
	s, err := app.New(st, app.Options{Derive: Derive, PublicURL: "https://linnet.test", Log: Quiet(), Exclusive: true, Files: Files(t)})
	if err != nil {
		t.Fatal(err)
	}
	return &World{T: t, App: s, Ctx: t.Context(), Store: st}
}

// lastOver contains the last store that idleWorld has opened over each engine.
var lastOver sync.Map // *store.Store by kv.Engine

// follows waits until the clock is past all ids of the previous store of an engine. Ids can be
// ahead of the clock, and a test restarts faster than any server.
func follows(t *testing.T, e kv.Engine, st *store.Store) {
	former, second := lastOver.Swap(e, st)
	if !second {
		t.Cleanup(func() { lastOver.Delete(e) })
		return
	}
	for last := former.(*store.Store).NewID(0, 0); st.Now().UnixMilli() <= last.Millis(); {
		time.Sleep(time.UnixMilli(last.Millis() + 1).Sub(st.Now()))
	}
}

// Serve runs all tasks of an engine to their end, ignoring leases, like a restart. It returns the
// new world.
func Serve(t *testing.T, e kv.Engine, opt store.Options) *World {
	t.Helper()
	w := Idle(t, e, opt)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); w.App.Run(ctx) }()
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		waiting, err := task.List(ctx, e, false, 1)
		if err != nil {
			t.Fatal(err)
		}
		if len(waiting) == 0 && w.Idle() {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("tasks do not end: %+v", waiting)
		}
	}
	stop()
	<-done
	dead, err := task.List(context.Background(), e, true, 10)
	if err != nil || len(dead) > 0 {
		t.Fatalf("tasks were set aside: %+v %v", dead, err)
	}
	return w
}

// Person creates a user without a password, which is faster than a sign-up.
func (w *World) Person(login string) linnet.ID {
	w.Helper()
	u, _, err := w.Store.Accounts.CreateUser(w.Ctx, store.RandomShard(), linnet.User{Login: login, Discoverable: true}, record.Secret{},
		func(id linnet.ID) (task.Task, error) {
			return task.New(id.Shard(), "settle-user", map[string]linnet.ID{"user": id}, w.Store.Now())
		})
	if err == nil {
		err = w.Store.Accounts.FinishSignUp(w.Ctx, u.ID)
	}
	if err != nil {
		w.Fatalf("make %s: %v", login, err)
	}
	return u.ID
}

// People creates n users.
func (w *World) People(n int) []linnet.ID {
	w.Helper()
	ids := make([]linnet.ID, n)
	for i := range ids {
		ids[i] = w.Person(fmt.Sprintf("user%d", i))
	}
	return ids
}

// Must returns a function that fails the test on an error and returns the value.
func Must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// IDs returns the ids of statuses.
func IDs(vs []linnet.StatusView) []linnet.ID {
	out := make([]linnet.ID, len(vs))
	for i, v := range vs {
		out[i] = v.ID
	}
	return out
}

// WantKind reports an error that is nil or not of the kind.
func WantKind(t testing.TB, err error, want linnet.Kind) {
	t.Helper()
	if err == nil || linnet.KindOf(err) != want {
		t.Errorf("error %v is of kind %v, want %v", err, linnet.KindOf(err), want)
	}
}

// Equal compares two lists and shows the first difference.
func Equal[T comparable](t testing.TB, what string, got, want []T) {
	t.Helper()
	if slices.Equal(got, want) {
		return
	}
	i := 0
	for i < len(got) && i < len(want) && got[i] == want[i] {
		i++
	}
	t.Errorf("%s: %d instead of %d, different from entry %d on\n got %v\nwant %v", what, len(got), len(want), i,
		got[max(i-2, 0):min(i+5, len(got))], want[max(i-2, 0):min(i+5, len(want))])
}

// Check reads the whole store and reports violated invariants. It waits for tasks first, because a
// task that ran twice can have left the queue before its second run has corrected its writes.
func (w *World) Check() {
	w.Helper()
	if w.works {
		w.Drain()
	}
	r, err := admin.Check(w.Ctx, w.App, admin.CheckOptions{Pause: time.Millisecond})
	if err != nil {
		w.Fatal(err)
	}
	for _, f := range r.Findings {
		w.Errorf("%s %s %s: %s", f.Severity, f.Rule, f.Key, f.Text)
	}
}

// SearchFor returns a search for a text, without other conditions.
func SearchFor(text string) discovery.SearchQuery { return discovery.SearchQuery{Text: text} }

// Sorted sorts a slice in place and returns it.
func Sorted(s []string) []string {
	slices.Sort(s)
	return s
}

package store_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"linnet/internal/kv"
	"linnet/internal/kv/faultkv"
	"linnet/internal/kv/memkv"
	"linnet/internal/kv/rediskv"
	"linnet/internal/kv/redistest"
	"linnet/internal/linnet"
	"linnet/internal/store"
	"linnet/internal/task"
)

func newUser(t *testing.T, s *store.Store, login string) linnet.ID {
	t.Helper()
	u, _, err := s.CreateUser(t.Context(), 5, linnet.User{Login: login}, store.Secret{}, func(id linnet.ID) (task.Task, error) {
		return task.New(id.Shard(), "settle", id, s.Now())
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.SettleUser(t.Context(), u.ID); err != nil {
		t.Fatal(err)
	}
	return u.ID
}

func rename(t *testing.T, s *store.Store, id linnet.ID, name string) {
	t.Helper()
	_, _, ok, err := s.UpdateUser(t.Context(), id, func(u *linnet.User) error { u.Name = name; return nil }, func([]string) (task.Task, error) {
		return task.New(id.Shard(), "index-user", map[string]linnet.ID{"user": id}, s.Now())
	})
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
}

func nameOf(t *testing.T, s *store.Store, id linnet.ID) string {
	t.Helper()
	b := s.Batch()
	ref := b.User(id)
	if err := b.Run(context.Background()); err != nil || ref.User == nil {
		t.Fatal(ref.User, err)
	}
	return ref.User.Name
}

// What was read is kept, and is seen anew at once after a write.
func TestCacheKeepsUntilWritten(t *testing.T) {
	e := faultkv.New(memkv.New(memkv.Options{}))
	s := store.New(e, store.Options{})
	id := newUser(t, s, "ann")
	for _, name := range []string{"Ann", "Anna"} {
		rename(t, s, id, name)
		e.Reset()
		for range 3 {
			if got := nameOf(t, s, id); got != name {
				t.Fatalf("name %q, want %q", got, name)
			}
		}
		if n := e.Stats().Reads; n != 1 {
			t.Errorf("three looks took %d reads, want 1", n)
		}
	}
}

// Without a tracker a shared store keeps nothing.
func TestSharedWithoutTrackerKeepsNothing(t *testing.T) {
	mem := memkv.New(memkv.Options{})
	a, b := store.New(mem, store.Options{Shared: true}), store.New(mem, store.Options{Shared: true})
	if err := a.Follow(t.Context()); err != nil {
		t.Fatal(err)
	}
	id := newUser(t, b, "ann")
	nameOf(t, a, id)
	rename(t, b, id, "Ann")
	if got := nameOf(t, a, id); got != "Ann" {
		t.Errorf("the other store sees %q", got)
	}
}

// Readers fill the cache while a writer changes what they read: the writer's own
// look after each write must see it, whatever they have put there.
func TestCacheFillsRaceWithWrites(t *testing.T) {
	s := store.New(memkv.New(memkv.Options{}), store.Options{})
	id, other := newUser(t, s, "ann"), newUser(t, s, "bob")
	var wg sync.WaitGroup
	stop := make(chan struct{})
	for range 4 { // they fill what the writer throws out
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					following(t, s, id, other, true)
				}
			}
		})
	}
	for i := range 3000 {
		if _, err := s.SetEdge(t.Context(), store.EdgeChange{Kind: store.Follows(), Owner: id, Other: other, Live: i%2 == 0}); err != nil {
			t.Fatal(err)
		}
		if got := i%2 == 0; !following(t, s, id, other, got) {
			t.Fatalf("step %d: the writer itself sees %v", i, !got)
		}
	}
	close(stop)
	wg.Wait()
}

func following(t *testing.T, s *store.Store, id, other linnet.ID, want bool) bool {
	b := s.Batch()
	r := b.Reader(id)
	r.AskPerson(other)
	if err := b.Run(context.Background()); err != nil {
		t.Error(err)
	}
	return r.Person(other).Follows() == want
}

// A reader's exclusive lists are kept, and seen anew after each change of them.
func TestCacheKeepsExclusiveLists(t *testing.T) {
	e := faultkv.New(memkv.New(memkv.Options{}))
	s := store.New(e, store.Options{})
	id := newUser(t, s, "ann")
	lists := func() int {
		b := s.Batch()
		r := b.Reader(id)
		r.AskExclusive()
		if err := b.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		return len(r.Exclusive())
	}
	l := linnet.List{Owner: id, Title: "Family", Exclusive: true}
	for want, change := range []func(){
		func() {},
		func() {
			if err := s.CreateList(t.Context(), &l); err != nil {
				t.Fatal(err)
			}
		},
	} {
		lists()
		change()
		e.Reset()
		for range 3 {
			if got := lists(); got != want {
				t.Fatalf("%d exclusive lists, want %d", got, want)
			}
		}
		if n := e.Stats().Reads; n > 1 {
			t.Errorf("three looks took %d reads", n)
		}
	}
}

// Two servers on one Redis: what one writes, the other sees soon although it
// keeps what it reads.
func TestServersHearOfEachOther(t *testing.T) {
	url := redistest.Single(t)
	var servers [2]*store.Store
	var engines [2]*faultkv.Engine
	for i := range servers {
		e, err := rediskv.Open(t.Context(), url, rediskv.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { e.Close() })
		engines[i] = faultkv.New(e)
		servers[i] = store.New(tracking{engines[i], e}, store.Options{Shared: true})
		if err := servers[i].Follow(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	id := newUser(t, servers[0], "ann")
	for _, name := range []string{"Ann", "Anna", "Annabel"} {
		rename(t, servers[0], id, name)
		for end := time.Now().Add(5 * time.Second); nameOf(t, servers[1], id) != name; time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("the other server never sees %q", name)
			}
		}
	}
	time.Sleep(50 * time.Millisecond) // what is under way arrives
	nameOf(t, servers[1], id)
	engines[1].Reset()
	nameOf(t, servers[1], id)
	if n := engines[1].Stats().Reads; n != 0 {
		t.Errorf("a look at what is kept took %d reads", n)
	}
}

// tracking is an engine whose reads are counted and whose tracker is Redis's.
type tracking struct {
	*faultkv.Engine
	redis *rediskv.Engine
}

func (e tracking) Track(ctx context.Context, kinds []string, f func([]kv.Key, bool)) error {
	return e.redis.Track(ctx, kinds, f)
}

package store_test

import (
	"context"
	"crypto/rand"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"linnet/internal/kv"
	"linnet/internal/kv/faultkv"
	"linnet/internal/kv/memkv"
	"linnet/internal/kv/rediskv"
	"linnet/internal/kv/redistest"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/store/db"
	"linnet/internal/store/relations"
	"linnet/internal/store/statuses"
	"linnet/internal/task"
)

func newUser(t *testing.T, s *store.Store, login string) linnet.ID {
	t.Helper()
	u, _, err := s.Accounts.CreateUser(t.Context(), 5, linnet.User{Login: login}, record.Secret{}, func(id linnet.ID) (task.Task, error) {
		return task.New(id.Shard(), "settle", id, s.Now())
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Accounts.FinishSignUp(t.Context(), u.ID); err != nil {
		t.Fatal(err)
	}
	return u.ID
}

func rename(t *testing.T, s *store.Store, id linnet.ID, name string) {
	t.Helper()
	_, _, ok, err := s.Accounts.UpdateUser(t.Context(), id, func(u *linnet.User) error { u.Name = name; return nil }, func([]string) (task.Task, error) {
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

// TestCacheKeepsUntilWritten checks that reads are cached and refreshed immediately after a write.
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

// TestSharedWithoutTrackerKeepsNothing checks that a shared store without a tracker does not cache.
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

// TestCacheFillsRaceWithWrites checks that a writer reads its own writes while readers fill the
// cache.
func TestCacheFillsRaceWithWrites(t *testing.T) {
	s := store.New(memkv.New(memkv.Options{}), store.Options{})
	id, other := newUser(t, s, "ann"), newUser(t, s, "bob")
	var wg sync.WaitGroup
	stop := make(chan struct{})
	for range 4 { // readers that fill the entries evicted by the writer
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
		if _, err := s.Relations.SetRelation(t.Context(), relations.RelationChange{Kind: record.Follows(), Owner: id, Other: other, Live: i%2 == 0}); err != nil {
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

// TestCacheKeepsExclusiveLists checks that a reader's exclusive lists are cached and refreshed
// after each change.
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
			if err := s.Relations.CreateList(t.Context(), &l); err != nil {
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

// TestServersHearOfEachOther checks that caching servers on one Redis soon read each other's
// writes.
func TestServersHearOfEachOther(t *testing.T) {
	url := redistest.Single(t)
	var servers [2]*store.Store
	var engines [2]*faultkv.Engine
	for i := range servers {
		e, err := rediskv.Open(t.Context(), url, rediskv.Options{Timeout: time.Minute})
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
		for end := time.Now().Add(time.Minute); nameOf(t, servers[1], id) != name; time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("the other server never sees %q", name)
			}
		}
	}
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) { // until all events have arrived
		engines[1].Reset()
		nameOf(t, servers[1], id)
		if engines[1].Stats().Reads == 0 {
			break
		}
		if time.Now().After(end) {
			t.Fatal("nothing is kept")
		}
	}
}

// tracking is an engine that counts reads, with the tracker of Redis.
type tracking struct {
	*faultkv.Engine
	redis *rediskv.Engine
}

func (e tracking) Track(ctx context.Context, kinds []string, f func([]kv.Key, bool)) error {
	return e.redis.Track(ctx, kinds, f)
}

// posted writes a status without delivering it.
func posted(t *testing.T, s *store.Store, st linnet.Status) *linnet.Status {
	t.Helper()
	st.Nonce = rand.Text()
	if _, err := s.Statuses.CreateStatus(t.Context(), statuses.NewStatus{Status: &st, Task: func(id linnet.ID) (task.Task, error) {
		return task.New(id.Shard(), "publish", map[string]linnet.ID{"status": id}, s.Now())
	}}); err != nil {
		t.Fatal(err)
	}
	return &st
}

// asked reads a user and a status, and returns the number of queries.
func asked(t *testing.T, e *faultkv.Engine, s *store.Store, user, status linnet.ID) (*db.UserRef, *db.StatusRef, int) {
	t.Helper()
	e.Reset()
	b := s.Batch()
	u, st := b.User(user), b.Status(status)
	if err := b.Run(t.Context()); err != nil || u.User == nil || st.Status == nil {
		t.Fatal(u.User, st.Status, err)
	}
	return u, st, e.Stats().Queries
}

// TestCacheReadsNoMoreThanHasChanged checks that a change of counts causes a read of the counts
// only. A new status is not read at all, and equals the stored one.
func TestCacheReadsNoMoreThanHasChanged(t *testing.T) {
	e := faultkv.New(memkv.New(memkv.Options{}))
	var looks atomic.Int64 // each status gets its own millisecond, because a second one in the same would be drawn again
	start := time.Now()
	s := store.New(e, store.Options{Now: func() time.Time { return start.Add(time.Duration(looks.Add(1)) * time.Millisecond) }})
	ann := newUser(t, s, "ann")
	first := posted(t, s, linnet.Status{Author: ann, Text: "hello @bob", Version: 1, Tags: []string{"x"}, Mentions: []linnet.Mention{{ID: 77, Login: "bob"}}})
	_, kept, n := asked(t, e, s, ann, first.ID)
	if n != 3 { // the user, the counts and the newest statuses
		t.Errorf("%d queries for a status that was just written, want none, and a new user, want 3", n)
	}
	_, read, _ := asked(t, e, store.New(e, store.Options{}), ann, first.ID)
	if !reflect.DeepEqual(kept.Status, read.Status) {
		t.Errorf("kept is\n%+v\nand written\n%+v", kept.Status, read.Status)
	}
	reply := posted(t, s, linnet.Status{Author: ann, Text: "and", InReplyTo: first.ID, InReplyAuthor: ann, Conversation: first.ID, Version: 1})
	if err := s.Statuses.AddReply(t.Context(), reply); err != nil {
		t.Fatal(err)
	}
	u, st, n := asked(t, e, s, ann, first.ID)
	if n != 1 || u.Statuses != 2 || st.Replies != 1 || u.User.Login != "ann" || st.Status.Text != first.Text {
		t.Errorf("%d queries, want that of the tally; %d statuses of %q, %d replies to %q", n, u.Statuses, u.User.Login, st.Replies, st.Status.Text)
	}
	rename(t, s, ann, "Ann")
	posted(t, s, linnet.Status{Author: ann, Text: "third", Version: 1})
	if u, _, _ := asked(t, e, s, ann, first.ID); u.User.Name != "Ann" || u.Statuses != 3 {
		t.Errorf("%d statuses of %q after both have changed", u.Statuses, u.User.Name)
	}
	if gone, err := s.Statuses.DeleteStatus(t.Context(), first, nil, false, must(task.New(ann.Shard(), "erase", nil, s.Now()))(t)); !gone || err != nil {
		t.Fatal(gone, err)
	}
	b := s.Batch()
	ref := b.Status(first.ID)
	if err := b.Run(t.Context()); err != nil || ref.Status != nil {
		t.Errorf("a deleted status is still there: %v, %v", ref.Status, err)
	}
}

func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// heard is an engine on which another server acts during a transaction. It reports that server's
// change before it returns.
type heard struct {
	*memkv.Engine
	tell func([]kv.Key, bool)
	act  func(changes []kv.Op) kv.Op // makes the other server's change, once
}

func (h *heard) Track(_ context.Context, _ []string, tell func([]kv.Key, bool)) error {
	h.tell = tell
	tell(nil, true)
	return nil
}

func (h *heard) Txn(ctx context.Context, conds []kv.Cond, changes ...kv.Op) (int, error) {
	failed, err := h.Engine.Txn(ctx, conds, changes...)
	if act := h.act; act != nil {
		h.act = nil
		h.tell([]kv.Key{kv.KeyOfOp(act(changes))}, true)
	}
	return failed, err
}

// TestCacheKeepsNoStatusThatIsOvertaken checks that a status deleted by another server during its
// creation is not cached.
func TestCacheKeepsNoStatusThatIsOvertaken(t *testing.T) {
	e := &heard{Engine: memkv.New(memkv.Options{})}
	s := store.New(e, store.Options{Shared: true})
	if err := s.Follow(t.Context()); err != nil {
		t.Fatal(err)
	}
	ann := newUser(t, s, "ann")
	e.act = func(changes []kv.Op) kv.Op {
		gone := kv.Delete{Key: kv.KeyOfOp(changes[0])} // the record of the status
		if err := e.Engine.Apply(t.Context(), gone); err != nil {
			t.Error(err)
		}
		return gone
	}
	st := posted(t, s, linnet.Status{Author: ann, Text: "gone at once", Version: 1})
	if e.act != nil {
		t.Fatal("nobody has acted")
	}
	b := s.Batch()
	ref := b.Status(st.ID)
	if err := b.Run(t.Context()); err != nil || ref.Status != nil {
		t.Errorf("it is still there: %v, %v", ref.Status, err)
	}
}

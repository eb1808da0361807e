package store_test

import (
	"sync"
	"testing"
	"time"

	"linnet/internal/kv/faultkv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/store/db"
	"linnet/internal/store/relations"
	"linnet/internal/task"
)

// newest asks for a user's newest status, and returns how many queries it took.
func newest(t *testing.T, e *faultkv.Engine, s *store.Store, user linnet.ID) (linnet.ID, int) {
	t.Helper()
	e.Reset()
	b := s.Batch()
	id := b.Newest(user)
	if err := b.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return *id, e.Stats().Queries
}

// counts reads a user's counts.
func counts(t *testing.T, s *store.Store, user linnet.ID) db.UserRef {
	t.Helper()
	b := s.Batch()
	ref := b.User(user)
	if err := b.Run(t.Context()); err != nil || ref.User == nil {
		t.Fatal(ref.User, err)
	}
	return *ref
}

// Whoever posts is kept with what the post has changed, whatever its visibility, and
// asked for again when somebody else has changed something.
func TestAuthorIsKeptThroughPosts(t *testing.T) {
	mem := memkv.New(memkv.Options{})
	e := faultkv.New(mem)
	s := store.New(e, store.Options{})
	ann, bob := newUser(t, s, "ann"), newUser(t, s, "bob")
	if id, n := newest(t, e, s, ann); id != 0 || n != 1 {
		t.Errorf("before the first status the newest is %v, after %d queries; want none, after one", id, n)
	}
	asked := 0
	counts(t, s, ann)
	for i := range 40 {
		st := posted(t, s, linnet.Status{Author: ann, Text: "words", Visibility: linnet.Visibility(i % 4), Version: 1})
		id, n := newest(t, e, s, ann)
		if asked += n; id != st.ID {
			t.Errorf("status %d: the newest is %v, want %v", i, id, st.ID)
		}
		e.Reset()
		kept, fresh := counts(t, s, ann), counts(t, store.New(mem, store.Options{}), ann)
		if asked += e.Stats().Queries; kept.Statuses != fresh.Statuses {
			t.Errorf("status %d: %d are counted, want %d", i, kept.Statuses, fresh.Statuses)
		}
	}
	if asked > 4 { // a status may share its stripe of the cache with its author
		t.Errorf("%d queries after 40 statuses, want none but by chance", asked)
	}
	last := posted(t, s, linnet.Status{Author: bob, Text: "not hers", Version: 1})
	repost := posted(t, s, linnet.Status{Author: ann, RepostOf: last.ID, RepostAuthor: bob, Version: 1})
	if id, _ := newest(t, e, s, ann); id != repost.ID {
		t.Errorf("after a repost the newest is %v, want %v", id, repost.ID)
	}
	if kept, fresh := counts(t, s, ann), counts(t, store.New(mem, store.Options{}), ann); kept.Statuses != fresh.Statuses {
		t.Errorf("after a repost %d are counted, want %d", kept.Statuses, fresh.Statuses)
	}
}

// Many may post for one author at once, while others change the counts.
func TestAuthorIsKeptInARace(t *testing.T) {
	e := memkv.New(memkv.Options{})
	s := store.New(e, store.Options{})
	ann, bob := newUser(t, s, "ann"), newUser(t, s, "bob")
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 50 {
				posted(t, s, linnet.Status{Author: ann, Text: "words", Version: 1})
				counts(t, s, ann)
			}
		})
	}
	all.Go(func() {
		for i := range 50 {
			if _, err := s.Relations.SetEdge(t.Context(), relations.EdgeChange{Kind: record.Follows(), Owner: ann, Other: bob, Live: i%2 == 0}); err != nil {
				t.Error(err)
			}
		}
	})
	all.Wait()
	kept, fresh := counts(t, s, ann), counts(t, store.New(e, store.Options{}), ann)
	if kept.Statuses != 200 || kept.Statuses != fresh.Statuses || kept.Following != fresh.Following {
		t.Errorf("%d statuses and %d followed are kept, want %d and %d", kept.Statuses, kept.Following, fresh.Statuses, fresh.Following)
	}
	b := s.Batch()
	id, posts := b.Newest(ann), b.Posts(ann, db.Span{Limit: 1})
	if err := b.Run(t.Context()); err != nil || *id > posts.Posts()[0].ID {
		t.Errorf("the newest is %v, want at most %v (%v)", *id, posts.Posts()[0].ID, err)
	}
}

// Where other servers write, the newest status is asked for each time.
func TestNewestAmongServers(t *testing.T) {
	e := faultkv.New(memkv.New(memkv.Options{}))
	later := func() time.Time { return time.Now().Add(time.Second) } // ids of one millisecond are in no order
	s, other := store.New(e, store.Options{Shared: true}), store.New(e, store.Options{Shared: true, Now: later})
	ann := newUser(t, s, "ann")
	counts(t, s, ann)
	posted(t, s, linnet.Status{Author: ann, Text: "here", Version: 1})
	there := posted(t, other, linnet.Status{Author: ann, Text: "there", Version: 1})
	if id, n := newest(t, e, s, ann); id != there.ID || n != 1 {
		t.Errorf("the newest is %v, after %d queries; want %v, after one", id, n, there.ID)
	}
}

// A watch of a status and its author ends with a change of either; where other
// servers write it never holds.
func TestWatchOf(t *testing.T) {
	e := memkv.New(memkv.Options{})
	s := store.New(e, store.Options{})
	ann := newUser(t, s, "ann")
	st := posted(t, s, linnet.Status{Author: ann, Text: "words", Version: 1})
	for _, c := range []struct {
		name   string
		change func()
		want   bool
	}{
		{"nothing", func() {}, true},
		{"the author", func() { rename(t, s, ann, "Ann") }, false},
		{"the author's counts", func() { posted(t, s, linnet.Status{Author: ann, Text: "more", Version: 1}) }, false},
		{"the status", func() {
			if gone, err := s.Statuses.DeleteStatus(t.Context(), st, nil, must(task.New(ann.Shard(), "erase", nil, s.Now()))(t)); !gone || err != nil {
				t.Fatal(gone, err)
			}
		}, false},
	} {
		w := s.WatchOf(st.ID)
		w.Note(ann)
		if c.change(); w.Valid() != c.want {
			t.Errorf("%s changed: the watch holds: %v", c.name, !c.want)
		}
	}
	if store.New(e, store.Options{Shared: true}).WatchOf(ann).Valid() {
		t.Error("a watch holds although others write too")
	}
}

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

// counts reads the counts of a user.
func counts(t *testing.T, s *store.Store, user linnet.ID) db.UserRef {
	t.Helper()
	b := s.Batch()
	ref := b.User(user)
	if err := b.Run(t.Context()); err != nil || ref.User == nil {
		t.Fatal(ref.User, err)
	}
	return *ref
}

// TestAuthorIsKeptThroughPosts checks that posts of any visibility update the cached author, and
// that the author is only read again after other changes.
func TestAuthorIsKeptThroughPosts(t *testing.T) {
	mem := memkv.New(memkv.Options{})
	e := faultkv.New(mem)
	s := store.New(e, store.Options{})
	ann, bob := newUser(t, s, "ann"), newUser(t, s, "bob")
	asked, last := 0, linnet.ID(0)
	counts(t, s, ann)
	for i := range 40 {
		e.Reset()
		st := posted(t, s, linnet.Status{Author: ann, Text: "words", Visibility: linnet.Visibility(i % 4), Version: 1})
		if asked += e.Stats().Queries; st.ID <= last {
			t.Errorf("status %d: %v was posted after %v", i, st.ID, last)
		}
		last = st.ID
		e.Reset()
		kept, fresh := counts(t, s, ann), counts(t, store.New(mem, store.Options{}), ann)
		if asked += e.Stats().Queries; kept.Statuses != fresh.Statuses {
			t.Errorf("status %d: %d are counted, want %d", i, kept.Statuses, fresh.Statuses)
		}
	}
	if asked > 4 { // a status can share a stripe of the cache with its author
		t.Errorf("%d queries after 40 statuses, want none but by chance", asked)
	}
	other := posted(t, s, linnet.Status{Author: bob, Text: "not hers", Version: 1})
	if repost := posted(t, s, linnet.Status{Author: ann, RepostOf: other.ID, RepostAuthor: bob, Version: 1}); repost.ID <= last {
		t.Errorf("the repost %v was posted after %v", repost.ID, last)
	}
	if kept, fresh := counts(t, s, ann), counts(t, store.New(mem, store.Options{}), ann); kept.Statuses != fresh.Statuses {
		t.Errorf("after a repost %d are counted, want %d", kept.Statuses, fresh.Statuses)
	}
}

// TestAuthorIsKeptInARace checks concurrent posts of one author with other changes of the counts.
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
			if _, err := s.Relations.SetRelation(t.Context(), relations.RelationChange{Kind: record.Follows(), Owner: ann, Other: bob, Live: i%2 == 0}); err != nil {
				t.Error(err)
			}
		}
	})
	all.Wait()
	kept, fresh := counts(t, s, ann), counts(t, store.New(e, store.Options{}), ann)
	if kept.Statuses != 200 || kept.Statuses != fresh.Statuses || kept.Following != fresh.Following {
		t.Errorf("%d statuses and %d followed are kept, want %d and %d", kept.Statuses, kept.Following, fresh.Statuses, fresh.Following)
	}
}

// TestNewestAmongServers checks that a shared store's transaction detects a later post of the
// author, and only then reads it. The next id is greater even if the clock is behind.
func TestNewestAmongServers(t *testing.T) {
	e := faultkv.New(memkv.New(memkv.Options{}))
	now := time.Now()
	at := func(after time.Duration) store.Options {
		return store.Options{Shared: true, Now: func() time.Time { return now.Add(after) }}
	}
	s, ahead := store.New(e, at(0)), store.New(e, at(time.Second))
	ann, bob := newUser(t, s, "ann"), newUser(t, s, "bob")
	of := posted(t, s, linnet.Status{Author: bob, Text: "of bob", Version: 1})
	e.Reset()
	last := posted(t, s, linnet.Status{Author: ann, Text: "the first", Version: 1})
	if n := e.Stats().Queries; n != 0 {
		t.Errorf("%d queries of what nobody has overtaken, want none", n)
	}
	for _, c := range []struct {
		name string
		by   *store.Store
		st   linnet.Status
		late bool
	}{
		{"within the same moment", s, linnet.Status{Text: "words"}, true},
		{"ahead", ahead, linnet.Status{Text: "words"}, false},
		{"behind", s, linnet.Status{Text: "words"}, true},
		{"a direct message, behind", s, linnet.Status{Text: "words", Visibility: linnet.Direct}, true},
		{"a repost, behind", s, linnet.Status{RepostOf: of.ID, RepostAuthor: bob}, true},
	} {
		e.Reset()
		c.st.Author, c.st.Version = ann, 1
		st := posted(t, c.by, c.st)
		if st.ID <= last.ID {
			t.Errorf("%s: %v was posted after %v", c.name, st.ID, last.ID)
		}
		if asked := e.Stats().Queries > 0; c.st.RepostOf == 0 && asked != c.late {
			t.Errorf("%s: the newest status was read: %v, want %v", c.name, asked, c.late)
		}
		last = st
	}
}

// TestWatchOf checks that a watch of a status and its author ends with a change of either, and is
// never valid in a shared store.
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
			if gone, err := s.Statuses.DeleteStatus(t.Context(), st, nil, false, must(task.New(ann.Shard(), "erase", nil, s.Now()))(t)); !gone || err != nil {
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

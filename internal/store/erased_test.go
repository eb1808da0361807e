package store_test

import (
	"testing"

	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
	"linnet/internal/store/statuses"
	"linnet/internal/task"
)

// TestErasedIsBounded checks that about the latest thousand deleted statuses of an author are
// remembered, except for private and direct ones.
func TestErasedIsBounded(t *testing.T) {
	e := memkv.New(memkv.Options{})
	s := store.New(e, store.Options{})
	ann := newUser(t, s, "ann")
	noTask := func(linnet.ID) (task.Task, error) { return task.New(ann.Shard(), "none", nil, s.Now()) }
	known := func(id linnet.ID) bool {
		t.Helper()
		ok, err := s.Statuses.Erased(t.Context(), ann, id)
		if err != nil {
			t.Fatal(err)
		}
		return ok
	}
	gone := func(v linnet.Visibility, repostOf linnet.ID) linnet.ID {
		t.Helper()
		st := linnet.Status{Author: ann, Visibility: v, RepostOf: repostOf, RepostAuthor: ann, Nonce: "n", Version: 1}
		if _, err := s.Statuses.CreateStatus(t.Context(), statuses.NewStatus{Status: &st, Task: noTask}); err != nil {
			t.Fatal(err)
		}
		done, _ := noTask(0)
		if ok, err := s.Statuses.DeleteStatus(t.Context(), &st, nil, false, done); err != nil || !ok {
			t.Fatal(ok, err)
		}
		return st.ID
	}
	for _, v := range []linnet.Visibility{linnet.Private, linnet.Direct} {
		if known(gone(v, 0)) {
			t.Errorf("a %v status leaves something behind", v)
		}
	}
	if known(gone(linnet.Public, ann)) {
		t.Error("a repost leaves something behind")
	}
	first := gone(linnet.Public, 0)
	if !known(first) || known(first+64) {
		t.Error("a deleted status is not known, or one that never was is")
	}
	for range 2000 {
		gone(linnet.Unlisted, 0)
	}
	n, q := 0, &kv.Range{Key: kv.Key{Kind: "erased", Shard: ann.Shard(), ID: ann.String()}, Limit: kv.MaxRange}
	for more := true; more; {
		if err := e.Read(t.Context(), q); err != nil {
			t.Fatal(err)
		}
		if more = len(q.Members) == q.Limit; more {
			q.Above = &q.Members[q.Limit-1]
		}
		n += len(q.Members)
	}
	if n > 1600 || n < 1000 || known(first) {
		t.Errorf("%d are known", n)
	}
}

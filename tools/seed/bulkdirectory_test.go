package seed

import (
	"crypto/rand"
	"fmt"
	"slices"
	"testing"

	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
	"linnet/internal/store/statuses"
	"linnet/internal/task"
)

// TestDirectoryInBulk checks that the directory of too many users is the same in bulk as one after
// the other.
func TestDirectoryInBulk(t *testing.T) {
	const people = kv.MaxRange + 200 // of one slice
	users := make([]linnet.User, people)
	for i := range users {
		users[i] = linnet.User{Login: fmt.Sprint("user", i), Discoverable: i%7 != 0}
	}
	world := func() (*store.Store, []linnet.ID) {
		s := store.New(memkv.New(memkv.Options{}), store.Options{})
		us, born := slices.Clone(users), s.Now().AddDate(0, 0, -2).Truncate(1e9)
		if err := newBulk(s, quiet(4)).users(t.Context(), us, func(i, attempt int) linnet.ID {
			return linnet.MakeID(born, 5, 0) + linnet.ID(i+attempt*people)<<16
		}); err != nil {
			t.Fatal(err)
		}
		ids := make([]linnet.ID, people)
		for i, u := range us {
			ids[i] = u.ID
			if i%3 == 0 { // the others were never active
				posted(t, s, linnet.Status{Author: u.ID, Text: "words", Version: 1})
			}
		}
		return s, ids
	}
	s, ids := world()
	if err := newBulk(s, quiet(4)).directory(t.Context(), ids); err != nil {
		t.Fatal(err)
	}
	listed := func(order linnet.DirectoryOrder) []linnet.ID {
		t.Helper()
		got, err := s.Accounts.Directory(t.Context(), order, kv.MaxRange)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	active, signed := listed(linnet.DirectoryActive), listed(linnet.DirectoryNew)
	for _, part := range slices.Collect(slices.Chunk(ids, 100)) {
		if err := s.Accounts.IndexDirectory(t.Context(), part...); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		order linnet.DirectoryOrder
		got   []linnet.ID
	}{{linnet.DirectoryActive, active}, {linnet.DirectoryNew, signed}} {
		if want := listed(c.order); !slices.Equal(c.got, want) {
			t.Errorf("%s: %d people in bulk, %d one after the other, or not the same", c.order, len(c.got), len(want))
		}
		if len(c.got) < kv.MaxRange*9/10 {
			t.Errorf("%s: only %d people", c.order, len(c.got))
		}
	}
	if err := newBulk(s, quiet(4)).directory(t.Context(), nil); err != nil {
		t.Errorf("nobody: %v", err)
	}
}

// posted writes a status as its author does.
func posted(t *testing.T, s *store.Store, st linnet.Status) {
	t.Helper()
	st.Nonce = rand.Text()
	if _, err := s.Statuses.CreateStatus(t.Context(), statuses.NewStatus{Status: &st, Task: func(id linnet.ID) (task.Task, error) {
		return task.New(id.Shard(), "publish", map[string]linnet.ID{"status": id}, s.Now())
	}}); err != nil {
		t.Fatal(err)
	}
}

package app_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"linnet/internal/kv"
	"linnet/internal/kv/faultkv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// A crash after a new name was written, before it is in the index, leaves nobody
// who is not found: not by a client that tries again, for none does here.
func TestRenameSurvivesACrash(t *testing.T) {
	for _, when := range []faultkv.When{faultkv.Before, faultkv.After, faultkv.Half} {
		for n := 1; n <= 3; n++ {
			w, e := faultWorld(t)
			ann := w.person("ann")
			must(w.Social.UpdateProfile(w.ctx, ann, linnet.ProfileChange{Name: ptr("Old Name")}))(t)
			e.Reset()
			e.FailAt(n, when)
			_, err := w.Social.UpdateProfile(w.ctx, ann, linnet.ProfileChange{Name: ptr("Queen Mab")})
			e.Reset()
			fresh := serve(t, e, store.Options{})
			name := must(fresh.View.User(w.ctx, 0, ann))(t).Name
			if err == nil && name != "Queen Mab" {
				t.Errorf("write %d (%v): the name is %q", n, when, name)
			}
			for _, word := range []string{"old", "name", "queen", "mab"} {
				found := len(must(fresh.Discovery.SearchUsers(w.ctx, 0, searchFor(word)))(t)) == 1
				if want := (word == "old" || word == "name") == (name == "Old Name"); found != want {
					t.Errorf("write %d (%v): called %q, found by %q: %v", n, when, name, word, found)
				}
			}
			fresh.check()
		}
	}
}

// meddled is an engine that does something once, before the next Apply.
type meddled struct {
	kv.Engine
	first func()
}

func (e *meddled) Apply(ctx context.Context, changes ...kv.Op) error {
	if f := e.first; f != nil {
		e.first = nil
		f()
	}
	return e.Engine.Apply(ctx, changes...)
}

// Who is entered by a name, as after signing up, that they change meanwhile is found by the
// new one alone.
func TestRenamedWhileIndexed(t *testing.T) {
	e := &meddled{Engine: memkv.New(memkv.Options{})}
	w := idleWorld(t, e, store.Options{})
	ann := w.person("ann")
	rename := func(name string) {
		must(w.Social.UpdateProfile(w.ctx, ann, linnet.ProfileChange{Name: &name}))(t)
	}
	rename("Old Name")
	e.first = func() { rename("Queen Mab") }
	if err := w.store.Accounts.IndexUser(w.ctx, ann); err != nil {
		t.Fatal(err)
	}
	for word, want := range map[string]int{"old": 0, "name": 0, "queen": 1, "mab": 1} {
		if found := len(must(w.Discovery.SearchUsers(w.ctx, 0, searchFor(word)))(t)); found != want {
			t.Errorf("%q finds %d, want %d", word, found, want)
		}
	}
	w.check()
}

// Of names that are given at the same time one stands, in the index too.
func TestRenameRaces(t *testing.T) {
	w := memWorld(t)
	ann := w.person("ann")
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			if _, err := w.Social.UpdateProfile(w.ctx, ann, linnet.ProfileChange{Name: ptr(fmt.Sprintf("name%d of ann", i))}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	w.drain()
	w.check()
}

// An account that is deleted while its new name is still to be indexed is found by
// neither name.
func TestRenamedThenDeleted(t *testing.T) {
	w, e := faultWorld(t)
	ann := w.person("ann")
	must(w.Social.UpdateProfile(w.ctx, ann, linnet.ProfileChange{Name: ptr("Old Name")}))(t)
	e.Reset()
	e.FailAt(2, faultkv.Before) // the first write of the index
	_, _ = w.Social.UpdateProfile(w.ctx, ann, linnet.ProfileChange{Name: ptr("Queen Mab")})
	e.Reset()
	if err := w.Social.DeleteUser(w.ctx, ann); err != nil {
		t.Fatal(err)
	}
	serve(t, e, store.Options{}).check()
}

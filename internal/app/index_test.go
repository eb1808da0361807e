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

// TestRenameSurvivesACrash checks that a renamed user is found after a crash between the new name
// and its index entry, without a retry by the client.
func TestRenameSurvivesACrash(t *testing.T) {
	for _, when := range []faultkv.When{faultkv.Before, faultkv.After, faultkv.Half} {
		for n := 1; n <= 3; n++ {
			w, e := faultWorld(t)
			ann := w.person("ann")
			must(w.Social.Profiles.Update(w.ctx, ann, linnet.ProfileChange{Name: new("Old Name")}))(t)
			e.Reset()
			e.FailAt(n, when)
			_, err := w.Social.Profiles.Update(w.ctx, ann, linnet.ProfileChange{Name: new("Queen Mab")})
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

// meddled is an engine that calls a function once, before the next Apply.
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

// TestRenamedWhileIndexed checks that a user who is renamed during indexing, as after a sign-up, is
// found by the new name only.
func TestRenamedWhileIndexed(t *testing.T) {
	e := &meddled{Engine: memkv.New(memkv.Options{})}
	w := idleWorld(t, e, store.Options{})
	ann := w.person("ann")
	rename := func(name string) {
		must(w.Social.Profiles.Update(w.ctx, ann, linnet.ProfileChange{Name: &name}))(t)
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

// TestRenameRaces checks that one of several concurrent new names wins, in the index too.
func TestRenameRaces(t *testing.T) {
	w := memWorld(t)
	ann := w.person("ann")
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			if _, err := w.Social.Profiles.Update(w.ctx, ann, linnet.ProfileChange{Name: new(fmt.Sprintf("name%d of ann", i))}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	w.drain()
	w.check()
}

// TestRenamedThenDeleted checks that an account deleted before its new name is indexed is found by
// neither name.
func TestRenamedThenDeleted(t *testing.T) {
	w, e := faultWorld(t)
	ann := w.person("ann")
	must(w.Social.Profiles.Update(w.ctx, ann, linnet.ProfileChange{Name: new("Old Name")}))(t)
	e.Reset()
	e.FailAt(2, faultkv.Before) // the first write to the index
	_, _ = w.Social.Profiles.Update(w.ctx, ann, linnet.ProfileChange{Name: new("Queen Mab")})
	e.Reset()
	if err := w.Social.Deletion.DeleteUser(w.ctx, ann); err != nil {
		t.Fatal(err)
	}
	serve(t, e, store.Options{}).check()
}

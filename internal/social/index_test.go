package social_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"linnet/internal/app/apptest"
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
			w, e := apptest.Faulty(t)
			ann := w.Person("ann")
			apptest.Must(w.Social.Profiles.Update(w.Ctx, ann, linnet.ProfileChange{Name: new("Old Name")}))(t)
			e.Reset()
			e.FailAt(n, when)
			_, err := w.Social.Profiles.Update(w.Ctx, ann, linnet.ProfileChange{Name: new("Queen Mab")})
			e.Reset()
			fresh := apptest.Serve(t, e, store.Options{})
			name := apptest.Must(fresh.View.User(w.Ctx, 0, ann))(t).Name
			if err == nil && name != "Queen Mab" {
				t.Errorf("write %d (%v): the name is %q", n, when, name)
			}
			for _, word := range []string{"old", "name", "queen", "mab"} {
				found := len(apptest.Must(fresh.Discovery.SearchUsers(w.Ctx, 0, apptest.SearchFor(word)))(t)) == 1
				if want := (word == "old" || word == "name") == (name == "Old Name"); found != want {
					t.Errorf("write %d (%v): called %q, found by %q: %v", n, when, name, word, found)
				}
			}
			fresh.Check()
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
	w := apptest.Idle(t, e, store.Options{})
	ann := w.Person("ann")
	rename := func(name string) {
		apptest.Must(w.Social.Profiles.Update(w.Ctx, ann, linnet.ProfileChange{Name: &name}))(t)
	}
	rename("Old Name")
	e.first = func() { rename("Queen Mab") }
	if err := w.Store.Accounts.IndexUser(w.Ctx, ann); err != nil {
		t.Fatal(err)
	}
	for word, want := range map[string]int{"old": 0, "name": 0, "queen": 1, "mab": 1} {
		if found := len(apptest.Must(w.Discovery.SearchUsers(w.Ctx, 0, apptest.SearchFor(word)))(t)); found != want {
			t.Errorf("%q finds %d, want %d", word, found, want)
		}
	}
	w.Check()
}

// TestRenameRaces checks that one of several concurrent new names wins, in the index too.
func TestRenameRaces(t *testing.T) {
	w := apptest.InMemory(t)
	ann := w.Person("ann")
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			if _, err := w.Social.Profiles.Update(w.Ctx, ann, linnet.ProfileChange{Name: new(fmt.Sprintf("name%d of ann", i))}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	w.Drain()
	w.Check()
}

// TestRenamedThenDeleted checks that an account deleted before its new name is indexed is found by
// neither name.
func TestRenamedThenDeleted(t *testing.T) {
	w, e := apptest.Faulty(t)
	ann := w.Person("ann")
	apptest.Must(w.Social.Profiles.Update(w.Ctx, ann, linnet.ProfileChange{Name: new("Old Name")}))(t)
	e.Reset()
	e.FailAt(2, faultkv.Before) // the first write to the index
	_, _ = w.Social.Profiles.Update(w.Ctx, ann, linnet.ProfileChange{Name: new("Queen Mab")})
	e.Reset()
	if err := w.Social.Deletion.DeleteUser(w.Ctx, ann); err != nil {
		t.Fatal(err)
	}
	apptest.Serve(t, e, store.Options{}).Check()
}

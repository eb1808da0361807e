package identity_test

import (
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
)

// TestContactAddress checks that the contact address is checked like a member's address. An address
// from an earlier version does not prevent other changes.
func TestContactAddress(t *testing.T) {
	w := apptest.InMemory(t)
	change := func(c linnet.InstanceChange) error {
		_, err := w.Settings.ChangeInstance(w.Ctx, linnet.Operator(), c)
		return err
	}
	for _, address := range []string{"@", "ann@", "ann@localhost", "ann b@birds.example", "Ann <ann@birds.example>", "ann@birds.example, bob@birds.example", "ann@192.0.2.1"} {
		if err := change(linnet.InstanceChange{Contact: &address}); linnet.KindOf(err) != linnet.Invalid {
			t.Errorf("%q: %v", address, err)
		}
	}
	for typed, want := range map[string]string{" Ann@birds.example\n": "Ann@birds.example", "ann@bücher.example": "ann@bücher.example", "": ""} {
		w.OK(change(linnet.InstanceChange{Contact: &typed}))
		if v := apptest.Must(w.Settings.Instance(w.Ctx))(w); v.Contact != want {
			t.Errorf("%q is stored as %q, want %q", typed, v.Contact, want)
		}
	}
	in, _, err := w.Store.Instance.Get(w.Ctx)
	w.OK(err)
	in.Contact = "ann@localhost"
	if ok, err := w.Store.Instance.Set(w.Ctx, in); !ok || err != nil {
		t.Fatal(ok, err)
	}
	w.OK(change(linnet.InstanceChange{Contact: new("ann@localhost"), Title: new("Birds")}))
	if v := apptest.Must(w.Settings.Instance(w.Ctx))(w); v.Title != "Birds" || v.Contact != "ann@localhost" {
		t.Errorf("saved %+v", v.Instance)
	}
}

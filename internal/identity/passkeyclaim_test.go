package identity_test

import (
	"errors"
	"testing"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/identity"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/task"
)

// addCredential adds a passkey with the given credential ID to an account.
func addCredential(w *apptest.World, me identity.OwnSession, id []byte) (*apptest.Authenticator, error) {
	w.Helper()
	device := &apptest.Authenticator{Origin: linnetOrigin, ID: id}
	return device, w.Security.AddPasskey(w.Ctx, me, "key", device.Answer(apptest.Must(w.Security.BeginPasskey(w.Ctx, me))(w.T)))
}

// TestPasskeyOfOneAccount proves that a credential belongs to one account until that account
// gives it up, in each way in which that happens.
func TestPasskeyOfOneAccount(t *testing.T) {
	for name, release := range map[string]func(w *apptest.World, ann linnet.ID){
		"removed": func(w *apptest.World, ann linnet.ID) {
			key := apptest.Must(w.Security.Passkeys(w.Ctx, ann))(w.T)[0]
			w.OK(w.Security.RenamePasskey(w.Ctx, ann, key.ID, "Renamed"))
			w.OK(w.Security.RemovePasskey(w.Ctx, ann, key.ID, apptest.Password, apptest.LoginAddr))
		},
		"removed by the operator": func(w *apptest.World, _ linnet.ID) {
			w.OK(w.Identity.ResetTwoFactor(w.Ctx, linnet.Operator(), "ann"))
		},
		"account deleted": func(w *apptest.World, ann linnet.ID) { w.OK(w.Social.Deletion.DeleteUser(w.Ctx, ann)) },
	} {
		t.Run(name, func(t *testing.T) {
			apptest.OnEngines(t, func(w *apptest.World) {
				ann := w.User("ann")
				w.User("bob")
				bob, id := inSession(w, "bob"), []byte("credential of ann")
				first, err := addCredential(w, inSession(w, "ann"), id)
				w.OK(err)
				_, err = addCredential(w, bob, id)
				apptest.WantKind(w.T, err, linnet.Conflict)
				if n := len(apptest.Must(w.Security.Passkeys(w.Ctx, bob.User))(w.T)); n != 0 {
					w.Fatalf("bob has %d passkeys", n)
				}
				if u, err := logInBy(w, first, "b"); err != nil || u.ID != ann {
					w.Fatalf("logged in %v: %v", u.ID, err)
				}
				w.Check()
				release(w, ann)
				w.Drain()
				if owner := apptest.Must(w.Store.Sessions.PasskeyOwner(w.Ctx, record.Hash(string(id))))(w.T); owner != 0 {
					w.Fatalf("the passkey belongs to %v", owner)
				}
				second, err := addCredential(w, bob, id)
				w.OK(err)
				if u, err := logInBy(w, second, "b"); err != nil || u.ID != bob.User {
					w.Fatalf("logged in %v: %v", u.ID, err)
				}
				w.Check()
			})
		})
	}
}

// TestPasskeysOfEarlierReleases proves that a passkey without a claim is claimed at its next
// login, and that a passkey of two accounts still logs in both.
func TestPasskeysOfEarlierReleases(t *testing.T) {
	w := apptest.InMemory(t)
	w.User("ann")
	w.User("bob")
	ann, bob, id := inSession(w, "ann"), inSession(w, "bob"), []byte("credential of both")
	hash := record.Hash(string(id))
	var devices []*apptest.Authenticator
	for _, me := range []identity.OwnSession{ann, bob} {
		device, err := addCredential(w, me, id)
		w.OK(err)
		devices = append(devices, device)
		stored, _, err := w.Store.Sessions.Passkeys(w.Ctx, me.User)
		w.OK(err)
		w.OK(w.Security.RemovePasskey(w.Ctx, me.User, apptest.Must(w.Security.Passkeys(w.Ctx, me.User))(t)[0].ID, apptest.Password, apptest.LoginAddr))
		w.Drain()
		_, version, err := w.Store.Sessions.Passkeys(w.Ctx, me.User)
		w.OK(err)
		if ok := apptest.Must(w.Store.Sessions.SetPasskeys(w.Ctx, me.User, stored, version))(t); !ok {
			t.Fatal("the passkeys have changed")
		}
	}
	w.Check()
	for i, me := range []identity.OwnSession{ann, bob} {
		if u, err := logInBy(w, devices[i], "b"); err != nil || u.ID != me.User {
			t.Errorf("logged in %v: %v", u.ID, err)
		}
		if owner := apptest.Must(w.Store.Sessions.PasskeyOwner(w.Ctx, hash))(t); owner != ann.User {
			t.Errorf("the passkey belongs to %v", owner)
		}
	}
	w.OK(w.Social.Deletion.DeleteUser(w.Ctx, ann.User))
	w.Drain()
	apptest.Must(logInBy(w, devices[1], "b"))(t)
	if owner := apptest.Must(w.Store.Sessions.PasskeyOwner(w.Ctx, hash))(t); owner != bob.User {
		t.Errorf("after the deletion the passkey belongs to %v", owner)
	}
	w.Check()
}

// TestAbandonedPasskeyClaim proves that the claim of a passkey that was never added is
// released, but not while a request may still add it.
func TestAbandonedPasskeyClaim(t *testing.T) {
	w, clock := apptest.WithClock(t)
	ann := w.User("ann")
	w.User("bob")
	id := []byte("credential")
	hash := record.Hash(string(id))
	crashed := apptest.Must(task.New(record.HashShard(hash), identity.TaskPasskeys, map[string]any{"hashes": []string{hash}}, w.Store.Now()))(t)
	if ok := apptest.Must(w.Store.Sessions.ClaimPasskey(w.Ctx, hash, ann, crashed))(t); !ok {
		t.Fatal("not claimed")
	}
	_, err := addCredential(w, inSession(w, "bob"), id)
	apptest.WantKind(t, err, linnet.Conflict)
	if err := w.Store.Sessions.ReleasePasskey(w.Ctx, hash, time.Time{}); !errors.Is(err, kv.ErrUnavailable) {
		t.Errorf("settled early: %v", err)
	}
	if owner := apptest.Must(w.Store.Sessions.PasskeyOwner(w.Ctx, hash))(t); owner != ann {
		t.Fatalf("early, the passkey belongs to %v", owner)
	}
	clock.Advance(6 * time.Minute)
	w.OK(w.Store.Sessions.ReleasePasskey(w.Ctx, hash, time.Time{}))
	_, err = addCredential(w, inSession(w, "bob"), id)
	w.OK(err)
}

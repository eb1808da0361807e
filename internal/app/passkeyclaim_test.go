package app_test

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
func (w *world) addCredential(me identity.OwnSession, id []byte) (*apptest.Authenticator, error) {
	w.Helper()
	device := &apptest.Authenticator{Origin: linnetOrigin, ID: id}
	return device, w.Security.AddPasskey(w.ctx, me, "key", device.Answer(must(w.Security.BeginPasskey(w.ctx, me))(w.T)))
}

// TestPasskeyOfOneAccount proves that a credential belongs to one account until that account
// gives it up, in each way in which that happens.
func TestPasskeyOfOneAccount(t *testing.T) {
	for name, release := range map[string]func(w *world, ann linnet.ID){
		"removed": func(w *world, ann linnet.ID) {
			key := must(w.Security.Passkeys(w.ctx, ann))(w.T)[0]
			w.did(w.Security.RenamePasskey(w.ctx, ann, key.ID, "Renamed"))
			w.did(w.Security.RemovePasskey(w.ctx, ann, key.ID, rightPassword, here))
		},
		"removed by the operator": func(w *world, _ linnet.ID) {
			w.did(w.Identity.ResetTwoFactor(w.ctx, linnet.Operator(), "ann"))
		},
		"account deleted": func(w *world, ann linnet.ID) { w.did(w.Social.Deletion.DeleteUser(w.ctx, ann)) },
	} {
		t.Run(name, func(t *testing.T) {
			onEngines(t, func(w *world) {
				ann := w.user("ann")
				w.user("bob")
				bob, id := w.inSession("bob"), []byte("credential of ann")
				first, err := w.addCredential(w.inSession("ann"), id)
				w.did(err)
				_, err = w.addCredential(bob, id)
				kindIs(w.T, err, linnet.Conflict)
				if n := len(must(w.Security.Passkeys(w.ctx, bob.User))(w.T)); n != 0 {
					w.Fatalf("bob has %d passkeys", n)
				}
				if u, err := w.logInBy(first, "b"); err != nil || u.ID != ann {
					w.Fatalf("logged in %v: %v", u.ID, err)
				}
				w.check()
				release(w, ann)
				w.drain()
				if owner := must(w.store.Sessions.PasskeyOwner(w.ctx, record.Hash(string(id))))(w.T); owner != 0 {
					w.Fatalf("the passkey belongs to %v", owner)
				}
				second, err := w.addCredential(bob, id)
				w.did(err)
				if u, err := w.logInBy(second, "b"); err != nil || u.ID != bob.User {
					w.Fatalf("logged in %v: %v", u.ID, err)
				}
				w.check()
			})
		})
	}
}

// TestPasskeysOfEarlierReleases proves that a passkey without a claim is claimed at its next
// login, and that a passkey of two accounts still logs in both.
func TestPasskeysOfEarlierReleases(t *testing.T) {
	w := memWorld(t)
	w.user("ann")
	w.user("bob")
	ann, bob, id := w.inSession("ann"), w.inSession("bob"), []byte("credential of both")
	hash := record.Hash(string(id))
	var devices []*apptest.Authenticator
	for _, me := range []identity.OwnSession{ann, bob} {
		device, err := w.addCredential(me, id)
		w.did(err)
		devices = append(devices, device)
		stored, _, err := w.store.Sessions.Passkeys(w.ctx, me.User)
		w.did(err)
		w.did(w.Security.RemovePasskey(w.ctx, me.User, must(w.Security.Passkeys(w.ctx, me.User))(t)[0].ID, rightPassword, here))
		w.drain()
		_, version, err := w.store.Sessions.Passkeys(w.ctx, me.User)
		w.did(err)
		if ok := must(w.store.Sessions.SetPasskeys(w.ctx, me.User, stored, version))(t); !ok {
			t.Fatal("the passkeys have changed")
		}
	}
	w.check()
	for i, me := range []identity.OwnSession{ann, bob} {
		if u, err := w.logInBy(devices[i], "b"); err != nil || u.ID != me.User {
			t.Errorf("logged in %v: %v", u.ID, err)
		}
		if owner := must(w.store.Sessions.PasskeyOwner(w.ctx, hash))(t); owner != ann.User {
			t.Errorf("the passkey belongs to %v", owner)
		}
	}
	w.did(w.Social.Deletion.DeleteUser(w.ctx, ann.User))
	w.drain()
	must(w.logInBy(devices[1], "b"))(t)
	if owner := must(w.store.Sessions.PasskeyOwner(w.ctx, hash))(t); owner != bob.User {
		t.Errorf("after the deletion the passkey belongs to %v", owner)
	}
	w.check()
}

// TestAbandonedPasskeyClaim proves that the claim of a passkey that was never added is
// released, but not while a request may still add it.
func TestAbandonedPasskeyClaim(t *testing.T) {
	w, clock := clockWorld(t)
	ann := w.user("ann")
	w.user("bob")
	id := []byte("credential")
	hash := record.Hash(string(id))
	crashed := must(task.New(record.HashShard(hash), identity.TaskPasskeys, map[string]any{"hashes": []string{hash}}, w.store.Now()))(t)
	if ok := must(w.store.Sessions.ClaimPasskey(w.ctx, hash, ann, crashed))(t); !ok {
		t.Fatal("not claimed")
	}
	_, err := w.addCredential(w.inSession("bob"), id)
	kindIs(t, err, linnet.Conflict)
	if err := w.store.Sessions.ReleasePasskey(w.ctx, hash, time.Time{}); !errors.Is(err, kv.ErrUnavailable) {
		t.Errorf("settled early: %v", err)
	}
	if owner := must(w.store.Sessions.PasskeyOwner(w.ctx, hash))(t); owner != ann {
		t.Fatalf("early, the passkey belongs to %v", owner)
	}
	clock.turn(6 * time.Minute)
	w.did(w.store.Sessions.ReleasePasskey(w.ctx, hash, time.Time{}))
	_, err = w.addCredential(w.inSession("bob"), id)
	w.did(err)
}

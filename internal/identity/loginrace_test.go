package identity_test

import (
	"context"
	"testing"

	"linnet/internal/app"
	"linnet/internal/app/apptest"
	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
)

// TestLogInWhileSecretsChange checks that a login succeeds if other secrets change during the
// password check, and fails if the password changes.
func TestLogInWhileSecretsChange(t *testing.T) {
	st := store.New(memkv.New(memkv.Options{}), store.Options{})
	var meanwhile func()
	derive := func(password, salt []byte, passes, memory uint32, threads uint8, n uint32) []byte {
		if f := meanwhile; f != nil {
			meanwhile = nil
			f()
		}
		return apptest.Derive(password, salt, passes, memory, threads, n)
	}
	s, err := app.New(st, app.Options{Derive: derive, PublicURL: "https://linnet.test", Log: apptest.Quiet(), Exclusive: true})
	if err != nil {
		t.Fatal(err)
	}
	w := &apptest.World{T: t, App: s, Ctx: context.Background(), Store: st}
	ann := w.User("ann")
	meanwhile = func() {
		_, _, err := st.Sessions.ChangeMail(w.Ctx, ann, func(*record.Secret) ([]kv.Op, error) { return nil, nil })
		w.OK(err)
	}
	_, _, err = w.Identity.LogIn(w.Ctx, "ann", apptest.Password, apptest.LoginAddr)
	w.OK(err)
	meanwhile = func() {
		w.OK(w.Identity.SetPassword(w.Ctx, linnet.Operator(), "ann", "another horse battery"))
	}
	_, _, err = w.Identity.LogIn(w.Ctx, "ann", apptest.Password, apptest.LoginAddr)
	apptest.WantKind(t, err, linnet.Unauthenticated)
}

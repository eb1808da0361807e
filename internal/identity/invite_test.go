package identity_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
)

// TestLastUseOfInvite checks that one of many concurrent sign-ups gets the last use of an
// invitation.
func TestLastUseOfInvite(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		w.SetRegistrations(linnet.RegisterInvite)
		code := apptest.Must(w.Invites.Create(w.Ctx, linnet.Operator(), linnet.InviteDraft{Uses: 3}))(w).Code
		var in atomic.Int64
		var all sync.WaitGroup
		for i := range 12 {
			all.Go(func() {
				if _, err := w.Identity.Register(w.Ctx, apptest.Guest(fmt.Sprint("guest", i), code)); err == nil {
					in.Add(1)
				} else if linnet.KindOf(err) != linnet.Invalid {
					w.Errorf("guest %d: %v", i, err)
				}
			})
		}
		all.Wait()
		w.Drain()
		if i := apptest.Must(w.Invites.All(w.Ctx, linnet.Operator()))(w)[0]; in.Load() != 3 || i.Uses != 3 || i.State != "used up" {
			w.Errorf("%d came in, %d uses, %s", in.Load(), i.Uses, i.State)
		}
		w.Check()
	})
}

// TestInvites checks that invitations allow sign-ups while registrations are closed or need
// approval. A failed sign-up returns its use. Invalid invitations allow none.
func TestInvites(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann := w.Person("ann")
		w.SetRegistrations(linnet.RegisterInvite)
		_, err := w.Identity.Register(w.Ctx, apptest.Guest("bob", ""))
		apptest.WantKind(w, err, linnet.Forbidden)
		v := apptest.Must(w.Invites.Create(w.Ctx, linnet.Operator(), linnet.InviteDraft{By: "ann", Uses: 2, For: time.Hour}))(w)
		_, err = w.Identity.Register(w.Ctx, apptest.Guest("Ann", v.Code))
		apptest.WantKind(w, err, linnet.Conflict)
		w.SetRegistrations(linnet.RegisterApproval)
		bob := apptest.Must(w.Identity.Register(w.Ctx, apptest.Guest("bob", v.Code)))(w)
		if a := apptest.Must(w.Moderation.Account(w.Ctx, linnet.Operator(), bob.ID))(w); bob.Unapproved || a.InvitedBy != ann {
			w.Errorf("waits: %v, invited by %v", bob.Unapproved, a.InvitedBy)
		}
		w.Drain()
		if i := apptest.Must(w.Invites.All(w.Ctx, linnet.Operator()))(w)[0]; i.Uses != 1 || i.Maker != "ann" || i.State != "good" {
			w.Errorf("%+v", i)
		}
		w.OK(w.Invites.Revoke(w.Ctx, linnet.Operator(), v.Code))
		_, err = w.Identity.Register(w.Ctx, apptest.Guest("cat", v.Code))
		apptest.WantKind(w, err, linnet.Invalid)
		_, err = w.Invites.Check(w.Ctx, v.Code)
		apptest.WantKind(w, err, linnet.Gone)
		short := apptest.Must(w.Invites.Create(w.Ctx, linnet.Operator(), linnet.InviteDraft{For: time.Millisecond}))(w)
		for range 2 {
			w.NextMillisecond()
		}
		_, err = w.Invites.Check(w.Ctx, short.Code)
		apptest.WantKind(w, err, linnet.Gone)
		for _, code := range []string{"nonsense", "aaaaaaaaaaaaaaaa", "{17}:::::::::::"} {
			_, err = w.Invites.Check(w.Ctx, code)
			apptest.WantKind(w, err, linnet.NotFound)
			apptest.WantKind(w, w.Invites.Revoke(w.Ctx, linnet.Operator(), code), linnet.NotFound)
		}
		fresh := apptest.Must(w.Invites.Create(w.Ctx, linnet.Operator(), linnet.InviteDraft{}))(w)
		w.SetRegistrations(linnet.RegisterClosed)
		_, err = w.Identity.Register(w.Ctx, apptest.Guest("cat", fresh.Code))
		apptest.WantKind(w, err, linnet.Forbidden)
		w.Check()
	})
}

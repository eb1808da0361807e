package app_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"linnet/internal/linnet"
)

func guest(login, code string) linnet.SignUp {
	return linnet.SignUp{Login: login, Password: "correct horse", Agreed: true, Invite: code}
}

// TestLastUseOfInvite checks that one of many concurrent sign-ups gets the last use of an
// invitation.
func TestLastUseOfInvite(t *testing.T) {
	onEngines(t, func(w *world) {
		w.registrations(linnet.RegisterInvite)
		code := must(w.Invites.Create(w.ctx, linnet.Operator(), linnet.InviteDraft{Uses: 3}))(w).Code
		var in atomic.Int64
		var all sync.WaitGroup
		for i := range 12 {
			all.Go(func() {
				if _, err := w.Identity.Register(w.ctx, guest(fmt.Sprint("guest", i), code)); err == nil {
					in.Add(1)
				} else if linnet.KindOf(err) != linnet.Invalid {
					w.Errorf("guest %d: %v", i, err)
				}
			})
		}
		all.Wait()
		w.drain()
		if i := must(w.Invites.All(w.ctx, linnet.Operator()))(w)[0]; in.Load() != 3 || i.Uses != 3 || i.State != "used up" {
			w.Errorf("%d came in, %d uses, %s", in.Load(), i.Uses, i.State)
		}
		w.check()
	})
}

// TestInvites checks that invitations allow sign-ups while registrations are closed or need
// approval. A failed sign-up returns its use. Invalid invitations allow none.
func TestInvites(t *testing.T) {
	onEngines(t, func(w *world) {
		ann := w.person("ann")
		w.registrations(linnet.RegisterInvite)
		_, err := w.Identity.Register(w.ctx, guest("bob", ""))
		kindIs(w, err, linnet.Forbidden)
		v := must(w.Invites.Create(w.ctx, linnet.Operator(), linnet.InviteDraft{By: "ann", Uses: 2, For: time.Hour}))(w)
		_, err = w.Identity.Register(w.ctx, guest("Ann", v.Code))
		kindIs(w, err, linnet.Conflict)
		w.registrations(linnet.RegisterApproval)
		bob := must(w.Identity.Register(w.ctx, guest("bob", v.Code)))(w)
		if a := must(w.Moderation.Account(w.ctx, linnet.Operator(), bob.ID))(w); bob.Unapproved || a.InvitedBy != ann {
			w.Errorf("waits: %v, invited by %v", bob.Unapproved, a.InvitedBy)
		}
		w.drain()
		if i := must(w.Invites.All(w.ctx, linnet.Operator()))(w)[0]; i.Uses != 1 || i.Maker != "ann" || i.State != "good" {
			w.Errorf("%+v", i)
		}
		w.did(w.Invites.Revoke(w.ctx, linnet.Operator(), v.Code))
		_, err = w.Identity.Register(w.ctx, guest("cat", v.Code))
		kindIs(w, err, linnet.Invalid)
		_, err = w.Invites.Check(w.ctx, v.Code)
		kindIs(w, err, linnet.Gone)
		short := must(w.Invites.Create(w.ctx, linnet.Operator(), linnet.InviteDraft{For: time.Millisecond}))(w)
		for range 2 {
			w.nextMillisecond()
		}
		_, err = w.Invites.Check(w.ctx, short.Code)
		kindIs(w, err, linnet.Gone)
		for _, code := range []string{"nonsense", "aaaaaaaaaaaaaaaa", "{17}:::::::::::"} {
			_, err = w.Invites.Check(w.ctx, code)
			kindIs(w, err, linnet.NotFound)
			kindIs(w, w.Invites.Revoke(w.ctx, linnet.Operator(), code), linnet.NotFound)
		}
		fresh := must(w.Invites.Create(w.ctx, linnet.Operator(), linnet.InviteDraft{}))(w)
		w.registrations(linnet.RegisterClosed)
		_, err = w.Identity.Register(w.ctx, guest("cat", fresh.Code))
		kindIs(w, err, linnet.Forbidden)
		w.check()
	})
}

// inviteActs are actions on invitations, for the fault tests.
func inviteActs() map[string]faultyAct {
	return map[string]faultyAct{
		"come by invitation": {
			do: func(s *stage) error {
				r := linnet.RegisterInvite
				if err := second(s.Settings.ChangeInstance(s.ctx, linnet.Operator(), linnet.InstanceChange{Registrations: &r})); err != nil {
					return err
				}
				v, err := s.Invites.Create(s.ctx, linnet.Operator(), linnet.InviteDraft{Uses: 2})
				if err != nil {
					return err
				}
				if err := second(s.Identity.Register(s.ctx, guest("eve", v.Code))); linnet.KindOf(err) != linnet.Conflict {
					return err
				}
				return nil // done by an attempt without a response
			},
			want: func(s *stage) string {
				uses := int64(0)
				for _, i := range must(s.Invites.All(s.ctx, linnet.Operator()))(s) {
					uses += i.Uses
				}
				u := must(s.Moderation.AccountNamed(s.ctx, linnet.Operator(), "eve"))(s)
				return differs(fmt.Sprint(u.Unapproved, uses), "false 1")
			},
		},
	}
}

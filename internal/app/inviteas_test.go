package app_test

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
)

// TestInvitationsLetIn checks that an invitation works in each registration mode. Administrators
// and the command line open closed registrations to invited users, but moderators cannot.
func TestInvitationsLetIn(t *testing.T) {
	onEngines(t, func(w *world) {
		boss, mod := w.user("boss"), w.user("una")
		w.did(w.giveRole("boss", linnet.Admin))
		w.did(w.giveRole("una", linnet.Moderator))
		invite := map[string]func() (linnet.InviteView, error){
			"admin":     func() (linnet.InviteView, error) { return w.Invites.CreateAs(w.ctx, boss, linnet.InviteDraft{}) },
			"moderator": func() (linnet.InviteView, error) { return w.Invites.CreateAs(w.ctx, mod, linnet.InviteDraft{}) },
			"command": func() (linnet.InviteView, error) {
				return w.Invites.Create(w.ctx, linnet.Operator(), linnet.InviteDraft{})
			},
		}
		n := 0
		for _, state := range linnet.AllRegistrations() {
			for who, make := range invite {
				w.registrations(state)
				v, err := make()
				if state == linnet.RegisterClosed && who == "moderator" {
					kindIs(w, err, linnet.Forbidden)
					continue
				}
				n++
				if err != nil || v.Opened != (state == linnet.RegisterClosed) {
					w.Errorf("%s, %s: %+v, %v", state, who, v, err)
					continue
				}
				u := must(w.Identity.Register(w.ctx, guest("guest"+strings.Repeat("x", n), v.Code)))(w)
				if u.Unapproved {
					w.Errorf("%s, %s: the guest waits", state, who)
				}
				if v.Opened { // no one else can sign up
					_, err := w.Identity.Register(w.ctx, guest("stranger", ""))
					kindIs(w, err, linnet.Forbidden)
				}
			}
		}
		w.drain()
		w.check()
	})
}

// TestMembersInvite checks that members can invite within the administrator's limits of open
// invitations, uses and lifetime. They see and revoke their own only.
func TestMembersInvite(t *testing.T) {
	onEngines(t, func(w *world) {
		ann, bob := w.user("ann"), w.user("bob")
		w.registrations(linnet.RegisterInvite)
		week := linnet.InviteDraft{For: 7 * 24 * time.Hour}
		_, err := w.Invites.CreateAs(w.ctx, ann, week)
		kindIs(w, err, linnet.Forbidden)
		two := 2
		must(w.Settings.ChangeInstance(w.ctx, linnet.Operator(), linnet.InstanceChange{Invites: &two}))(w)
		for _, wrong := range []linnet.InviteDraft{{}, {For: 31 * 24 * time.Hour}, {For: time.Hour, Uses: linnet.MemberInviteUses + 1}} {
			_, err := w.Invites.CreateAs(w.ctx, ann, wrong)
			kindIs(w, err, linnet.Invalid)
		}
		first := must(w.Invites.CreateAs(w.ctx, ann, week))(w)
		second := must(w.Invites.CreateAs(w.ctx, ann, week))(w)
		_, err = w.Invites.CreateAs(w.ctx, ann, week)
		kindIs(w, err, linnet.Conflict)
		kindIs(w, w.Invites.RevokeAs(w.ctx, bob, first.Code), linnet.NotFound)
		if own := must(w.Invites.Own(w.ctx, bob))(w); len(own) != 0 {
			w.Errorf("bob has %+v", own)
		}
		must(w.Identity.Register(w.ctx, guest("guest", first.Code)))(w) // used up, which makes room for another
		third := must(w.Invites.CreateAs(w.ctx, ann, week))(w)
		w.did(w.Invites.RevokeAs(w.ctx, ann, second.Code))
		if own := must(w.Invites.Own(w.ctx, ann))(w); len(own) != 3 {
			w.Errorf("ann has %+v", own)
		}
		w.did(w.Moderation.Moderate(w.ctx, linnet.Operator(), linnet.Measure{On: ann, Act: linnet.Silence}))
		_, err = w.Invites.CreateAs(w.ctx, ann, week)
		kindIs(w, err, linnet.Forbidden)
		w.did(w.Moderation.Moderate(w.ctx, linnet.Operator(), linnet.Measure{On: ann, Act: linnet.Suspend}))
		_, err = w.Invites.Check(w.ctx, third.Code)
		kindIs(w, err, linnet.Gone)
		w.registrations(linnet.RegisterClosed)
		_, err = w.Invites.CreateAs(w.ctx, bob, week)
		kindIs(w, err, linnet.Forbidden)
		w.drain()
		w.check()
	})
}

// TestMembersInviteAtOnce checks that concurrent requests do not exceed the limit of open
// invitations.
func TestMembersInviteAtOnce(t *testing.T) {
	onEngines(t, func(w *world) {
		ann, three := w.user("ann"), 3
		w.registrations(linnet.RegisterInvite)
		must(w.Settings.ChangeInstance(w.ctx, linnet.Operator(), linnet.InstanceChange{Invites: &three}))(w)
		var all sync.WaitGroup
		var made atomic.Int64
		for range 12 {
			all.Go(func() {
				if _, err := w.Invites.CreateAs(w.ctx, ann, linnet.InviteDraft{For: time.Hour}); err == nil {
					made.Add(1)
				} else if linnet.KindOf(err) != linnet.Conflict {
					w.Error(err)
				}
			})
		}
		all.Wait()
		if own := must(w.Invites.Own(w.ctx, ann))(w); len(own) > three || int64(len(own)) != made.Load() {
			w.Errorf("%d made, %d are open", made.Load(), len(own))
		}
		w.check()
	})
}

// TestMembersInviteSlowly checks that new accounts cannot invite, and that the number of
// invitations per day is limited.
func TestMembersInviteSlowly(t *testing.T) {
	w, later := limitedWorld(t, memkv.New(memkv.Options{}), false)
	ann, most := w.user("ann"), linnet.MaxMemberInvites
	w.registrations(linnet.RegisterInvite)
	must(w.Settings.ChangeInstance(w.ctx, linnet.Operator(), linnet.InstanceChange{Invites: &most}))(t)
	draft := linnet.InviteDraft{For: 24 * time.Hour}
	_, err := w.Invites.CreateAs(w.ctx, ann, draft)
	kindIs(t, err, linnet.Forbidden)
	later.Store(linnet.DefaultNewDays)
	for range linnet.MemberInvitesADay {
		v := must(w.Invites.CreateAs(w.ctx, ann, draft))(t)
		if err := w.Invites.RevokeAs(w.ctx, ann, v.Code); err != nil {
			t.Fatal(err)
		}
	}
	_, err = w.Invites.CreateAs(w.ctx, ann, draft)
	kindIs(t, err, linnet.TooMany)
	tooMany := linnet.MaxMemberInvites + 1
	_, err = w.Settings.ChangeInstance(w.ctx, linnet.Operator(), linnet.InstanceChange{Invites: &tooMany})
	kindIs(t, err, linnet.Invalid)
}

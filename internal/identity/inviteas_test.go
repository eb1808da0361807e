package identity_test

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
)

// TestInvitationsLetIn checks that an invitation works in each registration mode. Administrators
// and the command line open closed registrations to invited users, but moderators cannot.
func TestInvitationsLetIn(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		boss, mod := w.User("boss"), w.User("una")
		w.OK(w.GiveRole("boss", linnet.Admin))
		w.OK(w.GiveRole("una", linnet.Moderator))
		invite := map[string]func() (linnet.InviteView, error){
			"admin":     func() (linnet.InviteView, error) { return w.Invites.CreateAs(w.Ctx, boss, linnet.InviteDraft{}) },
			"moderator": func() (linnet.InviteView, error) { return w.Invites.CreateAs(w.Ctx, mod, linnet.InviteDraft{}) },
			"command": func() (linnet.InviteView, error) {
				return w.Invites.Create(w.Ctx, linnet.Operator(), linnet.InviteDraft{})
			},
		}
		n := 0
		for _, state := range linnet.AllRegistrations() {
			for who, make := range invite {
				w.SetRegistrations(state)
				v, err := make()
				if state == linnet.RegisterClosed && who == "moderator" {
					apptest.WantKind(w, err, linnet.Forbidden)
					continue
				}
				n++
				if err != nil || v.Opened != (state == linnet.RegisterClosed) {
					w.Errorf("%s, %s: %+v, %v", state, who, v, err)
					continue
				}
				u := apptest.Must(w.Identity.Register(w.Ctx, apptest.Guest("guest"+strings.Repeat("x", n), v.Code)))(w)
				if u.Unapproved {
					w.Errorf("%s, %s: the guest waits", state, who)
				}
				if v.Opened { // no one else can sign up
					_, err := w.Identity.Register(w.Ctx, apptest.Guest("stranger", ""))
					apptest.WantKind(w, err, linnet.Forbidden)
				}
			}
		}
		w.Drain()
		w.Check()
	})
}

// TestMembersInvite checks that members can invite within the administrator's limits of open
// invitations, uses and lifetime. They see and revoke their own only.
func TestMembersInvite(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann, bob := w.User("ann"), w.User("bob")
		w.SetRegistrations(linnet.RegisterInvite)
		week := linnet.InviteDraft{For: 7 * 24 * time.Hour}
		_, err := w.Invites.CreateAs(w.Ctx, ann, week)
		apptest.WantKind(w, err, linnet.Forbidden)
		two := 2
		apptest.Must(w.Settings.ChangeInstance(w.Ctx, linnet.Operator(), linnet.InstanceChange{Invites: &two}))(w)
		for _, wrong := range []linnet.InviteDraft{{}, {For: 31 * 24 * time.Hour}, {For: time.Hour, Uses: linnet.MemberInviteUses + 1}} {
			_, err := w.Invites.CreateAs(w.Ctx, ann, wrong)
			apptest.WantKind(w, err, linnet.Invalid)
		}
		first := apptest.Must(w.Invites.CreateAs(w.Ctx, ann, week))(w)
		second := apptest.Must(w.Invites.CreateAs(w.Ctx, ann, week))(w)
		_, err = w.Invites.CreateAs(w.Ctx, ann, week)
		apptest.WantKind(w, err, linnet.Conflict)
		apptest.WantKind(w, w.Invites.RevokeAs(w.Ctx, bob, first.Code), linnet.NotFound)
		if own := apptest.Must(w.Invites.Own(w.Ctx, bob))(w); len(own) != 0 {
			w.Errorf("bob has %+v", own)
		}
		apptest.Must(w.Identity.Register(w.Ctx, apptest.Guest("guest", first.Code)))(w) // used up, which makes room for another
		third := apptest.Must(w.Invites.CreateAs(w.Ctx, ann, week))(w)
		w.OK(w.Invites.RevokeAs(w.Ctx, ann, second.Code))
		if own := apptest.Must(w.Invites.Own(w.Ctx, ann))(w); len(own) != 3 {
			w.Errorf("ann has %+v", own)
		}
		w.OK(w.Moderation.Moderate(w.Ctx, linnet.Operator(), linnet.Measure{On: ann, Act: linnet.Silence}))
		_, err = w.Invites.CreateAs(w.Ctx, ann, week)
		apptest.WantKind(w, err, linnet.Forbidden)
		w.OK(w.Moderation.Moderate(w.Ctx, linnet.Operator(), linnet.Measure{On: ann, Act: linnet.Suspend}))
		_, err = w.Invites.Check(w.Ctx, third.Code)
		apptest.WantKind(w, err, linnet.Gone)
		w.SetRegistrations(linnet.RegisterClosed)
		_, err = w.Invites.CreateAs(w.Ctx, bob, week)
		apptest.WantKind(w, err, linnet.Forbidden)
		w.Drain()
		w.Check()
	})
}

// TestMembersInviteAtOnce checks that concurrent requests do not exceed the limit of open
// invitations.
func TestMembersInviteAtOnce(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann, three := w.User("ann"), 3
		w.SetRegistrations(linnet.RegisterInvite)
		apptest.Must(w.Settings.ChangeInstance(w.Ctx, linnet.Operator(), linnet.InstanceChange{Invites: &three}))(w)
		var all sync.WaitGroup
		var made atomic.Int64
		for range 12 {
			all.Go(func() {
				if _, err := w.Invites.CreateAs(w.Ctx, ann, linnet.InviteDraft{For: time.Hour}); err == nil {
					made.Add(1)
				} else if linnet.KindOf(err) != linnet.Conflict {
					w.Error(err)
				}
			})
		}
		all.Wait()
		if own := apptest.Must(w.Invites.Own(w.Ctx, ann))(w); len(own) > three || int64(len(own)) != made.Load() {
			w.Errorf("%d made, %d are open", made.Load(), len(own))
		}
		w.Check()
	})
}

// TestMembersInviteSlowly checks that new accounts cannot invite, and that the number of
// invitations per day is limited.
func TestMembersInviteSlowly(t *testing.T) {
	w, later := limitedWorld(t, memkv.New(memkv.Options{}), false)
	ann, most := w.User("ann"), linnet.MaxMemberInvites
	w.SetRegistrations(linnet.RegisterInvite)
	apptest.Must(w.Settings.ChangeInstance(w.Ctx, linnet.Operator(), linnet.InstanceChange{Invites: &most}))(t)
	draft := linnet.InviteDraft{For: 24 * time.Hour}
	_, err := w.Invites.CreateAs(w.Ctx, ann, draft)
	apptest.WantKind(t, err, linnet.Forbidden)
	later.Store(linnet.DefaultNewDays)
	for range linnet.MemberInvitesADay {
		v := apptest.Must(w.Invites.CreateAs(w.Ctx, ann, draft))(t)
		if err := w.Invites.RevokeAs(w.Ctx, ann, v.Code); err != nil {
			t.Fatal(err)
		}
	}
	_, err = w.Invites.CreateAs(w.Ctx, ann, draft)
	apptest.WantKind(t, err, linnet.TooMany)
	tooMany := linnet.MaxMemberInvites + 1
	_, err = w.Settings.ChangeInstance(w.Ctx, linnet.Operator(), linnet.InstanceChange{Invites: &tooMany})
	apptest.WantKind(t, err, linnet.Invalid)
}

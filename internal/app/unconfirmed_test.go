package app_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"linnet/internal/identity"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/mail/mailtest"
	"linnet/internal/store"
)

// TestUnconfirmedSignUpsEnd checks that an unconfirmed sign-up is deleted after a week. A link
// requested late keeps its full lifetime, and a sign-up approved meanwhile stays.
func TestUnconfirmedSignUpsEnd(t *testing.T) {
	clock := &clocked{}
	e, at := memkv.New(memkv.Options{Now: clock.now}), mailtest.New(t, mailtest.Options{})
	w := mailWorld(t, e, store.Options{Now: clock.now}, at)
	yes, open := true, linnet.RegisterOpen
	must(w.Settings.ChangeInstance(w.ctx, linnet.Operator(), linnet.InstanceChange{EmailRequired: &yes, Registrations: &open}))(t)
	ids := map[string]linnet.ID{}
	for i, login := range []string{"gone", "late", "letin", "confirmed"} {
		u, err := w.Identity.Register(w.ctx, linnet.SignUp{Login: login, Password: rightPassword, Email: login + "@example.com", Agreed: true})
		w.did(err)
		ids[login] = u.ID
		at.Wait(t, i+1)
	}
	w.did(w.Emails.Confirm(w.ctx, tokenIn(t, at.Mails()[3], "/confirm/")))
	w.did(w.Moderation.Moderate(w.ctx, linnet.Operator(), linnet.Measure{On: ids["letin"], Act: linnet.Approve}))
	turn := func(d time.Duration) {
		t.Helper()
		eventually(t, "mails end", func() bool { // a remaining task would send another link
			later, _ := leftMails(t, e)
			return w.Idle() && !slices.ContainsFunc(later, func(task string) bool { return strings.Contains(task, `"kind":"mail"`) })
		})
		clock.turn(d)
		w.stop()
		w = mailWorld(t, e, store.Options{Now: clock.now}, at)
	}
	has := func(login string) bool {
		u, err := w.Core.LookupUser(w.ctx, ids[login])
		w.did(err)
		return u != nil
	}
	turn(identity.UnconfirmedAge - time.Hour)
	if w.drain(); !has("gone") {
		t.Fatal("a sign-up ended early")
	}
	_, _, err := w.Identity.LogIn(w.ctx, "late", rightPassword, here) // requests another link
	kindIs(t, err, linnet.Forbidden)
	at.Wait(t, 5)
	turn(2 * time.Hour)
	eventually(t, "the sign-up ends", func() bool { return !has("gone") })
	if !has("late") || !has("letin") || !has("confirmed") {
		t.Error("others end with it")
	}
	var late mailtest.Mail // the last mail to them
	for _, m := range at.Mails() {
		if m.To == "late@example.com" {
			late = m
		}
	}
	w.did(w.Emails.Confirm(w.ctx, tokenIn(t, late, "/confirm/")))
	turn(identity.EmailTTL)
	w.noMailsLeft(e)
	if !has("late") {
		t.Error("who confirmed with a link that was sent late is gone")
	}
	w.freeOnce("gone")
}

// freeOnce checks that exactly one more user can take a name.
func (w *world) freeOnce(login string) {
	w.Helper()
	for i, spelled := range []string{strings.ToUpper(login), login} {
		_, err := w.Identity.Register(w.ctx, linnet.SignUp{Login: spelled, Password: rightPassword, Email: "other@example.com", Agreed: true})
		if i == 0 {
			w.did(err)
		} else {
			kindIs(w.T, err, linnet.Conflict)
		}
	}
	w.drain()
	w.check()
}

// TestAddressesAreHeldToRules checks that an address that is refused at sign-up cannot be set
// later.
func TestAddressesAreHeldToRules(t *testing.T) {
	e, at := memkv.New(memkv.Options{}), mailtest.New(t, mailtest.Options{})
	w := mailWorld(t, e, store.Options{}, at)
	yes, open := true, linnet.RegisterOpen
	must(w.Settings.ChangeInstance(w.ctx, linnet.Operator(), linnet.InstanceChange{EmailRequired: &yes, Registrations: &open}))(t)
	for domain, ask := range map[string]bool{"throwaway.test": false, "doubtful.test": true} {
		must(w.Moderation.SignUpBlocks.Add(w.ctx, linnet.Operator(), linnet.SignUpBlock{Kind: linnet.BlockEmail, Value: domain, Ask: ask}, 0))(t)
	}
	u := must(w.Identity.Register(w.ctx, linnet.SignUp{Login: "ann", Password: rightPassword, Email: "ann@example.com", Agreed: true}))(t)
	link := tokenIn(t, at.Wait(t, 1)[0], "/confirm/")
	for _, address := range []string{"ann@mail.throwaway.test", "ann@doubtful.test"} {
		kindIs(t, w.Emails.Correct(w.ctx, "ann", rightPassword, address, here), linnet.Invalid)
		kindIs(t, w.Emails.Resend(w.ctx, u.ID, address, here), linnet.Invalid)
	}
	w.did(w.Emails.Confirm(w.ctx, link)) // the previous address stays
	kindIs(t, w.Emails.Set(w.ctx, u.ID, "ann@throwaway.test", rightPassword, here), linnet.Invalid)
	w.did(w.Emails.Set(w.ctx, u.ID, "ann@doubtful.test", rightPassword, here)) // members need no approval
}

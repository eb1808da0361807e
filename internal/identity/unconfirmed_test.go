package identity_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/identity"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/mail/mailtest"
	"linnet/internal/store"
)

// TestUnconfirmedSignUpsEnd checks that an unconfirmed sign-up is deleted after a week. A link
// requested late keeps its full lifetime, and a sign-up approved meanwhile stays.
func TestUnconfirmedSignUpsEnd(t *testing.T) {
	clock := &apptest.Clock{}
	e, at := memkv.New(memkv.Options{Now: clock.Now}), mailtest.New(t, mailtest.Options{})
	w := apptest.WithMail(t, e, store.Options{Now: clock.Now}, at)
	yes, open := true, linnet.RegisterOpen
	apptest.Must(w.Settings.ChangeInstance(w.Ctx, linnet.Operator(), linnet.InstanceChange{EmailRequired: &yes, Registrations: &open}))(t)
	ids := map[string]linnet.ID{}
	for i, login := range []string{"gone", "late", "letin", "confirmed"} {
		u, err := w.Identity.Register(w.Ctx, linnet.SignUp{Login: login, Password: apptest.Password, Email: login + "@example.com", Agreed: true})
		w.OK(err)
		ids[login] = u.ID
		at.Wait(t, i+1)
	}
	w.OK(w.Emails.Confirm(w.Ctx, apptest.TokenIn(t, at.Mails()[3], "/confirm/")))
	w.OK(w.Moderation.Moderate(w.Ctx, linnet.Operator(), linnet.Measure{On: ids["letin"], Act: linnet.Approve}))
	turn := func(d time.Duration) {
		t.Helper()
		apptest.Eventually(t, "mails end", func() bool { // a remaining task would send another link
			later, _ := apptest.LeftMails(t, e)
			return w.Idle() && !slices.ContainsFunc(later, func(task string) bool { return strings.Contains(task, `"kind":"mail"`) })
		})
		clock.Advance(d)
		w.Stop()
		w = apptest.WithMail(t, e, store.Options{Now: clock.Now}, at)
	}
	has := func(login string) bool {
		u, err := w.Core.LookupUser(w.Ctx, ids[login])
		w.OK(err)
		return u != nil
	}
	turn(identity.UnconfirmedAge - time.Hour)
	if w.Drain(); !has("gone") {
		t.Fatal("a sign-up ended early")
	}
	_, _, err := w.Identity.LogIn(w.Ctx, "late", apptest.Password, apptest.LoginAddr) // requests another link
	apptest.WantKind(t, err, linnet.Forbidden)
	at.Wait(t, 5)
	turn(2 * time.Hour)
	apptest.Eventually(t, "the sign-up ends", func() bool { return !has("gone") })
	if !has("late") || !has("letin") || !has("confirmed") {
		t.Error("others end with it")
	}
	var late mailtest.Mail // the last mail to them
	for _, m := range at.Mails() {
		if m.To == "late@example.com" {
			late = m
		}
	}
	w.OK(w.Emails.Confirm(w.Ctx, apptest.TokenIn(t, late, "/confirm/")))
	turn(identity.EmailTTL)
	w.NoMailsLeft(e)
	if !has("late") {
		t.Error("who confirmed with a link that was sent late is gone")
	}
	freeOnce(w, "gone")
}

// freeOnce checks that exactly one more user can take a name.
func freeOnce(w *apptest.World, login string) {
	w.Helper()
	for i, spelled := range []string{strings.ToUpper(login), login} {
		_, err := w.Identity.Register(w.Ctx, linnet.SignUp{Login: spelled, Password: apptest.Password, Email: "other@example.com", Agreed: true})
		if i == 0 {
			w.OK(err)
		} else {
			apptest.WantKind(w.T, err, linnet.Conflict)
		}
	}
	w.Drain()
	w.Check()
}

// TestAddressesAreHeldToRules checks that an address that is refused at sign-up cannot be set
// later.
func TestAddressesAreHeldToRules(t *testing.T) {
	e, at := memkv.New(memkv.Options{}), mailtest.New(t, mailtest.Options{})
	w := apptest.WithMail(t, e, store.Options{}, at)
	yes, open := true, linnet.RegisterOpen
	apptest.Must(w.Settings.ChangeInstance(w.Ctx, linnet.Operator(), linnet.InstanceChange{EmailRequired: &yes, Registrations: &open}))(t)
	for domain, ask := range map[string]bool{"throwaway.test": false, "doubtful.test": true} {
		apptest.Must(w.Moderation.SignUpBlocks.Add(w.Ctx, linnet.Operator(), linnet.SignUpBlock{Kind: linnet.BlockEmail, Value: domain, Ask: ask}, 0))(t)
	}
	u := apptest.Must(w.Identity.Register(w.Ctx, linnet.SignUp{Login: "ann", Password: apptest.Password, Email: "ann@example.com", Agreed: true}))(t)
	link := apptest.TokenIn(t, at.Wait(t, 1)[0], "/confirm/")
	for _, address := range []string{"ann@mail.throwaway.test", "ann@doubtful.test"} {
		apptest.WantKind(t, w.Emails.Correct(w.Ctx, "ann", apptest.Password, address, apptest.LoginAddr), linnet.Invalid)
		apptest.WantKind(t, w.Emails.Resend(w.Ctx, u.ID, address, apptest.LoginAddr), linnet.Invalid)
	}
	w.OK(w.Emails.Confirm(w.Ctx, link)) // the previous address stays
	apptest.WantKind(t, w.Emails.Set(w.Ctx, u.ID, "ann@throwaway.test", apptest.Password, apptest.LoginAddr), linnet.Invalid)
	w.OK(w.Emails.Set(w.Ctx, u.ID, "ann@doubtful.test", apptest.Password, apptest.LoginAddr)) // members need no approval
}

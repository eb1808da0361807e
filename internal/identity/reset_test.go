package identity_test

import (
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"
	"linnet/internal/app/apptest"
	"linnet/internal/identity"
	"linnet/internal/linnet"
)

// TestWhoMakesResetLinks checks that only administrators can create reset links, after confirming
// their password, and only for users with a lower role.
func TestWhoMakesResetLinks(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ids := map[string]linnet.ID{}
		for _, login := range []string{"admin1", "admin2", "mod1", "mod2", "bob", "eve"} {
			ids[login] = w.User(login)
		}
		for _, login := range []string{"admin1", "admin2"} {
			w.OK(w.GiveRole(login, linnet.Admin))
		}
		for _, login := range []string{"mod1", "mod2"} {
			w.OK(w.GiveRole(login, linnet.Moderator))
		}
		w.Drain()
		for _, c := range []struct {
			by, on string
			may    bool
		}{
			{"admin1", "bob", true}, {"admin1", "mod1", true}, {"admin1", "admin2", false}, {"admin1", "admin1", false},
			{"mod1", "bob", false}, {"mod1", "mod2", false}, {"mod1", "admin1", false}, {"mod1", "mod1", false},
			{"eve", "bob", false}, {"eve", "eve", false},
		} {
			for _, twoFactor := range []bool{false, true} {
				fresh := linnet.By(ids[c.by]).In("another session")
				if _, _, err := w.Identity.OfferReset(w.Ctx, fresh, ids[c.on], twoFactor, ""); linnet.KindOf(err) != linnet.Forbidden {
					w.Errorf("%s makes a link for %s without a password: %v", c.by, c.on, err)
				}
				_, _, err := w.Identity.OfferReset(w.Ctx, w.Confirmed(ids[c.by]), ids[c.on], twoFactor, "")
				if c.may != (err == nil) || err != nil && linnet.KindOf(err) != linnet.Forbidden {
					w.Errorf("%s makes a link for %s: %v, may %v", c.by, c.on, err, c.may)
				}
			}
		}
		if err := w.Identity.ConfirmPassword(w.Ctx, identity.OwnSession{User: ids["eve"], ID: "s"}, "wrong horse", apptest.LoginAddr); linnet.KindOf(err) != linnet.Invalid {
			w.Errorf("a wrong password confirms: %v", err)
		}
	})
}

// TestResetLink checks that a reset link works once. Its owner is notified when it is created,
// replaced or used, and actions of staff are logged.
func TestResetLink(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann, bob := w.User("ann"), w.User("bob")
		w.OK(w.GiveRole("ann", linnet.Admin))
		session, _, err := w.Identity.LogIn(w.Ctx, "bob", apptest.Password, apptest.LoginAddr)
		w.OK(err)
		first, _, err := w.Identity.OfferReset(w.Ctx, w.Confirmed(ann), bob, false, "forgot")
		w.OK(err)
		address, link, err := w.Identity.OfferReset(w.Ctx, w.Confirmed(ann), bob, false, "forgot again")
		w.OK(err)
		if link.Login != "bob" || link.TwoFactor || !strings.HasPrefix(address, "https://linnet.test/reset/") {
			w.Errorf("the link is %q, %+v", address, link)
		}
		token := path.Base(address)
		for _, bad := range []string{path.Base(first), token + "x", token[:len(token)-1], "", "-", "1-x", ann.String() + "-x"} {
			_, err := w.Identity.Reset(w.Ctx, bad)
			apptest.WantKind(w.T, err, linnet.Gone)
			apptest.WantKind(w.T, w.Identity.UseReset(w.Ctx, bad, "battery staple", apptest.LoginAddr), linnet.Gone)
		}
		apptest.WantKind(w.T, w.Identity.UseReset(w.Ctx, token, "password", apptest.LoginAddr), linnet.Invalid)
		w.OK(w.Identity.UseReset(w.Ctx, token, "battery staple", apptest.LoginAddr))
		apptest.WantKind(w.T, w.Identity.UseReset(w.Ctx, token, "another staple", apptest.LoginAddr), linnet.Gone)
		apptest.Must(w.Identity.Authenticate(w.Ctx, "bob", "battery staple"))(w.T)
		_, err = w.Identity.Session(w.Ctx, session)
		apptest.WantKind(w.T, err, linnet.Unauthenticated)
		events := func(want ...linnet.SecurityEvent) {
			w.Helper()
			log := slices.DeleteFunc(apptest.Must(w.Security.SecurityLog(w.Ctx, bob))(w.T), func(e linnet.SecurityEntry) bool { return e.Event.Frequent() })
			notices := apptest.Must(w.Notify.Notifications(w.Ctx, bob, linnet.NotificationFilter{}, linnet.Page{}))(w.T).Items
			if len(log) != len(want) || len(notices) != len(want) {
				w.Fatalf("%d events and %d notifications, want %v", len(log), len(notices), want)
			}
			for i, e := range want {
				if log[i].Event != e || notices[i].Event != e || notices[i].Type != linnet.NotifySecurity {
					w.Errorf("event %d is %s, told as %s, want %s", i, log[i].Event, notices[i].Event, e)
				}
			}
		}
		events(linnet.ResetUsed, linnet.ResetOffered, linnet.ResetOffered)
		if log := apptest.Must(w.Security.SecurityLog(w.Ctx, bob))(w.T); log[1].Staff == nil || log[1].Staff.Login != "ann" || log[0].Staff != nil {
			w.Errorf("who it was: %+v", log)
		}
		w.OK(w.Identity.SetPassword(w.Ctx, linnet.Operator(), "bob", "correct staple"))
		w.OK(w.Identity.ResetTwoFactor(w.Ctx, linnet.Operator(), "bob"))
		events(linnet.TwoFactorTakenOff, linnet.PasswordSet, linnet.ResetUsed, linnet.ResetOffered, linnet.ResetOffered)
		var acts []linnet.Moderation
		for _, a := range apptest.Must(w.Moderation.Acts(w.Ctx, linnet.By(ann), linnet.Page{}))(w.T).Items {
			if a.On == bob {
				acts = append(acts, a.Act.Act)
			}
		}
		if want := []linnet.Moderation{"two_factor_off", "password", "reset_link", "reset_link"}; len(acts) != len(want) {
			w.Errorf("the log of acts holds %v, want %v", acts, want)
		}
	})
}

// TestResetLinkEnds checks that a reset link expires after a day or with a new password, and that a
// password confirmation expires after fifteen minutes.
func TestResetLinkEnds(t *testing.T) {
	w, clock := apptest.WithClock(t)
	ann, bob := w.User("ann"), w.User("bob")
	w.OK(w.GiveRole("ann", linnet.Admin))
	by := w.Confirmed(ann)
	offer := func() string {
		t.Helper()
		address, _, err := w.Identity.OfferReset(w.Ctx, by, bob, false, "")
		w.OK(err)
		return path.Base(address)
	}
	token := offer()
	w.OK(w.Identity.SetPassword(w.Ctx, linnet.Operator(), "bob", "battery staple"))
	_, err := w.Identity.Reset(w.Ctx, token)
	apptest.WantKind(t, err, linnet.Gone)
	token = offer()
	clock.Advance(identity.ConfirmTTL + time.Second)
	_, _, err = w.Identity.OfferReset(w.Ctx, by, bob, false, "")
	apptest.WantKind(t, err, linnet.Forbidden)
	_, err = w.Identity.Reset(w.Ctx, token)
	w.OK(err)
	clock.Advance(identity.ResetTTL)
	_, err = w.Identity.Reset(w.Ctx, token)
	apptest.WantKind(t, err, linnet.Gone)
}

// TestTwoFactorResetLink checks that a link that turns off two-factor login also requires the
// password.
func TestTwoFactorResetLink(t *testing.T) {
	w := apptest.InMemory(t)
	bob := w.User("bob")
	apptest.EnableTwoFactor(t, w, bob)
	address, link, err := w.Identity.OfferReset(w.Ctx, linnet.Operator(), bob, true, "")
	w.OK(err)
	if !link.TwoFactor {
		t.Error("the link is one for a password")
	}
	token := path.Base(address)
	apptest.WantKind(t, w.Identity.UseReset(w.Ctx, token, "wrong horse", apptest.LoginAddr), linnet.Invalid)
	w.OK(w.Identity.UseReset(w.Ctx, token, apptest.Password, apptest.LoginAddr))
	apptest.WantKind(t, w.Identity.UseReset(w.Ctx, token, apptest.Password, apptest.LoginAddr), linnet.Gone)
	if f := apptest.Must(w.Identity.TwoFactor(w.Ctx, bob))(t); f.On {
		t.Error("two-factor log-in is on")
	}
}

// TestTwoFactorEndsOtherSessions checks that turning on two-factor login requires the password and
// ends all other sessions.
func TestTwoFactorEndsOtherSessions(t *testing.T) {
	w := apptest.InMemory(t)
	bob := w.User("bob")
	logIn := func() (string, linnet.Session) {
		t.Helper()
		token, _, err := w.Identity.LogIn(w.Ctx, "bob", apptest.Password, apptest.LoginAddr)
		w.OK(err)
		return token, apptest.Must(w.Identity.Session(w.Ctx, token))(t)
	}
	other, _ := logIn()
	mine, session := logIn()
	last, _ := logIn()
	begun := apptest.Must(w.Identity.BeginTwoFactor(w.Ctx, bob))(t)
	code := apptest.Must(totp.GenerateCode(begun.Secret, w.Store.Now()))(t)
	me := identity.OwnSession{User: bob, ID: session.ID}
	if _, err := w.Identity.ConfirmTwoFactor(w.Ctx, me, code, "wrong horse", apptest.LoginAddr); linnet.KindOf(err) != linnet.Invalid {
		t.Errorf("without the password: %v", err)
	}
	apptest.Must(w.Identity.ConfirmTwoFactor(w.Ctx, me, code, apptest.Password, apptest.LoginAddr))(t)
	for token, open := range map[string]bool{other: false, last: false, mine: true} {
		if _, err := w.Identity.Session(w.Ctx, token); (err == nil) != open {
			t.Errorf("a session is open: %v, want %v", err == nil, open)
		}
	}
}

package app_test

import (
	"net/netip"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"linnet/internal/identity"
	"linnet/internal/linnet"
)

var here = netip.MustParseAddr("192.0.2.1")

// confirmed returns the actor of a staff member who has just confirmed the password.
func (w *world) confirmed(id linnet.ID) linnet.Actor {
	w.Helper()
	w.did(w.Identity.ConfirmPassword(w.ctx, identity.OwnSession{User: id, ID: "session"}, rightPassword, here))
	return linnet.By(id).In("session")
}

// TestWhoMakesResetLinks checks that only administrators can create reset links, after confirming
// their password, and only for users with a lower role.
func TestWhoMakesResetLinks(t *testing.T) {
	onEngines(t, func(w *world) {
		ids := map[string]linnet.ID{}
		for _, login := range []string{"admin1", "admin2", "mod1", "mod2", "bob", "eve"} {
			ids[login] = w.user(login)
		}
		for _, login := range []string{"admin1", "admin2"} {
			w.did(w.giveRole(login, linnet.Admin))
		}
		for _, login := range []string{"mod1", "mod2"} {
			w.did(w.giveRole(login, linnet.Moderator))
		}
		w.drain()
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
				if _, _, err := w.Identity.OfferReset(w.ctx, fresh, ids[c.on], twoFactor, ""); linnet.KindOf(err) != linnet.Forbidden {
					w.Errorf("%s makes a link for %s without a password: %v", c.by, c.on, err)
				}
				_, _, err := w.Identity.OfferReset(w.ctx, w.confirmed(ids[c.by]), ids[c.on], twoFactor, "")
				if c.may != (err == nil) || err != nil && linnet.KindOf(err) != linnet.Forbidden {
					w.Errorf("%s makes a link for %s: %v, may %v", c.by, c.on, err, c.may)
				}
			}
		}
		if err := w.Identity.ConfirmPassword(w.ctx, identity.OwnSession{User: ids["eve"], ID: "s"}, "wrong horse", here); linnet.KindOf(err) != linnet.Invalid {
			w.Errorf("a wrong password confirms: %v", err)
		}
	})
}

// TestResetLink checks that a reset link works once. Its owner is notified when it is created,
// replaced or used, and actions of staff are logged.
func TestResetLink(t *testing.T) {
	onEngines(t, func(w *world) {
		ann, bob := w.user("ann"), w.user("bob")
		w.did(w.giveRole("ann", linnet.Admin))
		session, _, err := w.Identity.LogIn(w.ctx, "bob", rightPassword, here)
		w.did(err)
		first, _, err := w.Identity.OfferReset(w.ctx, w.confirmed(ann), bob, false, "forgot")
		w.did(err)
		address, link, err := w.Identity.OfferReset(w.ctx, w.confirmed(ann), bob, false, "forgot again")
		w.did(err)
		if link.Login != "bob" || link.TwoFactor || !strings.HasPrefix(address, "https://linnet.test/reset/") {
			w.Errorf("the link is %q, %+v", address, link)
		}
		token := path.Base(address)
		for _, bad := range []string{path.Base(first), token + "x", token[:len(token)-1], "", "-", "1-x", ann.String() + "-x"} {
			_, err := w.Identity.Reset(w.ctx, bad)
			kindIs(w.T, err, linnet.Gone)
			kindIs(w.T, w.Identity.UseReset(w.ctx, bad, "battery staple", here), linnet.Gone)
		}
		kindIs(w.T, w.Identity.UseReset(w.ctx, token, "password", here), linnet.Invalid)
		w.did(w.Identity.UseReset(w.ctx, token, "battery staple", here))
		kindIs(w.T, w.Identity.UseReset(w.ctx, token, "another staple", here), linnet.Gone)
		must(w.Identity.Authenticate(w.ctx, "bob", "battery staple"))(w.T)
		_, err = w.Identity.Session(w.ctx, session)
		kindIs(w.T, err, linnet.Unauthenticated)
		events := func(want ...linnet.SecurityEvent) {
			w.Helper()
			log := slices.DeleteFunc(must(w.Security.SecurityLog(w.ctx, bob))(w.T), func(e linnet.SecurityEntry) bool { return e.Event.Frequent() })
			notices := must(w.Notify.Notifications(w.ctx, bob, linnet.NotificationFilter{}, linnet.Page{}))(w.T).Items
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
		if log := must(w.Security.SecurityLog(w.ctx, bob))(w.T); log[1].Staff == nil || log[1].Staff.Login != "ann" || log[0].Staff != nil {
			w.Errorf("who it was: %+v", log)
		}
		w.did(w.Identity.SetPassword(w.ctx, linnet.Operator(), "bob", "correct staple"))
		w.did(w.Identity.ResetTwoFactor(w.ctx, linnet.Operator(), "bob"))
		events(linnet.TwoFactorTakenOff, linnet.PasswordSet, linnet.ResetUsed, linnet.ResetOffered, linnet.ResetOffered)
		var acts []linnet.Moderation
		for _, a := range must(w.Moderation.Acts(w.ctx, linnet.By(ann), linnet.Page{}))(w.T).Items {
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
	w, clock := clockWorld(t)
	ann, bob := w.user("ann"), w.user("bob")
	w.did(w.giveRole("ann", linnet.Admin))
	by := w.confirmed(ann)
	offer := func() string {
		t.Helper()
		address, _, err := w.Identity.OfferReset(w.ctx, by, bob, false, "")
		w.did(err)
		return path.Base(address)
	}
	token := offer()
	w.did(w.Identity.SetPassword(w.ctx, linnet.Operator(), "bob", "battery staple"))
	_, err := w.Identity.Reset(w.ctx, token)
	kindIs(t, err, linnet.Gone)
	token = offer()
	clock.turn(identity.ConfirmTTL + time.Second)
	_, _, err = w.Identity.OfferReset(w.ctx, by, bob, false, "")
	kindIs(t, err, linnet.Forbidden)
	_, err = w.Identity.Reset(w.ctx, token)
	w.did(err)
	clock.turn(identity.ResetTTL)
	_, err = w.Identity.Reset(w.ctx, token)
	kindIs(t, err, linnet.Gone)
}

// TestTwoFactorResetLink checks that a link that turns off two-factor login also requires the
// password.
func TestTwoFactorResetLink(t *testing.T) {
	w := memWorld(t)
	bob := w.user("bob")
	secondFactor(t, w, bob)
	address, link, err := w.Identity.OfferReset(w.ctx, linnet.Operator(), bob, true, "")
	w.did(err)
	if !link.TwoFactor {
		t.Error("the link is one for a password")
	}
	token := path.Base(address)
	kindIs(t, w.Identity.UseReset(w.ctx, token, "wrong horse", here), linnet.Invalid)
	w.did(w.Identity.UseReset(w.ctx, token, rightPassword, here))
	kindIs(t, w.Identity.UseReset(w.ctx, token, rightPassword, here), linnet.Gone)
	if f := must(w.Identity.TwoFactor(w.ctx, bob))(t); f.On {
		t.Error("two-factor log-in is on")
	}
}

// secondFactor turns on two-factor login.
func secondFactor(t *testing.T, w *world, who linnet.ID) {
	t.Helper()
	begun := must(w.Identity.BeginTwoFactor(w.ctx, who))(t)
	code := must(totp.GenerateCode(begun.Secret, w.store.Now()))(t)
	must(w.Identity.ConfirmTwoFactor(w.ctx, identity.OwnSession{User: who}, code, rightPassword, here))(t)
}

// TestTwoFactorEndsOtherSessions checks that turning on two-factor login requires the password and
// ends all other sessions.
func TestTwoFactorEndsOtherSessions(t *testing.T) {
	w := memWorld(t)
	bob := w.user("bob")
	logIn := func() (string, linnet.Session) {
		t.Helper()
		token, _, err := w.Identity.LogIn(w.ctx, "bob", rightPassword, here)
		w.did(err)
		return token, must(w.Identity.Session(w.ctx, token))(t)
	}
	other, _ := logIn()
	mine, session := logIn()
	last, _ := logIn()
	begun := must(w.Identity.BeginTwoFactor(w.ctx, bob))(t)
	code := must(totp.GenerateCode(begun.Secret, w.store.Now()))(t)
	me := identity.OwnSession{User: bob, ID: session.ID}
	if _, err := w.Identity.ConfirmTwoFactor(w.ctx, me, code, "wrong horse", here); linnet.KindOf(err) != linnet.Invalid {
		t.Errorf("without the password: %v", err)
	}
	must(w.Identity.ConfirmTwoFactor(w.ctx, me, code, rightPassword, here))(t)
	for token, open := range map[string]bool{other: false, last: false, mine: true} {
		if _, err := w.Identity.Session(w.ctx, token); (err == nil) != open {
			t.Errorf("a session is open: %v, want %v", err == nil, open)
		}
	}
}

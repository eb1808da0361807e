package identity_test

import (
	"strings"
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/mail/mailtest"
)

// TestNewPasswordEndsWhatWasBegun checks that a new password cancels a pending change of the
// address and its confirmation link, even if the mail has not been sent yet.
func TestNewPasswordEndsWhatWasBegun(t *testing.T) {
	apptest.OnMailEngines(t, func(w *apptest.World, at *mailtest.Server, e kv.Engine) {
		const other = "battery staple"
		ways := map[string]func(id linnet.ID, login string) error{
			"changed": func(id linnet.ID, _ string) error {
				_, err := w.Identity.ChangePassword(w.Ctx, id, apptest.Password, other, apptest.LoginAddr)
				return err
			},
			"set": func(_ linnet.ID, login string) error {
				return w.Identity.SetPassword(w.Ctx, linnet.Operator(), login, other)
			},
			"linked": func(id linnet.ID, _ string) error {
				address, _, err := w.Identity.OfferReset(w.Ctx, linnet.Operator(), id, false, "")
				if err != nil {
					return err
				}
				return w.Identity.UseReset(w.Ctx, address[strings.LastIndexByte(address, '/')+1:], other, apptest.LoginAddr)
			},
		}
		for way, renew := range ways {
			id := w.UserWithEmail(at, way, way+"@example.com")
			w.OK(w.Emails.Set(w.Ctx, id, way+"@example.net", apptest.Password, apptest.LoginAddr))
			w.NoMailsLeft(e)
			begun := apptest.TokenIn(w.T, mailWith(w.T, at, way+"@example.net", "/confirm/"), "/confirm/")
			w.OK(renew(id, way))
			apptest.WantKind(w.T, w.Emails.Confirm(w.Ctx, begun), linnet.Gone)
			if s := apptest.Must(w.Emails.State(w.Ctx, id))(w.T); s.Address != way+"@example.com" || !s.Confirmed || s.Pending != "" || s.Held {
				w.Errorf("%s: %+v", way, s)
			}
			w.NoMailsLeft(e)
		}
		// The pending first address stays, but its old link is invalid and is only sent again on
		// request.
		u, err := w.Identity.SignUp(w.Ctx, linnet.SignUp{Login: "first", Password: apptest.Password, Agreed: true})
		w.OK(err)
		tries := at.Tries()
		at.Hold()
		w.OK(w.Emails.Set(w.Ctx, u.ID, "first@example.com", apptest.Password, apptest.LoginAddr))
		apptest.Eventually(w.T, "the mail is on its way", func() bool { return at.Tries() > tries })
		w.OK(w.Identity.SetPassword(w.Ctx, linnet.Operator(), "first", other))
		at.Release()
		w.NoMailsLeft(e)
		apptest.WantKind(w.T, w.Emails.Confirm(w.Ctx, apptest.TokenIn(w.T, mailWith(w.T, at, "first@example.com", "/confirm/"), "/confirm/")), linnet.Gone)
		if s := apptest.Must(w.Emails.State(w.Ctx, u.ID))(w.T); s.Pending != "first@example.com" || !s.Held {
			w.Errorf("the first: %+v", s)
		}
		w.OK(w.Emails.Resend(w.Ctx, u.ID, "", apptest.LoginAddr))
		w.NoMailsLeft(e)
		w.OK(w.Emails.Confirm(w.Ctx, apptest.TokenIn(w.T, mailWith(w.T, at, "first@example.com", "/confirm/"), "/confirm/")))
	})
}

// TestAnotherAddressEndsMailedLinks checks that a mailed link for a new password becomes invalid
// when the account's address changes or is removed.
func TestAnotherAddressEndsMailedLinks(t *testing.T) {
	apptest.OnMailEngines(t, func(w *apptest.World, at *mailtest.Server, e kv.Engine) {
		id := w.UserWithEmail(at, "ann", "ann@example.com")
		asked := func(address string) string {
			w.OK(w.Emails.Forgot(w.Ctx, address, apptest.LoginAddr))
			w.NoMailsLeft(e)
			return apptest.TokenIn(w.T, mailWith(w.T, at, address, "/reset/"), "/reset/")
		}
		before := asked("ann@example.com")
		w.OK(w.Emails.Set(w.Ctx, id, "ann@example.net", apptest.Password, apptest.LoginAddr))
		w.NoMailsLeft(e)
		w.OK(w.Emails.Confirm(w.Ctx, apptest.TokenIn(w.T, mailWith(w.T, at, "ann@example.net", "/confirm/"), "/confirm/")))
		apptest.WantKind(w.T, w.Identity.UseReset(w.Ctx, before, "battery staple", apptest.LoginAddr), linnet.Gone)
		w.NoMailsLeft(e)
		before = asked("ann@example.net")
		w.OK(w.Emails.Set(w.Ctx, id, "", apptest.Password, apptest.LoginAddr))
		apptest.WantKind(w.T, w.Identity.UseReset(w.Ctx, before, "battery staple", apptest.LoginAddr), linnet.Gone)
		w.NoMailsLeft(e)
		mailWith(w.T, at, "ann@example.net", "your account was removed")
	})
}

// TestMailsOfTheAccess checks that each change to an account's access is reported by mail to the
// confirmed address, with the browser that made it.
func TestMailsOfTheAccess(t *testing.T) {
	apptest.OnMailEngines(t, func(w *apptest.World, at *mailtest.Server, e kv.Engine) {
		id := w.UserWithEmail(at, "ann", "ann@example.com")
		told := func(text string) {
			w.Helper()
			w.NoMailsLeft(e)
			mailWith(w.T, at, "ann@example.com", text)
		}
		ctx := from(w, "192.0.2.1", firefox)
		apptest.EnableTwoFactor(w.T, w, id)
		told("You turned on two-factor authentication.")
		apptest.Must(w.Security.RenewRecovery(ctx, id, apptest.Password, apptest.LoginAddr))(w.T)
		told("You got new recovery codes.")
		if m := mailWith(w.T, at, "ann@example.com", "You got new recovery codes."); !strings.Contains(m.Text(), "Firefox") || !strings.Contains(m.Text(), "https://linnet.test/settings/security") {
			w.Errorf("the mail says %s", m.Text())
		}
		w.OK(w.Identity.EndTwoFactor(ctx, id, apptest.Password, apptest.LoginAddr))
		told("You turned off two-factor authentication.")
		apptest.Must(w.Identity.ChangePassword(ctx, id, apptest.Password, "battery staple", apptest.LoginAddr))(w.T)
		told("You changed your password.")
		_, _, err := w.Identity.OfferReset(w.Ctx, linnet.Operator(), id, false, "")
		w.OK(err)
		told("This server's staff created a link to reset your password.")
		w.OK(w.Identity.SetPassword(w.Ctx, linnet.Operator(), "ann", apptest.Password))
		told("set a new password for your account")
		// The old address also receives the mail about a change made right after its removal.
		tries := at.Tries()
		at.Hold()
		w.OK(w.Emails.Set(ctx, id, "", apptest.Password, apptest.LoginAddr))
		apptest.Must(w.Identity.ChangePassword(ctx, id, apptest.Password, "cell battery", apptest.LoginAddr))(w.T)
		apptest.Eventually(w.T, "both mails are on their way", func() bool { return at.Tries() >= tries+2 })
		before := len(at.Mails())
		at.Release()
		told("your account was removed")
		if all := at.Wait(w, before+2)[before:]; all[0].To != "ann@example.com" || all[1].To != "ann@example.com" || !strings.Contains(all[0].Text()+all[1].Text(), "You changed your password.") {
			w.Errorf("the mails are %+v", all)
		}
	})
}

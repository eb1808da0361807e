package app_test

import (
	"strings"
	"testing"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/mail/mailtest"
)

// TestNewPasswordEndsWhatWasBegun checks that a new password cancels a pending change of the
// address and its confirmation link, even if the mail has not been sent yet.
func TestNewPasswordEndsWhatWasBegun(t *testing.T) {
	onMailEngines(t, func(w *world, at *mailtest.Server, e kv.Engine) {
		const other = "battery staple"
		ways := map[string]func(id linnet.ID, login string) error{
			"changed": func(id linnet.ID, _ string) error {
				_, err := w.Identity.ChangePassword(w.ctx, id, rightPassword, other, here)
				return err
			},
			"set": func(_ linnet.ID, login string) error {
				return w.Identity.SetPassword(w.ctx, linnet.Operator(), login, other)
			},
			"linked": func(id linnet.ID, _ string) error {
				address, _, err := w.Identity.OfferReset(w.ctx, linnet.Operator(), id, false, "")
				if err != nil {
					return err
				}
				return w.Identity.UseReset(w.ctx, address[strings.LastIndexByte(address, '/')+1:], other, here)
			},
		}
		for way, renew := range ways {
			id := w.withEmail(at, way, way+"@example.com")
			w.did(w.Emails.Set(w.ctx, id, way+"@example.net", rightPassword, here))
			w.noMailsLeft(e)
			begun := tokenIn(w.T, mailWith(w.T, at, way+"@example.net", "/confirm/"), "/confirm/")
			w.did(renew(id, way))
			kindIs(w.T, w.Emails.Confirm(w.ctx, begun), linnet.Gone)
			if s := must(w.Emails.State(w.ctx, id))(w.T); s.Address != way+"@example.com" || !s.Confirmed || s.Pending != "" || s.Held {
				w.Errorf("%s: %+v", way, s)
			}
			w.noMailsLeft(e)
		}
		// The pending first address stays, but its old link is invalid and is only sent again on
		// request.
		u, err := w.Identity.SignUp(w.ctx, linnet.SignUp{Login: "first", Password: rightPassword, Agreed: true})
		w.did(err)
		tries := at.Tries()
		at.Hold()
		w.did(w.Emails.Set(w.ctx, u.ID, "first@example.com", rightPassword, here))
		eventually(w.T, "the mail is on its way", func() bool { return at.Tries() > tries })
		w.did(w.Identity.SetPassword(w.ctx, linnet.Operator(), "first", other))
		at.Release()
		w.noMailsLeft(e)
		kindIs(w.T, w.Emails.Confirm(w.ctx, tokenIn(w.T, mailWith(w.T, at, "first@example.com", "/confirm/"), "/confirm/")), linnet.Gone)
		if s := must(w.Emails.State(w.ctx, u.ID))(w.T); s.Pending != "first@example.com" || !s.Held {
			w.Errorf("the first: %+v", s)
		}
		w.did(w.Emails.Resend(w.ctx, u.ID, "", here))
		w.noMailsLeft(e)
		w.did(w.Emails.Confirm(w.ctx, tokenIn(w.T, mailWith(w.T, at, "first@example.com", "/confirm/"), "/confirm/")))
	})
}

// TestAnotherAddressEndsMailedLinks checks that a mailed link for a new password becomes invalid
// when the account's address changes or is removed.
func TestAnotherAddressEndsMailedLinks(t *testing.T) {
	onMailEngines(t, func(w *world, at *mailtest.Server, e kv.Engine) {
		id := w.withEmail(at, "ann", "ann@example.com")
		asked := func(address string) string {
			w.did(w.Emails.Forgot(w.ctx, address, here))
			w.noMailsLeft(e)
			return tokenIn(w.T, mailWith(w.T, at, address, "/reset/"), "/reset/")
		}
		before := asked("ann@example.com")
		w.did(w.Emails.Set(w.ctx, id, "ann@example.net", rightPassword, here))
		w.noMailsLeft(e)
		w.did(w.Emails.Confirm(w.ctx, tokenIn(w.T, mailWith(w.T, at, "ann@example.net", "/confirm/"), "/confirm/")))
		kindIs(w.T, w.Identity.UseReset(w.ctx, before, "battery staple", here), linnet.Gone)
		w.noMailsLeft(e)
		before = asked("ann@example.net")
		w.did(w.Emails.Set(w.ctx, id, "", rightPassword, here))
		kindIs(w.T, w.Identity.UseReset(w.ctx, before, "battery staple", here), linnet.Gone)
		w.noMailsLeft(e)
		mailWith(w.T, at, "ann@example.net", "your account was removed")
	})
}

// TestMailsOfTheAccess checks that each change to an account's access is reported by mail to the
// confirmed address, with the browser that made it.
func TestMailsOfTheAccess(t *testing.T) {
	onMailEngines(t, func(w *world, at *mailtest.Server, e kv.Engine) {
		id := w.withEmail(at, "ann", "ann@example.com")
		told := func(text string) {
			w.Helper()
			w.noMailsLeft(e)
			mailWith(w.T, at, "ann@example.com", text)
		}
		ctx := w.from("192.0.2.1", firefox)
		secondFactor(w.T, w, id)
		told("You turned on two-factor authentication.")
		must(w.Security.RenewRecovery(ctx, id, rightPassword, here))(w.T)
		told("You got new recovery codes.")
		if m := mailWith(w.T, at, "ann@example.com", "You got new recovery codes."); !strings.Contains(m.Text(), "Firefox") || !strings.Contains(m.Text(), "https://linnet.test/settings/security") {
			w.Errorf("the mail says %s", m.Text())
		}
		w.did(w.Identity.EndTwoFactor(ctx, id, rightPassword, here))
		told("You turned off two-factor authentication.")
		must(w.Identity.ChangePassword(ctx, id, rightPassword, "battery staple", here))(w.T)
		told("You changed your password.")
		_, _, err := w.Identity.OfferReset(w.ctx, linnet.Operator(), id, false, "")
		w.did(err)
		told("This server's staff created a link to reset your password.")
		w.did(w.Identity.SetPassword(w.ctx, linnet.Operator(), "ann", rightPassword))
		told("set a new password for your account")
		// The old address also receives the mail about a change made right after its removal.
		tries := at.Tries()
		at.Hold()
		w.did(w.Emails.Set(ctx, id, "", rightPassword, here))
		must(w.Identity.ChangePassword(ctx, id, rightPassword, "cell battery", here))(w.T)
		eventually(w.T, "both mails are on their way", func() bool { return at.Tries() >= tries+2 })
		before := len(at.Mails())
		at.Release()
		told("your account was removed")
		if all := at.Wait(w, before+2)[before:]; all[0].To != "ann@example.com" || all[1].To != "ann@example.com" || !strings.Contains(all[0].Text()+all[1].Text(), "You changed your password.") {
			w.Errorf("the mails are %+v", all)
		}
	})
}

package identity_test

import (
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/identity"
	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/mail/mailtest"
	"linnet/internal/mailing"
	"linnet/internal/record"
	"linnet/internal/store"
)

// mailWith returns the latest mail to an address that contains part.
func mailWith(t *testing.T, at *mailtest.Server, to, part string) mailtest.Mail {
	t.Helper()
	for _, m := range slices.Backward(at.Mails()) {
		if m.To == to && strings.Contains(m.Text(), part) {
			return m
		}
	}
	t.Fatalf("no mail to %s has %q in it", to, part)
	return mailtest.Mail{}
}

// TestEmailConfirmedAndPasswordForgotten checks that an address from the sign-up is valid once its
// link is used. It then allows a password reset, which still requires the second factor.
func TestEmailConfirmedAndPasswordForgotten(t *testing.T) {
	apptest.OnMailEngines(t, func(w *apptest.World, at *mailtest.Server, e kv.Engine) {
		u, err := w.Identity.SignUp(w.Ctx, linnet.SignUp{Login: "ann", Password: apptest.Password, Email: " Ann@BÜCHER.example ", Agreed: true})
		w.OK(err)
		m := at.Wait(w, 1)[0]
		if m.To != "ann@xn--bcher-kva.example" || m.From != "linnet@linnet.test" || m.Header.Get("From") != `"Linnet" <linnet@linnet.test>` || !strings.HasSuffix(m.Header.Get("Message-Id"), "@linnet.test>") {
			w.Errorf("the mail goes from %q (%s) to %q, %s", m.From, m.Header.Get("From"), m.To, m.Header.Get("Message-Id"))
		}
		token := apptest.TokenIn(w.T, m, "/confirm/")
		w.OK(w.Emails.Forgot(w.Ctx, "ann@bücher.example", apptest.LoginAddr)) // unconfirmed, so no mail is sent
		w.NoMailsLeft(e)
		if s := apptest.Must(w.Emails.State(w.Ctx, u.ID))(w.T); s.Confirmed || s.Pending != "ann@bücher.example" || s.Address != s.Pending {
			w.Errorf("before it is confirmed: %+v", s)
		}
		if l := apptest.Must(w.Emails.Link(w.Ctx, token))(w.T); l.Login != "ann" || l.Address != "ann@bücher.example" {
			w.Errorf("the link is about %+v", l)
		}
		for _, bad := range []string{"", "-", token + "x", token[:len(token)-1], "1-x"} {
			apptest.WantKind(w.T, w.Emails.Confirm(w.Ctx, bad), linnet.Gone)
		}
		w.OK(w.Emails.Confirm(w.Ctx, token))
		apptest.WantKind(w.T, w.Emails.Confirm(w.Ctx, token), linnet.Gone)
		if s := apptest.Must(w.Emails.State(w.Ctx, u.ID))(w.T); !s.Confirmed || s.Pending != "" {
			w.Errorf("once it is confirmed: %+v", s)
		}
		apptest.WantKind(w.T, w.Emails.Resend(w.Ctx, u.ID, "", apptest.LoginAddr), linnet.Forbidden)

		apptest.EnableTwoFactor(w.T, w, u.ID)
		session, _, err := w.Identity.LogIn(w.Ctx, "ann", apptest.Password, apptest.LoginAddr)
		if _, second := err.(*identity.SecondFactorError); !second {
			w.Fatalf("log-in: %q, %v", session, err)
		}
		at.Wait(w, 2) // the mail about the second factor
		w.OK(w.Emails.Forgot(w.Ctx, "ANN@bücher.example", apptest.LoginAddr))
		m = at.Wait(w, 3)[2]
		reset := apptest.TokenIn(w.T, m, "/reset/")
		w.OK(w.Identity.UseReset(w.Ctx, reset, "battery staple", apptest.LoginAddr))
		apptest.WantKind(w.T, w.Identity.UseReset(w.Ctx, reset, "battery stable", apptest.LoginAddr), linnet.Gone)
		if _, _, err := w.Identity.LogIn(w.Ctx, "ann", "battery staple", apptest.LoginAddr); err == nil {
			w.Error("the second factor is not asked for")
		} else if _, second := err.(*identity.SecondFactorError); !second {
			w.Errorf("log-in: %v", err)
		}
		w.NoMailsLeft(e)
		var events []linnet.SecurityEvent
		for _, x := range apptest.Must(w.Security.SecurityLog(w.Ctx, u.ID))(w.T) {
			events = append(events, x.Event)
		}
		if want := []linnet.SecurityEvent{linnet.ResetUsed, linnet.ResetMailed, linnet.TwoFactorOn, linnet.EmailConfirmed}; !slices.Equal(events, want) {
			w.Errorf("the security log has %v, want %v", events, want)
		}
	})
}

// TestEmailOfOthersAndChanges checks that a taken address gets the usual response, and that its
// owner receives a mail. A change is confirmed at the new address and reported to the old one.
func TestEmailOfOthersAndChanges(t *testing.T) {
	apptest.OnMailEngines(t, func(w *apptest.World, at *mailtest.Server, e kv.Engine) {
		ann := w.UserWithEmail(at, "ann", "ann@example.com")
		bob, err := w.Identity.SignUp(w.Ctx, linnet.SignUp{Login: "bob", Password: apptest.Password, Email: "ann@example.com", Agreed: true})
		w.OK(err)
		m := at.Wait(w, 2)[1]
		if m.To != "ann@example.com" || m.Link("/confirm/") != "" || !strings.Contains(m.Text(), "@bob") || !strings.Contains(m.Text(), "@ann") {
			w.Errorf("the owner is told %s", m.Text())
		}
		apptest.WantKind(w.T, w.Emails.Set(w.Ctx, bob.ID, "bob@example.com", "wrong horse", apptest.LoginAddr), linnet.Invalid)
		apptest.WantKind(w.T, w.Emails.Set(w.Ctx, bob.ID, "bob", apptest.Password, apptest.LoginAddr), linnet.Invalid)
		w.OK(w.Emails.Set(w.Ctx, bob.ID, "bob@example.com", apptest.Password, apptest.LoginAddr))
		w.OK(w.Emails.Confirm(w.Ctx, apptest.TokenIn(w.T, at.Wait(w, 3)[2], "/confirm/")))

		w.OK(w.Emails.Set(w.Ctx, ann, "ann@example.org", apptest.Password, apptest.LoginAddr))
		at.Wait(w, 5)
		m = mailWith(w.T, at, "ann@example.org", "/confirm/")
		mailWith(w.T, at, "ann@example.com", "A new e-mail address was entered") // the owner of the old mailbox is notified at once
		if s := apptest.Must(w.Emails.State(w.Ctx, ann))(w.T); m.To != "ann@example.org" || s.Address != "ann@example.com" || !s.Confirmed || s.Pending != "ann@example.org" {
			w.Errorf("on its way to %s: %+v", m.To, s)
		}
		w.OK(w.Emails.Confirm(w.Ctx, apptest.TokenIn(w.T, m, "/confirm/")))
		m = at.Wait(w, 6)[5]
		if m.To != "ann@example.com" || !strings.Contains(m.Text(), "The e-mail address of your account was changed") {
			w.Errorf("the former address is told: %s to %s", m.Text(), m.To)
		}
		w.NoMailsLeft(e)
		// The old address is free now, and mails to its new owner do not mention ann.
		w.OK(w.Emails.Set(w.Ctx, bob.ID, "ann@example.com", apptest.Password, apptest.LoginAddr))
		at.Wait(w, 8)
		w.OK(w.Emails.Confirm(w.Ctx, apptest.TokenIn(w.T, mailWith(w.T, at, "ann@example.com", "@bob"), "/confirm/")))
		at.Wait(w, 9) // bob@example.com is notified
		for _, address := range []string{"bob@example.com", "nobody@example.com", "ann@example.com", "ann@example.org"} {
			w.OK(w.Emails.Forgot(w.Ctx, address, apptest.LoginAddr))
			w.NoMailsLeft(e)
		}
		var to []string
		for _, m := range at.Mails()[9:] {
			to = append(to, m.To)
		}
		slices.Sort(to)
		if want := []string{"ann@example.com", "ann@example.org"}; !slices.Equal(to, want) {
			w.Errorf("mails for new passwords went to %v, want %v", to, want)
		}
		// Deleting the account frees its address.
		w.OK(w.Social.Deletion.DeleteUser(w.Ctx, ann))
		w.Drain()
		if owner := apptest.Must(w.Store.Sessions.EmailOwner(w.Ctx, record.Hash("ann@example.org")))(w.T); owner != 0 {
			w.Errorf("the address belongs to %v", owner)
		}
		w.OK(w.Emails.Set(w.Ctx, bob.ID, "", apptest.Password, apptest.LoginAddr))
		if s := apptest.Must(w.Emails.State(w.Ctx, bob.ID))(w.T); s.Address+s.Pending != "" || s.Confirmed {
			w.Errorf("removed: %+v", s)
		}
		w.NoMailsLeft(e)
	})
}

// TestEmailConfirmedByTwo checks that one of two accounts that confirm the same address at once
// receives it.
func TestEmailConfirmedByTwo(t *testing.T) {
	apptest.OnMailEngines(t, func(w *apptest.World, at *mailtest.Server, e kv.Engine) {
		var tokens []string
		for i, login := range []string{"ann", "bob"} {
			_, err := w.Identity.SignUp(w.Ctx, linnet.SignUp{Login: login, Password: apptest.Password, Email: "x@example.com", Agreed: true})
			w.OK(err)
			tokens = append(tokens, apptest.TokenIn(w.T, at.Wait(w, i+1)[i], "/confirm/"))
		}
		errs := make(chan error, 2)
		for _, token := range tokens {
			go func() { errs <- w.Emails.Confirm(w.Ctx, token) }()
		}
		first, second := <-errs, <-errs
		if first == nil {
			first, second = second, first
		}
		apptest.WantKind(w.T, first, linnet.Conflict)
		w.OK(second)
		w.NoMailsLeft(e)
	})
}

// TestMailedLinksEnd checks that a confirmation link expires after two days and a reset link after
// an hour. A newer link revokes both.
func TestMailedLinksEnd(t *testing.T) {
	clock := &apptest.Clock{}
	e, at := memkv.New(memkv.Options{Now: clock.Now}), mailtest.New(t, mailtest.Options{})
	w := apptest.WithMail(t, e, store.Options{Now: clock.Now}, at)
	u, err := w.Identity.SignUp(w.Ctx, linnet.SignUp{Login: "ann", Password: apptest.Password, Email: "ann@example.com", Agreed: true})
	w.OK(err)
	first := apptest.TokenIn(t, at.Wait(t, 1)[0], "/confirm/")
	w.OK(w.Emails.Resend(w.Ctx, u.ID, "", apptest.LoginAddr))
	second := apptest.TokenIn(t, at.Wait(t, 2)[1], "/confirm/")
	apptest.WantKind(t, w.Emails.Confirm(w.Ctx, first), linnet.Gone)
	clock.Advance(identity.EmailTTL + time.Second)
	apptest.WantKind(t, w.Emails.Confirm(w.Ctx, second), linnet.Gone)
	w.OK(w.Emails.Resend(w.Ctx, u.ID, "ann@example.org", apptest.LoginAddr))
	m := at.Wait(t, 3)[2]
	w.OK(w.Emails.Confirm(w.Ctx, apptest.TokenIn(t, m, "/confirm/")))
	if m.To != "ann@example.org" {
		t.Errorf("the mail goes to %s", m.To)
	}
	w.OK(w.Emails.Forgot(w.Ctx, "ann@example.org", apptest.LoginAddr))
	reset := apptest.TokenIn(t, at.Wait(t, 4)[3], "/reset/")
	clock.Advance(identity.MailedResetTTL + time.Second)
	apptest.WantKind(t, w.Identity.UseReset(w.Ctx, reset, "battery staple", apptest.LoginAddr), linnet.Gone)
}

// TestMailsAreLimited checks that mails are limited per address, whether or not it has an account,
// and per network of the client.
func TestMailsAreLimited(t *testing.T) {
	clock := &apptest.Clock{}
	e, at := memkv.New(memkv.Options{Now: clock.Now}), mailtest.New(t, mailtest.Options{})
	w := apptest.WithMail(t, e, store.Options{Now: clock.Now}, at)
	w.UserWithEmail(at, "ann", "ann@example.com")
	for i, address := range []string{"ann@example.com", "nobody@example.com"} {
		for try := range 6 {
			from := netip.AddrFrom4([4]byte{192, 0, 2, byte(10*i + try)})
			err := w.Emails.Forgot(w.Ctx, address, from)
			if err != nil { // refusing the sixth would reveal that five were asked for
				t.Errorf("try %d for %s: %v", try, address, err)
			}
		}
	}
	if mails := at.Wait(t, 6); len(mails) != 6 { // the link of withEmail and five more
		t.Errorf("%d mails were sent, want 6", len(mails))
	}
	for try := range 11 {
		err := w.Emails.Forgot(w.Ctx, strings.Repeat("x", try+1)+"@example.com", netip.MustParseAddr("198.51.100.1"))
		if (linnet.KindOf(err) == linnet.TooMany) != (try == 10) {
			t.Errorf("try %d from a network: %v", try, err)
		}
	}
}

// TestEmailRequired checks that users can only use their accounts once they have confirmed a
// required address.
func TestEmailRequired(t *testing.T) {
	apptest.OnMailEngines(t, func(w *apptest.World, at *mailtest.Server, e kv.Engine) {
		yes, open := true, linnet.RegisterOpen
		apptest.Must(w.Settings.ChangeInstance(w.Ctx, linnet.Operator(), linnet.InstanceChange{EmailRequired: &yes, Registrations: &open}))(w.T)
		_, err := w.Identity.Register(w.Ctx, linnet.SignUp{Login: "ann", Password: apptest.Password, Agreed: true})
		apptest.WantKind(w.T, err, linnet.Invalid)
		u, err := w.Identity.Register(w.Ctx, linnet.SignUp{Login: "ann", Password: apptest.Password, Email: "ann@example.com", Agreed: true})
		w.OK(err)
		at.Wait(w, 1)
		_, _, err = w.Identity.LogIn(w.Ctx, "ann", apptest.Password, apptest.LoginAddr)
		apptest.WantKind(w.T, err, linnet.Forbidden)
		if !strings.Contains(err.Error(), "Confirm your e-mail address") {
			w.Errorf("not let in: %v", err)
		}
		token := apptest.TokenIn(w.T, at.Wait(w, 2)[1], "/confirm/")
		if _, err := w.View.User(w.Ctx, 0, u.ID); linnet.KindOf(err) != linnet.NotFound {
			w.Errorf("the account is shown: %v", err)
		}
		w.OK(w.Emails.Confirm(w.Ctx, token))
		_, _, err = w.Identity.LogIn(w.Ctx, "ann", apptest.Password, apptest.LoginAddr)
		w.OK(err)
		apptest.Must(w.View.User(w.Ctx, 0, u.ID))(w.T)
		apptest.WantKind(w.T, w.Emails.Set(w.Ctx, u.ID, "", apptest.Password, apptest.LoginAddr), linnet.Invalid)
		w.NoMailsLeft(e)
	})
}

// TestWithoutMail checks that a server without mail asks for no address and has no mail tasks.
func TestWithoutMail(t *testing.T) {
	w := apptest.InMemory(t)
	u, err := w.Identity.SignUp(w.Ctx, linnet.SignUp{Login: "ann", Password: apptest.Password, Email: "ann@example.com", Agreed: true})
	w.OK(err)
	apptest.WantKind(t, w.Emails.Forgot(w.Ctx, "ann@example.com", apptest.LoginAddr), linnet.Forbidden)
	apptest.WantKind(t, w.Emails.Set(w.Ctx, u.ID, "ann@example.org", apptest.Password, apptest.LoginAddr), linnet.Forbidden)
	apptest.WantKind(t, w.Emails.Resend(w.Ctx, u.ID, "", apptest.LoginAddr), linnet.Forbidden)
	if m := apptest.Must(w.Mailing.New(mailing.Args{Kind: "x", User: u.ID}))(t); m.Ops() != nil {
		t.Error("a mail is left")
	}
}

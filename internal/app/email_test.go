package app_test

import (
	"context"
	"fmt"
	"net/netip"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"linnet/internal/app"
	"linnet/internal/app/apptest"
	"linnet/internal/identity"
	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/kv/redistest"
	"linnet/internal/linnet"
	"linnet/internal/mail"
	"linnet/internal/mail/mailtest"
	"linnet/internal/mailing"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/task"
)

// mailWorld returns a running app that sends its mails to a test server.
func mailWorld(t *testing.T, e kv.Engine, opt store.Options, at *mailtest.Server) *world {
	t.Helper()
	st := store.New(e, opt)
	s, err := app.New(st, app.Options{Derive: apptest.Derive, PublicURL: "https://linnet.test", Log: quiet(), Exclusive: true, Files: apptest.Files(t),
		Mail: &mail.Server{Addr: at.Addr, TLS: mail.StartTLS, From: "linnet@linnet.test", Roots: at.Roots}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); s.Run(ctx) }()
	w := &world{T: t, App: s, ctx: context.Background(), store: st, works: true}
	w.stop = func() { cancel(); <-done; w.works = false }
	t.Cleanup(w.stop)
	return w
}

// onMailEngines runs a test with a mail server over every engine, with -short only in memory.
func onMailEngines(t *testing.T, f func(w *world, at *mailtest.Server, e kv.Engine)) {
	for name, open := range map[string]func(t *testing.T) kv.Engine{"memory": func(*testing.T) kv.Engine { return memkv.New(memkv.Options{}) }, "disk": func(t *testing.T) kv.Engine { return openDisk(t) },
		"redis": func(t *testing.T) kv.Engine { return openRedis(t, redistest.Single(t), "") }} {
		t.Run(name, func(t *testing.T) {
			if name != "memory" {
				notWhenShort(t)
			}
			at, e := mailtest.New(t, mailtest.Options{}), open(t)
			f(mailWorld(t, e, store.Options{}, at), at, e)
		})
	}
}

// withEmail signs a user up and confirms the address.
func (w *world) withEmail(at *mailtest.Server, login, address string) linnet.ID {
	w.Helper()
	before := len(at.Mails())
	u, err := w.Identity.SignUp(w.ctx, linnet.SignUp{Login: login, Password: rightPassword, Email: address, Agreed: true})
	if err != nil {
		w.Fatal(err)
	}
	w.did(w.Emails.Confirm(w.ctx, tokenIn(w.T, at.Wait(w, before+1)[before], "/confirm/")))
	return u.ID
}

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

// tokenIn returns the token of a link in a mail.
func tokenIn(t *testing.T, m mailtest.Mail, part string) string {
	t.Helper()
	link := m.Link(part)
	if !strings.HasPrefix(link, "https://linnet.test"+part) {
		t.Fatalf("no link %s in\n%s", part, m.Text())
	}
	return path.Base(link)
}

// eventually waits until ok returns true.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not in time", what)
		}
	}
}

// leftMails returns the stored mail tasks, pending and dead.
func leftMails(t *testing.T, e kv.Engine) (later, dead []string) {
	t.Helper()
	for s := range uint16(kv.Shards) {
		for i, key := range []kv.Key{task.LaterKey(s), task.DeadKey(s)} {
			r := &kv.Range{Key: key, Limit: kv.MaxRange}
			if err := e.Read(t.Context(), r); err != nil {
				t.Fatal(err)
			}
			for _, m := range r.Members {
				get := &kv.Get{Key: task.Key(s, m.Member)}
				if err := e.Read(t.Context(), get); err != nil {
					t.Fatal(err)
				}
				if i == 0 {
					later = append(later, string(get.Data))
				} else {
					dead = append(dead, string(get.Data))
				}
			}
		}
	}
	return later, dead
}

// noMailsLeft waits until no mail is being sent, and checks the store.
func (w *world) noMailsLeft(e kv.Engine) {
	w.Helper()
	eventually(w.T, "mails end", func() bool { later, _ := leftMails(w.T, e); return len(later) == 0 && w.Idle() })
	w.check()
}

// TestEmailConfirmedAndPasswordForgotten checks that an address from the sign-up is valid once its
// link is used. It then allows a password reset, which still requires the second factor.
func TestEmailConfirmedAndPasswordForgotten(t *testing.T) {
	onMailEngines(t, func(w *world, at *mailtest.Server, e kv.Engine) {
		u, err := w.Identity.SignUp(w.ctx, linnet.SignUp{Login: "ann", Password: rightPassword, Email: " Ann@BÜCHER.example ", Agreed: true})
		w.did(err)
		m := at.Wait(w, 1)[0]
		if m.To != "ann@xn--bcher-kva.example" || m.From != "linnet@linnet.test" || m.Header.Get("From") != `"Linnet" <linnet@linnet.test>` || !strings.HasSuffix(m.Header.Get("Message-Id"), "@linnet.test>") {
			w.Errorf("the mail goes from %q (%s) to %q, %s", m.From, m.Header.Get("From"), m.To, m.Header.Get("Message-Id"))
		}
		token := tokenIn(w.T, m, "/confirm/")
		w.did(w.Emails.Forgot(w.ctx, "ann@bücher.example", here)) // unconfirmed, so no mail is sent
		w.noMailsLeft(e)
		if s := must(w.Emails.State(w.ctx, u.ID))(w.T); s.Confirmed || s.Pending != "ann@bücher.example" || s.Address != s.Pending {
			w.Errorf("before it is confirmed: %+v", s)
		}
		if l := must(w.Emails.Link(w.ctx, token))(w.T); l.Login != "ann" || l.Address != "ann@bücher.example" {
			w.Errorf("the link is about %+v", l)
		}
		for _, bad := range []string{"", "-", token + "x", token[:len(token)-1], "1-x"} {
			kindIs(w.T, w.Emails.Confirm(w.ctx, bad), linnet.Gone)
		}
		w.did(w.Emails.Confirm(w.ctx, token))
		kindIs(w.T, w.Emails.Confirm(w.ctx, token), linnet.Gone)
		if s := must(w.Emails.State(w.ctx, u.ID))(w.T); !s.Confirmed || s.Pending != "" {
			w.Errorf("once it is confirmed: %+v", s)
		}
		kindIs(w.T, w.Emails.Resend(w.ctx, u.ID, "", here), linnet.Forbidden)

		secondFactor(w.T, w, u.ID)
		session, _, err := w.Identity.LogIn(w.ctx, "ann", rightPassword, here)
		if _, second := err.(*identity.SecondFactorError); !second {
			w.Fatalf("log-in: %q, %v", session, err)
		}
		at.Wait(w, 2) // the mail about the second factor
		w.did(w.Emails.Forgot(w.ctx, "ANN@bücher.example", here))
		m = at.Wait(w, 3)[2]
		reset := tokenIn(w.T, m, "/reset/")
		w.did(w.Identity.UseReset(w.ctx, reset, "battery staple", here))
		kindIs(w.T, w.Identity.UseReset(w.ctx, reset, "battery stable", here), linnet.Gone)
		if _, _, err := w.Identity.LogIn(w.ctx, "ann", "battery staple", here); err == nil {
			w.Error("the second factor is not asked for")
		} else if _, second := err.(*identity.SecondFactorError); !second {
			w.Errorf("log-in: %v", err)
		}
		w.noMailsLeft(e)
		var events []linnet.SecurityEvent
		for _, x := range must(w.Security.SecurityLog(w.ctx, u.ID))(w.T) {
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
	onMailEngines(t, func(w *world, at *mailtest.Server, e kv.Engine) {
		ann := w.withEmail(at, "ann", "ann@example.com")
		bob, err := w.Identity.SignUp(w.ctx, linnet.SignUp{Login: "bob", Password: rightPassword, Email: "ann@example.com", Agreed: true})
		w.did(err)
		m := at.Wait(w, 2)[1]
		if m.To != "ann@example.com" || m.Link("/confirm/") != "" || !strings.Contains(m.Text(), "@bob") || !strings.Contains(m.Text(), "@ann") {
			w.Errorf("the owner is told %s", m.Text())
		}
		kindIs(w.T, w.Emails.Set(w.ctx, bob.ID, "bob@example.com", "wrong horse", here), linnet.Invalid)
		kindIs(w.T, w.Emails.Set(w.ctx, bob.ID, "bob", rightPassword, here), linnet.Invalid)
		w.did(w.Emails.Set(w.ctx, bob.ID, "bob@example.com", rightPassword, here))
		w.did(w.Emails.Confirm(w.ctx, tokenIn(w.T, at.Wait(w, 3)[2], "/confirm/")))

		w.did(w.Emails.Set(w.ctx, ann, "ann@example.org", rightPassword, here))
		at.Wait(w, 5)
		m = mailWith(w.T, at, "ann@example.org", "/confirm/")
		mailWith(w.T, at, "ann@example.com", "A new e-mail address was entered") // the owner of the old mailbox is notified at once
		if s := must(w.Emails.State(w.ctx, ann))(w.T); m.To != "ann@example.org" || s.Address != "ann@example.com" || !s.Confirmed || s.Pending != "ann@example.org" {
			w.Errorf("on its way to %s: %+v", m.To, s)
		}
		w.did(w.Emails.Confirm(w.ctx, tokenIn(w.T, m, "/confirm/")))
		m = at.Wait(w, 6)[5]
		if m.To != "ann@example.com" || !strings.Contains(m.Text(), "The e-mail address of your account was changed") {
			w.Errorf("the former address is told: %s to %s", m.Text(), m.To)
		}
		w.noMailsLeft(e)
		// The old address is free now, and mails to its new owner do not mention ann.
		w.did(w.Emails.Set(w.ctx, bob.ID, "ann@example.com", rightPassword, here))
		at.Wait(w, 8)
		w.did(w.Emails.Confirm(w.ctx, tokenIn(w.T, mailWith(w.T, at, "ann@example.com", "@bob"), "/confirm/")))
		at.Wait(w, 9) // bob@example.com is notified
		for _, address := range []string{"bob@example.com", "nobody@example.com", "ann@example.com", "ann@example.org"} {
			w.did(w.Emails.Forgot(w.ctx, address, here))
			w.noMailsLeft(e)
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
		w.did(w.Social.Deletion.DeleteUser(w.ctx, ann))
		w.drain()
		if owner := must(w.store.Sessions.EmailOwner(w.ctx, record.Hash("ann@example.org")))(w.T); owner != 0 {
			w.Errorf("the address belongs to %v", owner)
		}
		w.did(w.Emails.Set(w.ctx, bob.ID, "", rightPassword, here))
		if s := must(w.Emails.State(w.ctx, bob.ID))(w.T); s.Address+s.Pending != "" || s.Confirmed {
			w.Errorf("removed: %+v", s)
		}
		w.noMailsLeft(e)
	})
}

// TestEmailConfirmedByTwo checks that one of two accounts that confirm the same address at once
// receives it.
func TestEmailConfirmedByTwo(t *testing.T) {
	onMailEngines(t, func(w *world, at *mailtest.Server, e kv.Engine) {
		var tokens []string
		for i, login := range []string{"ann", "bob"} {
			_, err := w.Identity.SignUp(w.ctx, linnet.SignUp{Login: login, Password: rightPassword, Email: "x@example.com", Agreed: true})
			w.did(err)
			tokens = append(tokens, tokenIn(w.T, at.Wait(w, i+1)[i], "/confirm/"))
		}
		errs := make(chan error, 2)
		for _, token := range tokens {
			go func() { errs <- w.Emails.Confirm(w.ctx, token) }()
		}
		first, second := <-errs, <-errs
		if first == nil {
			first, second = second, first
		}
		kindIs(w.T, first, linnet.Conflict)
		w.did(second)
		w.noMailsLeft(e)
	})
}

// TestMailedLinksEnd checks that a confirmation link expires after two days and a reset link after
// an hour. A newer link revokes both.
func TestMailedLinksEnd(t *testing.T) {
	clock := &clocked{}
	e, at := memkv.New(memkv.Options{Now: clock.now}), mailtest.New(t, mailtest.Options{})
	w := mailWorld(t, e, store.Options{Now: clock.now}, at)
	u, err := w.Identity.SignUp(w.ctx, linnet.SignUp{Login: "ann", Password: rightPassword, Email: "ann@example.com", Agreed: true})
	w.did(err)
	first := tokenIn(t, at.Wait(t, 1)[0], "/confirm/")
	w.did(w.Emails.Resend(w.ctx, u.ID, "", here))
	second := tokenIn(t, at.Wait(t, 2)[1], "/confirm/")
	kindIs(t, w.Emails.Confirm(w.ctx, first), linnet.Gone)
	clock.turn(identity.EmailTTL + time.Second)
	kindIs(t, w.Emails.Confirm(w.ctx, second), linnet.Gone)
	w.did(w.Emails.Resend(w.ctx, u.ID, "ann@example.org", here))
	m := at.Wait(t, 3)[2]
	w.did(w.Emails.Confirm(w.ctx, tokenIn(t, m, "/confirm/")))
	if m.To != "ann@example.org" {
		t.Errorf("the mail goes to %s", m.To)
	}
	w.did(w.Emails.Forgot(w.ctx, "ann@example.org", here))
	reset := tokenIn(t, at.Wait(t, 4)[3], "/reset/")
	clock.turn(identity.MailedResetTTL + time.Second)
	kindIs(t, w.Identity.UseReset(w.ctx, reset, "battery staple", here), linnet.Gone)
}

// TestMailsAreLimited checks that mails are limited per address, whether or not it has an account,
// and per network of the client.
func TestMailsAreLimited(t *testing.T) {
	clock := &clocked{}
	e, at := memkv.New(memkv.Options{Now: clock.now}), mailtest.New(t, mailtest.Options{})
	w := mailWorld(t, e, store.Options{Now: clock.now}, at)
	w.withEmail(at, "ann", "ann@example.com")
	for i, address := range []string{"ann@example.com", "nobody@example.com"} {
		for try := range 6 {
			from := netip.AddrFrom4([4]byte{192, 0, 2, byte(10*i + try)})
			err := w.Emails.Forgot(w.ctx, address, from)
			if err != nil { // refusing the sixth would reveal that five were asked for
				t.Errorf("try %d for %s: %v", try, address, err)
			}
		}
	}
	if mails := at.Wait(t, 6); len(mails) != 6 { // the link of withEmail and five more
		t.Errorf("%d mails were sent, want 6", len(mails))
	}
	for try := range 11 {
		err := w.Emails.Forgot(w.ctx, strings.Repeat("x", try+1)+"@example.com", netip.MustParseAddr("198.51.100.1"))
		if (linnet.KindOf(err) == linnet.TooMany) != (try == 10) {
			t.Errorf("try %d from a network: %v", try, err)
		}
	}
}

// TestEmailRequired checks that users can only use their accounts once they have confirmed a
// required address.
func TestEmailRequired(t *testing.T) {
	onMailEngines(t, func(w *world, at *mailtest.Server, e kv.Engine) {
		yes, open := true, linnet.RegisterOpen
		must(w.Settings.ChangeInstance(w.ctx, linnet.Operator(), linnet.InstanceChange{EmailRequired: &yes, Registrations: &open}))(w.T)
		_, err := w.Identity.Register(w.ctx, linnet.SignUp{Login: "ann", Password: rightPassword, Agreed: true})
		kindIs(w.T, err, linnet.Invalid)
		u, err := w.Identity.Register(w.ctx, linnet.SignUp{Login: "ann", Password: rightPassword, Email: "ann@example.com", Agreed: true})
		w.did(err)
		at.Wait(w, 1)
		_, _, err = w.Identity.LogIn(w.ctx, "ann", rightPassword, here)
		kindIs(w.T, err, linnet.Forbidden)
		if !strings.Contains(err.Error(), "Confirm your e-mail address") {
			w.Errorf("not let in: %v", err)
		}
		token := tokenIn(w.T, at.Wait(w, 2)[1], "/confirm/")
		if _, err := w.View.User(w.ctx, 0, u.ID); linnet.KindOf(err) != linnet.NotFound {
			w.Errorf("the account is shown: %v", err)
		}
		w.did(w.Emails.Confirm(w.ctx, token))
		_, _, err = w.Identity.LogIn(w.ctx, "ann", rightPassword, here)
		w.did(err)
		must(w.View.User(w.ctx, 0, u.ID))(w.T)
		kindIs(w.T, w.Emails.Set(w.ctx, u.ID, "", rightPassword, here), linnet.Invalid)
		w.noMailsLeft(e)
	})
}

// TestMailsThatAreNotTaken checks that mails are retried with increasing delays if the mail server
// is busy, and set aside in the end. Mails to a rejected receiver are not retried.
func TestMailsThatAreNotTaken(t *testing.T) {
	clock := &clocked{}
	e, at := memkv.New(memkv.Options{Now: clock.now}), mailtest.New(t, mailtest.Options{})
	w := mailWorld(t, e, store.Options{Now: clock.now}, at)
	restart := func(w *world) *world { w.stop(); return mailWorld(t, e, store.Options{Now: clock.now}, at) }
	at.Refuse(func(stage, who string) error {
		if stage == "to" && strings.HasPrefix(who, "gone") {
			return mailtest.Answer(550, "no such mailbox")
		}
		if stage == "to" {
			return mailtest.Answer(451, who+" is greylisted")
		}
		return nil
	})
	_, err := w.Identity.SignUp(w.ctx, linnet.SignUp{Login: "bob", Password: rightPassword, Email: "gone@example.com", Agreed: true})
	w.did(err)
	eventually(t, "the refused mail ends", func() bool { later, dead := leftMails(t, e); return at.Tries() == 1 && len(later)+len(dead) == 0 })
	_, err = w.Identity.SignUp(w.ctx, linnet.SignUp{Login: "ann", Password: rightPassword, Email: "ann@example.com", Agreed: true})
	w.did(err)
	for try, wait := range []time.Duration{time.Minute, 5 * time.Minute, 20 * time.Minute, time.Hour, 4 * time.Hour, 12 * time.Hour} {
		eventually(t, "the mail is left for later", func() bool {
			later, _ := leftMails(t, e)
			return len(later) == 1 && at.Tries() == try+2 && strings.Contains(later[0], fmt.Sprintf(`"try":%d`, try+1)) // written after the attempt
		})
		clock.turn(wait + time.Minute)
		w = restart(w) // which looks for due tasks at once
	}
	eventually(t, "the mail is set aside", func() bool { later, dead := leftMails(t, e); return len(later) == 0 && len(dead) == 1 })
	_, dead := leftMails(t, e)
	if !strings.Contains(dead[0], "451") || strings.Contains(dead[0], "@") {
		t.Errorf("set aside as %s", dead[0])
	}
	if s := must(w.Mailing.State(w.ctx))(t); s.Failed == 0 || !strings.Contains(s.Why, "451") || strings.Contains(s.Why, "@") {
		t.Errorf("the state is %+v", s)
	}
	// An operator sends it again.
	at.Refuse(nil)
	tasks := must(w.deadTasks(e))(t)
	if ok, err := task.Retry(w.ctx, e, tasks[0].Shard, tasks[0].ID, w.store.Now()); err != nil || !ok {
		t.Fatalf("tried again: %v, %v", ok, err)
	}
	clock.turn(time.Minute)
	w = restart(w)
	at.Wait(t, 1)
	eventually(t, "nothing is left", func() bool { later, dead := leftMails(t, e); return len(later)+len(dead) == 0 })
	if s := must(w.Mailing.State(w.ctx))(t); s.Sent < s.Failed {
		t.Errorf("the state is %+v", s)
	}
}

func (w *world) deadTasks(e kv.Engine) ([]task.Listed, error) { return task.List(w.ctx, e, true, 10) }

// TestMailAfterACrash checks that another server sends a mail again after a crash, with the same
// Message-ID. A slow mail server delays nothing else.
func TestMailAfterACrash(t *testing.T) {
	clock := &clocked{}
	e, at := memkv.New(memkv.Options{Now: clock.now}), mailtest.New(t, mailtest.Options{})
	w := mailWorld(t, e, store.Options{Now: clock.now}, at)
	at.Hold()
	u, err := w.Identity.SignUp(w.ctx, linnet.SignUp{Login: "ann", Password: rightPassword, Email: "ann@example.com", Agreed: true})
	w.did(err)
	eventually(t, "the mail is under way", func() bool { return at.Tries() == 1 })
	w.post(u.ID, "meanwhile") // does not wait for the mail
	w.drain()
	w.stop() // the task stays, as after a kill
	at.Release()
	first := at.Wait(t, 1)[0]
	if later, _ := leftMails(t, e); len(later) != 1 {
		t.Fatalf("%q are left", later)
	}
	clock.turn(3 * time.Minute)
	w = mailWorld(t, e, store.Options{Now: clock.now}, at)
	again := at.Wait(t, 2)[1]
	if first.Header.Get("Message-Id") != again.Header.Get("Message-Id") {
		t.Errorf("sent as %s and %s", first.Header.Get("Message-Id"), again.Header.Get("Message-Id"))
	}
	w.did(w.Emails.Confirm(w.ctx, tokenIn(t, again, "/confirm/")))
	eventually(t, "nothing is left", func() bool { later, _ := leftMails(t, e); return len(later) == 0 })
}

// TestMailTasksHoldNothing checks that mail tasks contain no addresses and no link tokens, and that
// deleted accounts receive no mail.
func TestMailTasksHoldNothing(t *testing.T) {
	clock := &clocked{}
	e, at := memkv.New(memkv.Options{Now: clock.now}), mailtest.New(t, mailtest.Options{})
	w := mailWorld(t, e, store.Options{Now: clock.now}, at)
	at.Refuse(func(string, string) error { return mailtest.Answer(421, "not now") })
	u, err := w.Identity.SignUp(w.ctx, linnet.SignUp{Login: "ann", Password: rightPassword, Email: "ann@example.com", Agreed: true})
	w.did(err)
	w.did(w.Emails.Forgot(w.ctx, "ann@example.com", here))
	eventually(t, "one is left", func() bool {
		later, _ := leftMails(t, e)
		return len(later) == 1 && strings.Contains(later[0], `"try":1`)
	})
	later, _ := leftMails(t, e)
	if strings.Contains(later[0], "example") || strings.Contains(later[0], "@") {
		t.Errorf("the task holds %s", later[0])
	}
	w.did(w.Social.Deletion.DeleteUser(w.ctx, u.ID))
	at.Refuse(nil)
	clock.turn(2 * time.Minute)
	w.stop()
	w = mailWorld(t, e, store.Options{Now: clock.now}, at)
	eventually(t, "nothing is left", func() bool { later, _ := leftMails(t, e); return len(later) == 0 && w.Idle() })
	if n := len(at.Mails()); n != 0 {
		t.Errorf("%d mails went to who is gone", n)
	}
}

// TestWithoutMail checks that a server without mail asks for no address and has no mail tasks.
func TestWithoutMail(t *testing.T) {
	w := memWorld(t)
	u, err := w.Identity.SignUp(w.ctx, linnet.SignUp{Login: "ann", Password: rightPassword, Email: "ann@example.com", Agreed: true})
	w.did(err)
	kindIs(t, w.Emails.Forgot(w.ctx, "ann@example.com", here), linnet.Forbidden)
	kindIs(t, w.Emails.Set(w.ctx, u.ID, "ann@example.org", rightPassword, here), linnet.Forbidden)
	kindIs(t, w.Emails.Resend(w.ctx, u.ID, "", here), linnet.Forbidden)
	if m := must(w.Mailing.New(mailing.Args{Kind: "x", User: u.ID}))(t); m.Ops() != nil {
		t.Error("a mail is left")
	}
}

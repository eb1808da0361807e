package app_test

import (
	"context"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/mail/mailtest"
	"linnet/internal/record"
	"linnet/internal/store"
)

// TestMailOfNewBrowsers checks that a login from a new browser sends a mail, unless it is the
// first browser or the user has turned these mails off.
func TestMailOfNewBrowsers(t *testing.T) {
	onMailEngines(t, func(w *world, at *mailtest.Server, e kv.Engine) {
		ann := w.withEmail(at, "ann", "ann@example.com")
		note := func(cookie, agent string) string {
			w.Helper()
			return must(w.Emails.NoteDevice(w.from("192.0.2.7", agent), ann, cookie))(w.T)
		}
		first := note("", "Birdfox 1.0")
		if again := note(first, "Birdfox 1.1"); again != first {
			w.Errorf("the cookie becomes %q", again)
		}
		second := note("nonsense", firefox+"\r\nBcc: x@y.z \u202e"+strings.Repeat("ü", 3000))
		m := at.Wait(w, 2)[1]
		if m.To != "ann@example.com" || m.Header.Get("Bcc") != "" || !strings.Contains(m.Text(), "Browser: Firefox on Linux") || !strings.Contains(m.Text(), "Network: 192.0.2.…") || !strings.Contains(m.Text(), "https://linnet.test/settings/email") {
			w.Errorf("told as %s", m.Text())
		}
		note(second, "")
		w.did(w.Emails.Choose(w.ctx, ann, nil))
		note("", "Birdfox 2.0")
		w.noMailsLeft(e)
		if n := len(at.Mails()); n != 2 {
			w.Errorf("%d mails were sent, want 2", n)
		}
		for range 60 {
			note("", "")
		}
		r := &kv.Range{Key: record.DevicesKey(ann), Limit: kv.MaxRange}
		w.did(e.Read(w.ctx, r))
		if n := len(r.Members); n != 50 {
			w.Errorf("%d browsers are remembered, want 50", n)
		}
		w.noMailsLeft(e)
	})
}

// TestMailsOfRequestsAndReports checks that applicants are told the decision by mail, and
// moderators who want it are told about applicants. Rejected applicants leave no data.
func TestMailsOfRequestsAndReports(t *testing.T) {
	onMailEngines(t, func(w *world, at *mailtest.Server, e kv.Engine) {
		mod := w.withEmail(at, "mary", "mary@example.com")
		quiet := w.withEmail(at, "quiet", "quiet@example.com")
		for _, login := range []string{"mary", "quiet"} {
			w.did(w.giveRole(login, linnet.Moderator))
		}
		w.drain()
		w.did(w.Emails.Choose(w.ctx, mod, []linnet.MailKind{linnet.MailReports}))
		approval := linnet.RegisterApproval
		must(w.Settings.ChangeInstance(w.ctx, linnet.Operator(), linnet.InstanceChange{Registrations: &approval}))(w.T)
		to := func(address, part string) mailtest.Mail {
			w.Helper()
			var found mailtest.Mail
			eventually(w.T, "a mail to "+address, func() bool {
				i := slices.IndexFunc(at.Mails(), func(m mailtest.Mail) bool { return m.To == address && strings.Contains(m.Text(), part) })
				if i >= 0 {
					found = at.Mails()[i]
				}
				return i >= 0
			})
			return found
		}
		for login, act := range map[string]linnet.Moderation{"ann": linnet.Approve, "eve": linnet.Reject} {
			u, err := w.Identity.Register(w.ctx, linnet.SignUp{Login: login, Password: rightPassword, Email: login + "@example.com", Reason: "birds", Agreed: true})
			w.did(err)
			w.did(w.Emails.Confirm(w.ctx, tokenIn(w.T, to(login+"@example.com", "/confirm/"), "/confirm/")))
			if m := to("mary@example.com", "/admin/users/"+login); !strings.Contains(m.Text(), "Choose which e-mails you get") {
				w.Errorf("moderators are told %s", m.Text())
			}
			w.did(w.Moderation.Moderate(w.ctx, linnet.By(quiet), linnet.Measure{On: u.ID, Act: act}))
			to(login+"@example.com", map[linnet.Moderation]string{linnet.Approve: "has approved your account", linnet.Reject: "decided not to approve your account"}[act])
		}
		ann := must(w.Identity.Authenticate(w.ctx, "ann", rightPassword))(w.T)
		must(w.Moderation.Report(w.ctx, ann.ID, linnet.ReportDraft{On: mod, Comment: "x"}))(w.T)
		to("mary@example.com", "/admin/reports/")
		w.noMailsLeft(e)
		for _, m := range at.Mails() {
			if m.To == "quiet@example.com" && m.Link("/confirm/") == "" {
				w.Errorf("who does not wish it is told %s", m.Text())
			}
		}
		w.eachKey(e, func(key kv.Key) {
			if key.Kind == record.KindRefused {
				w.Errorf("%v is left", key)
			}
		})
	})
}

// eachKey calls f for all keys of a store.
func (w *world) eachKey(e kv.Engine, f func(kv.Key)) {
	w.Helper()
	for cursor := ""; ; {
		keys, next, err := e.(interface {
			Keys(ctx context.Context, cursor string) ([]kv.Key, string, error)
		}).Keys(w.ctx, cursor)
		w.did(err)
		for _, key := range keys {
			f(key)
		}
		if cursor = next; cursor == "" {
			return
		}
	}
}

// TestDigest checks that a weekly digest is sent to users who want it and have unread
// notifications, and that its link turns it off.
func TestDigest(t *testing.T) {
	clock := &clocked{}
	e, at := memkv.New(memkv.Options{Now: clock.now}), mailtest.New(t, mailtest.Options{})
	w := mailWorld(t, e, store.Options{Now: clock.now}, at)
	week := func() {
		t.Helper()
		due, _ := leftMails(t, e)
		clock.turn(7*24*time.Hour + time.Minute)
		w.stop()
		w = mailWorld(t, e, store.Options{Now: clock.now}, at)
		// The digest task has enqueued its successor, and the mail task has ended.
		eventually(t, "the digest is made", func() bool { later, _ := leftMails(t, e); return len(later) == 1 && !slices.Equal(later, due) })
	}
	ann, bob := w.withEmail(at, "ann", "ann@example.com"), w.withEmail(at, "bob", "bob@example.com")
	w.did(w.Emails.Choose(w.ctx, ann, []linnet.MailKind{linnet.MailLogin, linnet.MailDigest}))
	w.did(w.Emails.Choose(w.ctx, ann, []linnet.MailKind{linnet.MailDigest})) // repeated: still one task
	eventually(t, "there is one task", func() bool {
		later, _ := leftMails(t, e)
		return len(later) == 1 && strings.Contains(later[0], "digest")
	})
	week() // the only unread notification is ann's own
	before := len(at.Mails())
	must(w.Reading.UpdateFilter(w.ctx, ann, w.filter(ann, linnet.FilterNotifications, "wasps").ID, linnet.FilterChange{Action: new(linnet.FilterHide)}))(t)
	w.post(bob, "hello @ann, there are wasps") // a filter hides it
	w.drain()
	week()
	if n := len(at.Mails()); n != before {
		t.Errorf("%d mails, want %d", n, before)
	}
	for i := range 12 {
		w.post(bob, "hello @ann, %d", i)
	}
	w.drain()
	week()
	m := at.Wait(t, before+1)[before]
	text := m.Text()
	if m.To != "ann@example.com" || strings.Count(text, "bob mentioned you") != 10 || !strings.Contains(text, "and more") {
		t.Errorf("the digest to %s says %s", m.To, text)
	}
	link := strings.Trim(m.Header.Get("List-Unsubscribe"), "<>")
	if m.Header.Get("List-Unsubscribe-Post") != "List-Unsubscribe=One-Click" || !strings.HasPrefix(link, "https://linnet.test/unsubscribe/") || !strings.Contains(text, link) {
		t.Errorf("unsubscribed by %q", link)
	}
	token := path.Base(link)
	kindIs(t, w.Emails.Unsubscribe(w.ctx, token+"x"), linnet.Gone)
	kindIs(t, w.Emails.Unsubscribe(w.ctx, ann.String()+"-"), linnet.Gone)
	for range 2 {
		w.did(w.Emails.Unsubscribe(w.ctx, token))
	}
	if s := must(w.Emails.State(w.ctx, ann))(t); slices.Contains(s.Mails, linnet.MailDigest) {
		t.Errorf("the choice is %v", s.Mails)
	}
	if later, _ := leftMails(t, e); len(later) != 0 {
		t.Errorf("%q are left", later)
	}
	w.check()
}

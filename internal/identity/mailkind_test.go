package identity_test

import (
	"context"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"linnet/internal/app/apptest"
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
	apptest.OnMailEngines(t, func(w *apptest.World, at *mailtest.Server, e kv.Engine) {
		ann := w.UserWithEmail(at, "ann", "ann@example.com")
		note := func(cookie, agent string) string {
			w.Helper()
			return apptest.Must(w.Emails.NoteDevice(from(w, "192.0.2.7", agent), ann, cookie))(w.T)
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
		w.OK(w.Emails.Choose(w.Ctx, ann, nil))
		note("", "Birdfox 2.0")
		w.NoMailsLeft(e)
		if n := len(at.Mails()); n != 2 {
			w.Errorf("%d mails were sent, want 2", n)
		}
		for range 60 {
			note("", "")
		}
		r := &kv.Range{Key: record.DevicesKey(ann), Limit: kv.MaxRange}
		w.OK(e.Read(w.Ctx, r))
		if n := len(r.Members); n != 50 {
			w.Errorf("%d browsers are remembered, want 50", n)
		}
		w.NoMailsLeft(e)
	})
}

// TestMailsOfRequestsAndReports checks that applicants are told the decision by mail, and
// moderators who want it are told about applicants. Rejected applicants leave no data.
func TestMailsOfRequestsAndReports(t *testing.T) {
	apptest.OnMailEngines(t, func(w *apptest.World, at *mailtest.Server, e kv.Engine) {
		mod := w.UserWithEmail(at, "mary", "mary@example.com")
		quiet := w.UserWithEmail(at, "quiet", "quiet@example.com")
		for _, login := range []string{"mary", "quiet"} {
			w.OK(w.GiveRole(login, linnet.Moderator))
		}
		w.Drain()
		w.OK(w.Emails.Choose(w.Ctx, mod, []linnet.MailKind{linnet.MailReports}))
		approval := linnet.RegisterApproval
		apptest.Must(w.Settings.ChangeInstance(w.Ctx, linnet.Operator(), linnet.InstanceChange{Registrations: &approval}))(w.T)
		to := func(address, part string) mailtest.Mail {
			w.Helper()
			var found mailtest.Mail
			apptest.Eventually(w.T, "a mail to "+address, func() bool {
				i := slices.IndexFunc(at.Mails(), func(m mailtest.Mail) bool { return m.To == address && strings.Contains(m.Text(), part) })
				if i >= 0 {
					found = at.Mails()[i]
				}
				return i >= 0
			})
			return found
		}
		for login, act := range map[string]linnet.Moderation{"ann": linnet.Approve, "eve": linnet.Reject} {
			u, err := w.Identity.Register(w.Ctx, linnet.SignUp{Login: login, Password: apptest.Password, Email: login + "@example.com", Reason: "birds", Agreed: true})
			w.OK(err)
			w.OK(w.Emails.Confirm(w.Ctx, apptest.TokenIn(w.T, to(login+"@example.com", "/confirm/"), "/confirm/")))
			if m := to("mary@example.com", "/admin/users/"+login); !strings.Contains(m.Text(), "Choose which e-mails you get") {
				w.Errorf("moderators are told %s", m.Text())
			}
			w.OK(w.Moderation.Moderate(w.Ctx, linnet.By(quiet), linnet.Measure{On: u.ID, Act: act}))
			to(login+"@example.com", map[linnet.Moderation]string{linnet.Approve: "has approved your account", linnet.Reject: "decided not to approve your account"}[act])
		}
		ann := apptest.Must(w.Identity.Authenticate(w.Ctx, "ann", apptest.Password))(w.T)
		apptest.Must(w.Moderation.Report(w.Ctx, ann.ID, linnet.ReportDraft{On: mod, Comment: "x"}))(w.T)
		to("mary@example.com", "/admin/reports/")
		w.NoMailsLeft(e)
		for _, m := range at.Mails() {
			if m.To == "quiet@example.com" && m.Link("/confirm/") == "" {
				w.Errorf("who does not wish it is told %s", m.Text())
			}
		}
		eachKey(w, e, func(key kv.Key) {
			if key.Kind == record.KindRefused {
				w.Errorf("%v is left", key)
			}
		})
	})
}

// eachKey calls f for all keys of a store.
func eachKey(w *apptest.World, e kv.Engine, f func(kv.Key)) {
	w.Helper()
	for cursor := ""; ; {
		keys, next, err := e.(interface {
			Keys(ctx context.Context, cursor string) ([]kv.Key, string, error)
		}).Keys(w.Ctx, cursor)
		w.OK(err)
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
	clock := &apptest.Clock{}
	e, at := memkv.New(memkv.Options{Now: clock.Now}), mailtest.New(t, mailtest.Options{})
	w := apptest.WithMail(t, e, store.Options{Now: clock.Now}, at)
	week := func() {
		t.Helper()
		due, _ := apptest.LeftMails(t, e)
		clock.Advance(7*24*time.Hour + time.Minute)
		w.Stop()
		w = apptest.WithMail(t, e, store.Options{Now: clock.Now}, at)
		// The digest task has enqueued its successor, and the mail task has ended.
		apptest.Eventually(t, "the digest is made", func() bool { later, _ := apptest.LeftMails(t, e); return len(later) == 1 && !slices.Equal(later, due) })
	}
	ann, bob := w.UserWithEmail(at, "ann", "ann@example.com"), w.UserWithEmail(at, "bob", "bob@example.com")
	w.OK(w.Emails.Choose(w.Ctx, ann, []linnet.MailKind{linnet.MailLogin, linnet.MailDigest}))
	w.OK(w.Emails.Choose(w.Ctx, ann, []linnet.MailKind{linnet.MailDigest})) // repeated: still one task
	apptest.Eventually(t, "there is one task", func() bool {
		later, _ := apptest.LeftMails(t, e)
		return len(later) == 1 && strings.Contains(later[0], "digest")
	})
	week() // the only unread notification is ann's own
	before := len(at.Mails())
	apptest.Must(w.Reading.UpdateFilter(w.Ctx, ann, w.Filter(ann, linnet.FilterNotifications, "wasps").ID, linnet.FilterChange{Action: new(linnet.FilterHide)}))(t)
	w.Post(bob, "hello @ann, there are wasps") // a filter hides it
	w.Drain()
	week()
	if n := len(at.Mails()); n != before {
		t.Errorf("%d mails, want %d", n, before)
	}
	for i := range 12 {
		w.Post(bob, "hello @ann, %d", i)
	}
	w.Drain()
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
	apptest.WantKind(t, w.Emails.Unsubscribe(w.Ctx, token+"x"), linnet.Gone)
	apptest.WantKind(t, w.Emails.Unsubscribe(w.Ctx, ann.String()+"-"), linnet.Gone)
	for range 2 {
		w.OK(w.Emails.Unsubscribe(w.Ctx, token))
	}
	if s := apptest.Must(w.Emails.State(w.Ctx, ann))(t); slices.Contains(s.Mails, linnet.MailDigest) {
		t.Errorf("the choice is %v", s.Mails)
	}
	if later, _ := apptest.LeftMails(t, e); len(later) != 0 {
		t.Errorf("%q are left", later)
	}
	w.Check()
}

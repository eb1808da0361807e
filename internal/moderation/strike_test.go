package moderation_test

import (
	"errors"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/identity"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/mail/mailtest"
	"linnet/internal/record"
)

// reported returns the id of a report of statuses by a user.
func reported(w *apptest.World, by, on linnet.ID, posts ...linnet.ID) linnet.ID {
	w.Helper()
	return apptest.Must(w.Moderation.Report(w.Ctx, by, linnet.ReportDraft{On: on, Statuses: posts, Rules: []int{1}}))(w.T).ID
}

// strikes returns the strikes of an account as its owner sees them, newest first.
func strikes(w *apptest.World, of linnet.ID) []linnet.StrikeView {
	w.Helper()
	return apptest.Must(w.Moderation.Strikes.Own(w.Ctx, of, linnet.Page{}))(w.T).Items
}

// sentences returns the notifications of a user without a sender, newest first.
func sentences(w *apptest.World, of linnet.ID) (all []string) {
	w.Helper()
	for _, n := range apptest.Must(w.Notify.Notifications(w.Ctx, of, linnet.NotificationFilter{Shown: true}, linnet.Page{}))(w.T).Items {
		if n.Type.Kind().Own {
			all = append(all, n.Sentence(of))
		}
	}
	return all
}

// withRule adds a rule to the instance.
func withRule(w *apptest.World) {
	w.Helper()
	apptest.Must(w.Settings.ChangeInstance(w.Ctx, linnet.Operator(), linnet.InstanceChange{Rules: &[]string{"Be kind."}}))(w.T)
}

// TestStrikes checks that each action against an account creates a strike with the rule and the
// reason, which the owner is notified of, and that an approved appeal undoes the action.
func TestStrikes(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		withRule(w)
		bob, eve := w.User("bob"), w.User("eve")
		w.User("mia")
		w.OK(w.GiveRole("mia", linnet.Moderator))
		mod := linnet.By(apptest.Must(w.Moderation.AccountNamed(w.Ctx, linnet.Operator(), "mia"))(w.T).ID)
		post := w.Post(eve, "buy seeds").ID
		state := func() linnet.AccountState {
			u := apptest.Must(w.Store.UserNow(w.Ctx, eve))(w.T)
			for _, s := range record.ListedStates() {
				if u.InState(s) {
					return s
				}
			}
			return linnet.AnyState
		}
		for i, c := range []struct {
			act   linnet.Moderation
			state linnet.AccountState
			said  string
		}{
			{linnet.Warn, "", "The moderators sent you a warning."},
			{linnet.Silence, linnet.StateSilenced, "The moderators limited the reach of your account."},
			{linnet.Sensitize, linnet.StateSensitized, "The moderators marked all your posts as sensitive."},
			{linnet.Disable, linnet.StateDisabled, "The moderators disabled your account."},
			{linnet.Suspend, linnet.StateSuspended, "The moderators suspended your account."},
		} {
			report := reported(w, bob, eve, post)
			for range 2 { // the second changes nothing, except for a warning, which is repeated
				w.OK(w.Moderation.ModerateReported(w.Ctx, mod, linnet.Measure{On: eve, Act: c.act, Reason: "because", Report: report}))
				if c.act == linnet.Warn {
					break
				}
			}
			w.Drain()
			st := strikes(w, eve)
			if len(st) != i+1 || st[0].Act != c.act || st[0].Text != "because" || st[0].By != 0 || st[0].Report != report ||
				!slices.Equal(st[0].Rules, []linnet.BrokenRule{{Number: 1, Text: "Be kind."}}) || len(st[0].Posts) != 1 || st[0].Posts[0].Excerpt != "buy seeds" {
				w.Fatalf("%s: %d strikes: %+v", c.act, len(st), st)
			}
			if got := sentences(w, eve); got[0] != c.said {
				w.Errorf("%s: told %q", c.act, got)
			}
			if got := state(); got != c.state {
				w.Errorf("%s: the account is %q", c.act, got)
			}
			w.Check()
			appeal := func(words string) error {
				_, err := w.Moderation.Strikes.Appeal(w.Ctx, eve, st[0].ID, words)
				return err
			}
			apptest.WantKind(w.T, appeal(" \n"), linnet.Invalid)
			apptest.WantKind(w.T, appeal(strings.Repeat("x", linnet.MaxAppeal+1)), linnet.Invalid)
			apptest.WantKind(w.T, w.Moderation.Strikes.Decide(w.Ctx, mod, st[0].ID, true), linnet.Conflict)
			w.OK(appeal("I didn't"))
			w.OK(appeal("I didn't"))
			apptest.WantKind(w.T, appeal("I really didn't"), linnet.Conflict)
			w.Check()
			pending := apptest.Must(w.Moderation.Strikes.Appealed(w.Ctx, mod, linnet.Page{}))(w.T).Items
			if len(pending) != 1 || pending[0].ID != st[0].ID || pending[0].ByAccount == nil || pending[0].ByAccount.Login != "mia" {
				w.Errorf("%s: pending %+v", c.act, pending)
			}
			for range 2 {
				w.OK(w.Moderation.Strikes.Decide(w.Ctx, mod, st[0].ID, true))
			}
			apptest.WantKind(w.T, w.Moderation.Strikes.Decide(w.Ctx, mod, st[0].ID, false), linnet.Conflict)
			w.Drain()
			if got := state(); got != "" {
				w.Errorf("%s: the account is %q after the appeal", c.act, got)
			}
			if got := sentences(w, eve); got[0] != "The moderators approved your appeal." {
				w.Errorf("%s: told %q", c.act, got)
			}
			w.Check()
		}
	})
}

// TestLaterStrikeStays checks that an approved appeal doesn't undo the same action of a later strike.
func TestLaterStrikeStays(t *testing.T) {
	w := apptest.InMemory(t)
	eve := w.User("eve")
	for _, act := range []linnet.Moderation{linnet.Silence, linnet.Unsilence, linnet.Silence} {
		w.OK(w.Moderate(linnet.Operator(), eve, act))
	}
	first := strikes(w, eve)[1]
	apptest.Must(w.Moderation.Strikes.Appeal(w.Ctx, eve, first.ID, "no"))(t)
	w.OK(w.Moderation.Strikes.Decide(w.Ctx, linnet.Operator(), first.ID, true))
	if u := apptest.Must(w.Store.UserNow(w.Ctx, eve))(t); !u.Silenced {
		t.Error("the later action is undone")
	}
}

// TestModeratedPosts checks that moderators delete posts, mark them as sensitive and remove
// pictures with their files, also from earlier versions.
func TestModeratedPosts(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		bob, eve := w.User("bob"), w.User("eve")
		w.User("mia")
		w.OK(w.GiveRole("mia", linnet.Moderator))
		mod := linnet.By(apptest.Must(w.Moderation.AccountNamed(w.Ctx, linnet.Operator(), "mia"))(w.T).ID)
		bad, good, only := apptest.Must(w.Upload(eve))(w.T), apptest.Must(w.Upload(eve))(w.T), apptest.Must(w.Upload(eve))(w.T)
		st := apptest.Must(w.Posting.Post(w.Ctx, eve, linnet.Draft{Text: "one", Media: []linnet.ID{bad.ID}}))(w.T)
		apptest.Must(w.Posting.Edit(w.Ctx, eve, st.ID, linnet.Edit{Text: "two", Media: []linnet.ID{bad.ID, good.ID}}))(w.T)
		apptest.Must(w.Posting.Edit(w.Ctx, eve, st.ID, linnet.Edit{Text: "three", Media: []linnet.ID{good.ID}}))(w.T)
		bare := apptest.Must(w.Posting.Post(w.Ctx, eve, linnet.Draft{Media: []linnet.ID{only.ID}}))(w.T)
		gone, direct := w.Post(eve, "spam").ID, apptest.Must(w.Posting.Post(w.Ctx, eve, linnet.Draft{Text: "psst @bob", Visibility: new(linnet.Direct)}))(w.T).ID
		act := func(m linnet.Measure) error {
			m.On = eve
			return w.Moderation.ModerateReported(w.Ctx, mod, m)
		}
		apptest.WantKind(w.T, act(linnet.Measure{Act: linnet.RemovePicture, Posts: []linnet.ID{st.ID}, Picture: only.ID}), linnet.Invalid)
		apptest.WantKind(w.T, act(linnet.Measure{Act: linnet.RemovePicture, Posts: []linnet.ID{bare.ID}, Picture: only.ID}), linnet.Invalid)
		apptest.WantKind(w.T, act(linnet.Measure{Act: linnet.DeletePosts, Posts: []linnet.ID{direct}}), linnet.NotFound)
		apptest.WantKind(w.T, w.Moderation.ModerateReported(w.Ctx, linnet.By(bob), linnet.Measure{On: eve, Act: linnet.DeletePosts, Posts: []linnet.ID{gone}}), linnet.Forbidden)
		apptest.WantKind(w.T, w.Moderation.ModerateReported(w.Ctx, mod, linnet.Measure{On: bob, Act: linnet.DeletePosts, Posts: []linnet.ID{gone}}), linnet.NotFound)

		w.ExpectServed("before", slices.Concat(bad.Files(), good.Files()), true)
		for range 2 {
			err := act(linnet.Measure{Act: linnet.RemovePicture, Posts: []linnet.ID{st.ID}, Picture: bad.ID, Reason: "not yours"})
			if err != nil {
				apptest.WantKind(w.T, err, linnet.Invalid) // removed by the first attempt
			}
		}
		w.ExpectServed("removed", bad.Files(), false)
		w.ExpectServed("the other", good.Files(), true)
		_, versions, err := w.View.History(w.Ctx, 0, st.ID)
		w.OK(err)
		for _, v := range versions {
			if slices.ContainsFunc(v.Media, func(a linnet.Attachment) bool { return a.ID == bad.ID }) {
				w.Errorf("version %q still has the picture", v.Text)
			}
		}
		w.Drain()
		w.Check()

		for range 2 {
			w.OK(act(linnet.Measure{Act: linnet.MarkSensitive, Posts: []linnet.ID{st.ID}, Reason: "a nest"}))
		}
		apptest.Must(w.Posting.Edit(w.Ctx, eve, st.ID, linnet.Edit{Text: "four", Media: []linnet.ID{good.ID}}))(w.T)
		if v := apptest.Must(w.View.Status(w.Ctx, 0, st.ID))(w.T); !v.Sensitive {
			w.Error("an edit makes the post harmless")
		}
		w.OK(act(linnet.Measure{Act: linnet.DeletePosts, Posts: []linnet.ID{gone}, Reason: "spam"}))
		_, err = w.View.Status(w.Ctx, eve, gone)
		apptest.WantKind(w.T, err, linnet.NotFound)
		report := apptest.Must(w.Moderation.Report(w.Ctx, bob, linnet.ReportDraft{On: eve, Statuses: []linnet.ID{direct}}))(w.T).ID
		w.OK(act(linnet.Measure{Act: linnet.DeletePosts, Report: report}))
		_, err = w.View.Status(w.Ctx, bob, direct)
		apptest.WantKind(w.T, err, linnet.NotFound)
		w.Drain()
		all := strikes(w, eve)
		var acts []linnet.Moderation
		for _, s := range all {
			acts = append(acts, s.Act)
		}
		if want := []linnet.Moderation{linnet.DeletePosts, linnet.DeletePosts, linnet.MarkSensitive, linnet.RemovePicture}; !slices.Equal(acts, want) {
			w.Fatalf("strikes for %v, want %v", acts, want)
		}
		if got := sentences(w, bob); !slices.Equal(got, []string{"The moderators handled your report. Thank you for your help."}) {
			w.Errorf("the reporter reads %q", got)
		}
		if n := apptest.Must(w.Notify.Notifications(w.Ctx, bob, linnet.NotificationFilter{}, linnet.Page{}))(w.T).Items; slices.ContainsFunc(n, func(v linnet.NotificationView) bool { return v.Type == linnet.NotifyHandled }) {
			w.Error("apps get a notification of an unknown type")
		}
		apptest.Must(w.Moderation.Strikes.Appeal(w.Ctx, eve, all[2].ID, "it is empty"))(w.T)
		w.OK(w.Moderation.Strikes.Decide(w.Ctx, mod, all[2].ID, true))
		if v := apptest.Must(w.View.Status(w.Ctx, 0, st.ID))(w.T); v.Sensitive {
			w.Error("the post is still sensitive after the appeal")
		}
		w.Drain()
		w.Check()
	})
}

// TestStrikesOfOthers checks who can read a strike and appeal: its owner and staff, and anyone with
// its link, but without its posts.
func TestStrikesOfOthers(t *testing.T) {
	w := apptest.InMemory(t)
	bob, eve := w.User("bob"), w.User("eve")
	w.User("mia")
	w.OK(w.GiveRole("mia", linnet.Moderator))
	post := w.Post(eve, "secret").ID
	w.OK(w.Moderation.ModerateReported(w.Ctx, linnet.Operator(), linnet.Measure{On: eve, Act: linnet.DeletePosts, Posts: []linnet.ID{post}}))
	st := strikes(w, eve)[0]
	s := w.Moderation.Strikes
	for _, who := range []linnet.ID{0, bob, apptest.Must(w.Moderation.AccountNamed(w.Ctx, linnet.Operator(), "mia"))(t).ID} {
		_, err := s.OwnByID(w.Ctx, who, st.ID)
		apptest.WantKind(t, err, linnet.NotFound)
		_, err = s.Appeal(w.Ctx, who, st.ID, "let me")
		apptest.WantKind(t, err, linnet.NotFound)
		if mine := strikes(w, who); len(mine) != 0 {
			t.Errorf("%v has strikes %+v", who, mine)
		}
	}
	for _, by := range []linnet.Actor{linnet.By(bob), linnet.By(eve), {}} {
		_, err := s.Of(w.Ctx, by, eve, linnet.Page{})
		apptest.WantKind(t, err, linnet.Forbidden)
		_, err = s.Appealed(w.Ctx, by, linnet.Page{})
		apptest.WantKind(t, err, linnet.Forbidden)
		_, err = s.ByID(w.Ctx, by, st.ID)
		apptest.WantKind(t, err, linnet.Forbidden)
		apptest.WantKind(t, s.Decide(w.Ctx, by, st.ID, true), linnet.Forbidden)
	}
	for _, token := range []string{"", "x", st.ID.String(), st.ID.String() + "-", st.ID.String() + "-x", bob.String() + "-" + st.Key} {
		_, err := s.ByToken(w.Ctx, token)
		apptest.WantKind(t, err, linnet.NotFound)
		apptest.WantKind(t, s.AppealByToken(w.Ctx, token, "let me"), linnet.NotFound)
	}
	v := apptest.Must(s.ByToken(w.Ctx, st.Token()))(t)
	if len(v.Posts) != 0 || v.ID != st.ID {
		t.Errorf("the link shows %+v", v)
	}
	w.OK(s.AppealByToken(w.Ctx, st.Token(), "please"))
}

// TestClosedLogin checks that owners of closed accounts get a link to the strike after they have
// entered the right password, but visitors with a wrong one do not.
func TestClosedLogin(t *testing.T) {
	w := apptest.InMemory(t)
	from := netip.MustParseAddr("192.0.2.1")
	eve := w.User("eve")
	for _, act := range []linnet.Moderation{linnet.Disable, linnet.Suspend} {
		w.OK(w.Moderate(linnet.Operator(), eve, act))
		var closed *identity.ClosedError
		_, _, err := w.Identity.LogIn(w.Ctx, "eve", "wrong horse", from)
		if errors.As(err, &closed) {
			t.Error("a wrong password gets the link")
		}
		_, _, err = w.Identity.LogIn(w.Ctx, "eve", "correct horse", from)
		apptest.WantKind(t, err, linnet.Forbidden)
		if !errors.As(err, &closed) || apptest.Must(w.Moderation.Strikes.ByToken(w.Ctx, strings.TrimPrefix(closed.Path, "/strike/")))(t).Act != act {
			t.Errorf("%s: %v", act, err)
		}
	}
}

// TestStrikesEnd checks that the oldest strikes of an account are deleted beyond the maximum, and
// all with the account.
func TestStrikesEnd(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		eve := w.User("eve")
		for range linnet.MaxStrikes + 2 {
			w.OK(w.Moderate(linnet.Operator(), eve, linnet.Warn))
		}
		all := apptest.Must(w.Moderation.Strikes.Own(w.Ctx, eve, linnet.Page{Limit: linnet.MaxPage}))(w.T)
		n := len(all.Items)
		for all.Last != "" {
			all = apptest.Must(w.Moderation.Strikes.Own(w.Ctx, eve, linnet.Page{Limit: linnet.MaxPage, Max: all.Last}))(w.T)
			n += len(all.Items)
		}
		if n != linnet.MaxStrikes {
			w.Errorf("%d strikes, want %d", n, linnet.MaxStrikes)
		}
		apptest.Must(w.Moderation.Strikes.Appeal(w.Ctx, eve, strikes(w, eve)[0].ID, "no"))(w.T)
		w.OK(w.Social.Deletion.DeleteUser(w.Ctx, eve))
		w.Drain()
		w.Check()
		if left := apptest.Must(w.Moderation.Strikes.Appealed(w.Ctx, linnet.Operator(), linnet.Page{}))(w.T).Items; len(left) != 0 {
			w.Errorf("left: %+v", left)
		}
	})
}

// TestMailOfStrikes checks that a strike is sent by mail if the moderator wants that, with a link
// that works without a login, and that staff and the owner get mails about the appeal.
func TestMailOfStrikes(t *testing.T) {
	apptest.OnMailEngines(t, func(w *apptest.World, at *mailtest.Server, e kv.Engine) {
		mod := w.UserWithEmail(at, "mary", "mary@example.com")
		w.OK(w.GiveRole("mary", linnet.Moderator))
		w.OK(w.Emails.Choose(w.Ctx, mod, []linnet.MailKind{linnet.MailReports}))
		eve := w.UserWithEmail(at, "eve", "eve@example.com")
		before := len(at.Mails())
		w.OK(w.Moderation.Moderate(w.Ctx, linnet.By(mod), linnet.Measure{On: eve, Act: linnet.Warn, Reason: "quietly"}))
		w.OK(w.Moderation.Moderate(w.Ctx, linnet.By(mod), linnet.Measure{On: eve, Act: linnet.Suspend, Reason: "sells things", Email: true}))
		st := strikes(w, eve)[0]
		m := at.Wait(w, before+1)[before]
		if m.To != "eve@example.com" || !strings.Contains(m.Text(), "Reason: sells things") || !strings.Contains(m.Text(), "https://linnet.test/strike/"+st.Token()) {
			w.Errorf("the strike is sent as %s", m.Text())
		}
		w.OK(w.Moderation.Strikes.AppealByToken(w.Ctx, st.Token(), "please"))
		m = at.Wait(w, before+2)[before+1]
		if m.To != "mary@example.com" || !strings.Contains(m.Text(), "https://linnet.test/admin/strikes/"+st.ID.String()) {
			w.Errorf("the appeal is sent as %s", m.Text())
		}
		w.OK(w.Moderation.Strikes.Decide(w.Ctx, linnet.By(mod), st.ID, false))
		m = at.Wait(w, before+3)[before+2]
		if m.To != "eve@example.com" || !strings.Contains(m.Text(), "rejected your appeal") {
			w.Errorf("the decision is sent as %s", m.Text())
		}
		w.NoMailsLeft(e)
	})
}

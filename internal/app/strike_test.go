package app_test

import (
	"errors"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"linnet/internal/identity"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/mail/mailtest"
	"linnet/internal/record"
)

// reported returns the id of a report of statuses by a user.
func (w *world) reported(by, on linnet.ID, posts ...linnet.ID) linnet.ID {
	w.Helper()
	return must(w.Moderation.Report(w.ctx, by, linnet.ReportDraft{On: on, Statuses: posts, Rules: []int{1}}))(w.T).ID
}

// strikes returns the strikes of an account as its owner sees them, newest first.
func (w *world) strikes(of linnet.ID) []linnet.StrikeView {
	w.Helper()
	return must(w.Moderation.Strikes.Own(w.ctx, of, linnet.Page{}))(w.T).Items
}

// sentences returns the notifications of a user without a sender, newest first.
func (w *world) sentences(of linnet.ID) (all []string) {
	w.Helper()
	for _, n := range must(w.Notify.Notifications(w.ctx, of, linnet.NotificationFilter{Shown: true}, linnet.Page{}))(w.T).Items {
		if n.Own() {
			all = append(all, n.Sentence())
		}
	}
	return all
}

// withRule adds a rule to the instance.
func (w *world) withRule() {
	w.Helper()
	must(w.Settings.ChangeInstance(w.ctx, linnet.Operator(), linnet.InstanceChange{Rules: &[]string{"Be kind."}}))(w.T)
}

// TestStrikes checks that each action against an account creates a strike with the rule and the
// reason, which the owner is notified of, and that an approved appeal undoes the action.
func TestStrikes(t *testing.T) {
	onEngines(t, func(w *world) {
		w.withRule()
		bob, eve := w.user("bob"), w.user("eve")
		w.user("mia")
		w.did(w.giveRole("mia", linnet.Moderator))
		mod := linnet.By(must(w.Moderation.AccountNamed(w.ctx, linnet.Operator(), "mia"))(w.T).ID)
		post := w.post(eve, "buy seeds").ID
		state := func() linnet.AccountState {
			u := must(w.store.UserNow(w.ctx, eve))(w.T)
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
			report := w.reported(bob, eve, post)
			for range 2 { // the second changes nothing, except for a warning, which is repeated
				w.did(w.Moderation.ModerateReported(w.ctx, mod, linnet.Measure{On: eve, Act: c.act, Reason: "because", Report: report}))
				if c.act == linnet.Warn {
					break
				}
			}
			w.drain()
			st := w.strikes(eve)
			if len(st) != i+1 || st[0].Act != c.act || st[0].Text != "because" || st[0].By != 0 || st[0].Report != report ||
				!slices.Equal(st[0].Rules, []linnet.BrokenRule{{Number: 1, Text: "Be kind."}}) || len(st[0].Posts) != 1 || st[0].Posts[0].Excerpt != "buy seeds" {
				w.Fatalf("%s: %d strikes: %+v", c.act, len(st), st)
			}
			if got := w.sentences(eve); got[0] != c.said {
				w.Errorf("%s: told %q", c.act, got)
			}
			if got := state(); got != c.state {
				w.Errorf("%s: the account is %q", c.act, got)
			}
			w.check()
			appeal := func(words string) error {
				_, err := w.Moderation.Strikes.Appeal(w.ctx, eve, st[0].ID, words)
				return err
			}
			kindIs(w.T, appeal(" \n"), linnet.Invalid)
			kindIs(w.T, appeal(strings.Repeat("x", linnet.MaxAppeal+1)), linnet.Invalid)
			kindIs(w.T, w.Moderation.Strikes.Decide(w.ctx, mod, st[0].ID, true), linnet.Conflict)
			w.did(appeal("I didn't"))
			w.did(appeal("I didn't"))
			kindIs(w.T, appeal("I really didn't"), linnet.Conflict)
			w.check()
			pending := must(w.Moderation.Strikes.Appealed(w.ctx, mod, linnet.Page{}))(w.T).Items
			if len(pending) != 1 || pending[0].ID != st[0].ID || pending[0].ByAccount == nil || pending[0].ByAccount.Login != "mia" {
				w.Errorf("%s: pending %+v", c.act, pending)
			}
			for range 2 {
				w.did(w.Moderation.Strikes.Decide(w.ctx, mod, st[0].ID, true))
			}
			kindIs(w.T, w.Moderation.Strikes.Decide(w.ctx, mod, st[0].ID, false), linnet.Conflict)
			w.drain()
			if got := state(); got != "" {
				w.Errorf("%s: the account is %q after the appeal", c.act, got)
			}
			if got := w.sentences(eve); got[0] != "The moderators approved your appeal." {
				w.Errorf("%s: told %q", c.act, got)
			}
			w.check()
		}
	})
}

// TestLaterStrikeStays checks that an approved appeal doesn't undo the same action of a later strike.
func TestLaterStrikeStays(t *testing.T) {
	w := memWorld(t)
	eve := w.user("eve")
	for _, act := range []linnet.Moderation{linnet.Silence, linnet.Unsilence, linnet.Silence} {
		w.did(w.moderate(linnet.Operator(), eve, act))
	}
	first := w.strikes(eve)[1]
	must(w.Moderation.Strikes.Appeal(w.ctx, eve, first.ID, "no"))(t)
	w.did(w.Moderation.Strikes.Decide(w.ctx, linnet.Operator(), first.ID, true))
	if u := must(w.store.UserNow(w.ctx, eve))(t); !u.Silenced {
		t.Error("the later action is undone")
	}
}

// TestModeratedPosts checks that moderators delete posts, mark them as sensitive and remove
// pictures with their files, also from earlier versions.
func TestModeratedPosts(t *testing.T) {
	onEngines(t, func(w *world) {
		bob, eve := w.user("bob"), w.user("eve")
		w.user("mia")
		w.did(w.giveRole("mia", linnet.Moderator))
		mod := linnet.By(must(w.Moderation.AccountNamed(w.ctx, linnet.Operator(), "mia"))(w.T).ID)
		bad, good, only := must(w.upload(eve))(w.T), must(w.upload(eve))(w.T), must(w.upload(eve))(w.T)
		st := must(w.Posting.Post(w.ctx, eve, linnet.Draft{Text: "one", Media: []linnet.ID{bad.ID}}))(w.T)
		must(w.Posting.Edit(w.ctx, eve, st.ID, linnet.Edit{Text: "two", Media: []linnet.ID{bad.ID, good.ID}}))(w.T)
		must(w.Posting.Edit(w.ctx, eve, st.ID, linnet.Edit{Text: "three", Media: []linnet.ID{good.ID}}))(w.T)
		bare := must(w.Posting.Post(w.ctx, eve, linnet.Draft{Media: []linnet.ID{only.ID}}))(w.T)
		gone, direct := w.post(eve, "spam").ID, must(w.Posting.Post(w.ctx, eve, linnet.Draft{Text: "psst @bob", Visibility: new(linnet.Direct)}))(w.T).ID
		act := func(m linnet.Measure) error {
			m.On = eve
			return w.Moderation.ModerateReported(w.ctx, mod, m)
		}
		kindIs(w.T, act(linnet.Measure{Act: linnet.RemovePicture, Posts: []linnet.ID{st.ID}, Picture: only.ID}), linnet.Invalid)
		kindIs(w.T, act(linnet.Measure{Act: linnet.RemovePicture, Posts: []linnet.ID{bare.ID}, Picture: only.ID}), linnet.Invalid)
		kindIs(w.T, act(linnet.Measure{Act: linnet.DeletePosts, Posts: []linnet.ID{direct}}), linnet.NotFound)
		kindIs(w.T, w.Moderation.ModerateReported(w.ctx, linnet.By(bob), linnet.Measure{On: eve, Act: linnet.DeletePosts, Posts: []linnet.ID{gone}}), linnet.Forbidden)
		kindIs(w.T, w.Moderation.ModerateReported(w.ctx, mod, linnet.Measure{On: bob, Act: linnet.DeletePosts, Posts: []linnet.ID{gone}}), linnet.NotFound)

		w.expectServed("before", slices.Concat(bad.Files(), good.Files()), true)
		for range 2 {
			err := act(linnet.Measure{Act: linnet.RemovePicture, Posts: []linnet.ID{st.ID}, Picture: bad.ID, Reason: "not yours"})
			if err != nil {
				kindIs(w.T, err, linnet.Invalid) // removed by the first attempt
			}
		}
		w.expectServed("removed", bad.Files(), false)
		w.expectServed("the other", good.Files(), true)
		_, versions, err := w.View.History(w.ctx, 0, st.ID)
		w.did(err)
		for _, v := range versions {
			if slices.ContainsFunc(v.Media, func(a linnet.Attachment) bool { return a.ID == bad.ID }) {
				w.Errorf("version %q still has the picture", v.Text)
			}
		}
		w.drain()
		w.check()

		for range 2 {
			w.did(act(linnet.Measure{Act: linnet.MarkSensitive, Posts: []linnet.ID{st.ID}, Reason: "a nest"}))
		}
		must(w.Posting.Edit(w.ctx, eve, st.ID, linnet.Edit{Text: "four", Media: []linnet.ID{good.ID}}))(w.T)
		if v := must(w.View.Status(w.ctx, 0, st.ID))(w.T); !v.Sensitive {
			w.Error("an edit makes the post harmless")
		}
		w.did(act(linnet.Measure{Act: linnet.DeletePosts, Posts: []linnet.ID{gone}, Reason: "spam"}))
		_, err = w.View.Status(w.ctx, eve, gone)
		kindIs(w.T, err, linnet.NotFound)
		report := must(w.Moderation.Report(w.ctx, bob, linnet.ReportDraft{On: eve, Statuses: []linnet.ID{direct}}))(w.T).ID
		w.did(act(linnet.Measure{Act: linnet.DeletePosts, Report: report}))
		_, err = w.View.Status(w.ctx, bob, direct)
		kindIs(w.T, err, linnet.NotFound)
		w.drain()
		all := w.strikes(eve)
		var acts []linnet.Moderation
		for _, s := range all {
			acts = append(acts, s.Act)
		}
		if want := []linnet.Moderation{linnet.DeletePosts, linnet.DeletePosts, linnet.MarkSensitive, linnet.RemovePicture}; !slices.Equal(acts, want) {
			w.Fatalf("strikes for %v, want %v", acts, want)
		}
		if got := w.sentences(bob); !slices.Equal(got, []string{"The moderators handled your report. Thank you for your help."}) {
			w.Errorf("the reporter reads %q", got)
		}
		if n := must(w.Notify.Notifications(w.ctx, bob, linnet.NotificationFilter{}, linnet.Page{}))(w.T).Items; slices.ContainsFunc(n, func(v linnet.NotificationView) bool { return v.Type == linnet.NotifyHandled }) {
			w.Error("apps get a notification of an unknown type")
		}
		must(w.Moderation.Strikes.Appeal(w.ctx, eve, all[2].ID, "it is empty"))(w.T)
		w.did(w.Moderation.Strikes.Decide(w.ctx, mod, all[2].ID, true))
		if v := must(w.View.Status(w.ctx, 0, st.ID))(w.T); v.Sensitive {
			w.Error("the post is still sensitive after the appeal")
		}
		w.drain()
		w.check()
	})
}

// TestStrikesOfOthers checks who can read a strike and appeal: its owner and staff, and anyone with
// its link, but without its posts.
func TestStrikesOfOthers(t *testing.T) {
	w := memWorld(t)
	bob, eve := w.user("bob"), w.user("eve")
	w.user("mia")
	w.did(w.giveRole("mia", linnet.Moderator))
	post := w.post(eve, "secret").ID
	w.did(w.Moderation.ModerateReported(w.ctx, linnet.Operator(), linnet.Measure{On: eve, Act: linnet.DeletePosts, Posts: []linnet.ID{post}}))
	st := w.strikes(eve)[0]
	s := w.Moderation.Strikes
	for _, who := range []linnet.ID{0, bob, must(w.Moderation.AccountNamed(w.ctx, linnet.Operator(), "mia"))(t).ID} {
		_, err := s.OwnByID(w.ctx, who, st.ID)
		kindIs(t, err, linnet.NotFound)
		_, err = s.Appeal(w.ctx, who, st.ID, "let me")
		kindIs(t, err, linnet.NotFound)
		if mine := w.strikes(who); len(mine) != 0 {
			t.Errorf("%v has strikes %+v", who, mine)
		}
	}
	for _, by := range []linnet.Actor{linnet.By(bob), linnet.By(eve), {}} {
		_, err := s.Of(w.ctx, by, eve, linnet.Page{})
		kindIs(t, err, linnet.Forbidden)
		_, err = s.Appealed(w.ctx, by, linnet.Page{})
		kindIs(t, err, linnet.Forbidden)
		_, err = s.ByID(w.ctx, by, st.ID)
		kindIs(t, err, linnet.Forbidden)
		kindIs(t, s.Decide(w.ctx, by, st.ID, true), linnet.Forbidden)
	}
	for _, token := range []string{"", "x", st.ID.String(), st.ID.String() + "-", st.ID.String() + "-x", bob.String() + "-" + st.Key} {
		_, err := s.ByToken(w.ctx, token)
		kindIs(t, err, linnet.NotFound)
		kindIs(t, s.AppealByToken(w.ctx, token, "let me"), linnet.NotFound)
	}
	v := must(s.ByToken(w.ctx, st.Token()))(t)
	if len(v.Posts) != 0 || v.ID != st.ID {
		t.Errorf("the link shows %+v", v)
	}
	w.did(s.AppealByToken(w.ctx, st.Token(), "please"))
}

// TestClosedLogin checks that owners of closed accounts get a link to the strike after they have
// entered the right password, but visitors with a wrong one do not.
func TestClosedLogin(t *testing.T) {
	w := memWorld(t)
	from := netip.MustParseAddr("192.0.2.1")
	eve := w.user("eve")
	for _, act := range []linnet.Moderation{linnet.Disable, linnet.Suspend} {
		w.did(w.moderate(linnet.Operator(), eve, act))
		var closed *identity.ClosedError
		_, _, err := w.Identity.LogIn(w.ctx, "eve", "wrong horse", from)
		if errors.As(err, &closed) {
			t.Error("a wrong password gets the link")
		}
		_, _, err = w.Identity.LogIn(w.ctx, "eve", "correct horse", from)
		kindIs(t, err, linnet.Forbidden)
		if !errors.As(err, &closed) || must(w.Moderation.Strikes.ByToken(w.ctx, strings.TrimPrefix(closed.Path, "/strike/")))(t).Act != act {
			t.Errorf("%s: %v", act, err)
		}
	}
}

// TestStrikesEnd checks that the oldest strikes of an account are deleted beyond the maximum, and
// all with the account.
func TestStrikesEnd(t *testing.T) {
	onEngines(t, func(w *world) {
		eve := w.user("eve")
		for range linnet.MaxStrikes + 2 {
			w.did(w.moderate(linnet.Operator(), eve, linnet.Warn))
		}
		all := must(w.Moderation.Strikes.Own(w.ctx, eve, linnet.Page{Limit: linnet.MaxPage}))(w.T)
		n := len(all.Items)
		for all.Last != "" {
			all = must(w.Moderation.Strikes.Own(w.ctx, eve, linnet.Page{Limit: linnet.MaxPage, Max: all.Last}))(w.T)
			n += len(all.Items)
		}
		if n != linnet.MaxStrikes {
			w.Errorf("%d strikes, want %d", n, linnet.MaxStrikes)
		}
		must(w.Moderation.Strikes.Appeal(w.ctx, eve, w.strikes(eve)[0].ID, "no"))(w.T)
		w.did(w.Social.Deletion.DeleteUser(w.ctx, eve))
		w.drain()
		w.check()
		if left := must(w.Moderation.Strikes.Appealed(w.ctx, linnet.Operator(), linnet.Page{}))(w.T).Items; len(left) != 0 {
			w.Errorf("left: %+v", left)
		}
	})
}

// TestMailOfStrikes checks that a strike is sent by mail if the moderator wants that, with a link
// that works without a login, and that staff and the owner get mails about the appeal.
func TestMailOfStrikes(t *testing.T) {
	onMailEngines(t, func(w *world, at *mailtest.Server, e kv.Engine) {
		mod := w.withEmail(at, "mary", "mary@example.com")
		w.did(w.giveRole("mary", linnet.Moderator))
		w.did(w.Emails.Choose(w.ctx, mod, []linnet.MailKind{linnet.MailReports}))
		eve := w.withEmail(at, "eve", "eve@example.com")
		before := len(at.Mails())
		w.did(w.Moderation.Moderate(w.ctx, linnet.By(mod), linnet.Measure{On: eve, Act: linnet.Warn, Reason: "quietly"}))
		w.did(w.Moderation.Moderate(w.ctx, linnet.By(mod), linnet.Measure{On: eve, Act: linnet.Suspend, Reason: "sells things", Email: true}))
		st := w.strikes(eve)[0]
		m := at.Wait(w, before+1)[before]
		if m.To != "eve@example.com" || !strings.Contains(m.Text(), "Reason: sells things") || !strings.Contains(m.Text(), "https://linnet.test/strike/"+st.Token()) {
			w.Errorf("the strike is sent as %s", m.Text())
		}
		w.did(w.Moderation.Strikes.AppealByToken(w.ctx, st.Token(), "please"))
		m = at.Wait(w, before+2)[before+1]
		if m.To != "mary@example.com" || !strings.Contains(m.Text(), "https://linnet.test/admin/strikes/"+st.ID.String()) {
			w.Errorf("the appeal is sent as %s", m.Text())
		}
		w.did(w.Moderation.Strikes.Decide(w.ctx, linnet.By(mod), st.ID, false))
		m = at.Wait(w, before+3)[before+2]
		if m.To != "eve@example.com" || !strings.Contains(m.Text(), "rejected your appeal") {
			w.Errorf("the decision is sent as %s", m.Text())
		}
		w.noMailsLeft(e)
	})
}

package app_test

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"linnet/internal/discovery"
	"linnet/internal/linnet"
	"linnet/internal/live"
	"linnet/internal/moderation"
)

func (w *world) moderate(by linnet.Actor, on linnet.ID, act linnet.Moderation) error {
	return w.Moderation.Moderate(w.ctx, by, linnet.Measure{On: on, Act: act, Reason: "because"})
}

// operate performs an action of the operator on an account.
func (w *world) operate(login string, m linnet.Measure) error {
	u, err := w.Moderation.AccountNamed(w.ctx, linnet.Operator(), login)
	if err != nil {
		return err
	}
	m.On = u.ID
	return w.Moderation.Moderate(w.ctx, linnet.Operator(), m)
}

func (w *world) giveRole(login string, r linnet.Role) error {
	return w.operate(login, linnet.Measure{Act: linnet.GiveRole, Role: r})
}

func (w *world) did(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

// TestSuspendAndBack checks that a suspended account disappears everywhere at once, and returns
// unchanged.
func TestSuspendAndBack(t *testing.T) {
	onEngines(t, func(w *world) {
		ann, bob, eve := w.user("ann"), w.user("bob"), w.user("eve")
		w.did(w.giveRole("ann", linnet.Moderator))
		w.follow(bob, eve)
		s := w.post(eve, "by eve #tag @bob").ID
		w.post(bob, "by bob")
		must(w.Posting.Repost(w.ctx, bob, s, nil))(w.T)
		must(w.Posting.Marks.Favourite(w.ctx, eve, w.post(bob, "liked").ID))(w.T)
		look := func() string {
			w.drain()
			tag := must(w.Reading.Tag(w.ctx, 0, linnet.TagQuery{Tag: "tag"}, linnet.Page{}))(w.T)
			public := must(w.Reading.Public(w.ctx, 0, linnet.PublicQuery{}, linnet.Page{}))(w.T)
			profile := must(w.Reading.Profile(w.ctx, 0, eve, linnet.ProfileFilter{}, linnet.Page{}))(w.T)
			found := must(w.Discovery.SearchUsers(w.ctx, bob, discovery.SearchQuery{Text: "eve"}))(w.T)
			n := must(w.Notify.Notifications(w.ctx, bob, linnet.NotificationFilter{}, linnet.Page{}))(w.T)
			_, err := w.View.Status(w.ctx, bob, s)
			return fmt.Sprint(len(w.home(bob, 3)), len(tag.Items), len(public.Items), len(profile.Items), len(found), len(n.Items), err == nil)
		}
		const there, gone = "3 1 3 1 1 2 true", "2 0 2 0 0 0 false"
		if got := look(); got != there {
			w.Errorf("before: %s, want %s", got, there)
		}
		for range 2 {
			w.did(w.moderate(linnet.By(ann), eve, linnet.Suspend))
			if got := look(); got != gone {
				w.Errorf("suspended: %s, want %s", got, gone)
			}
			v := must(w.View.User(w.ctx, bob, eve))(w.T)
			if !v.Suspended || v.Followers != 0 || v.Name != "" || v.Login != "eve" {
				w.Errorf("shown: %+v", v)
			}
			_, err := w.Social.Follow(w.ctx, ann, eve, linnet.FollowOptions{})
			kindIs(w.T, err, linnet.NotFound)
			_, _, err = w.Identity.LogIn(w.ctx, "eve", "correct horse", netip.MustParseAddr("192.0.2.1"))
			kindIs(w.T, err, linnet.Forbidden)
			w.did(w.moderate(linnet.By(ann), eve, linnet.Unsuspend))
			if got := look(); got != there {
				w.Errorf("back: %s, want %s", got, there)
			}
		}
		acts := must(w.Moderation.Acts(w.ctx, linnet.Operator(), linnet.Page{}))(w.T).Items
		if len(acts) != 5 || acts[0].Act.Act != linnet.Unsuspend || acts[0].ByUser.Login != "ann" || acts[0].OnUser.Login != "eve" || acts[0].Reason != "because" {
			w.Errorf("%d acts: %+v", len(acts), acts)
		}
		w.check()
	})
}

// TestSuspendedSessions checks that the tokens and streams of a suspended or disabled account end
// at once.
func TestSuspendedSessions(t *testing.T) {
	for _, act := range []linnet.Moderation{linnet.Suspend, linnet.Disable} {
		w := memWorld(t)
		w.user("ann")
		eve := w.user("eve")
		token, _, err := w.Identity.LogIn(w.ctx, "eve", "correct horse", netip.MustParseAddr("192.0.2.1"))
		w.did(err)
		who := must(w.Identity.Session(w.ctx, token))(t)
		woken, wake := live.Signal()
		l := must(w.Live.Listen(w.ctx, who, wake))(t)
		w.did(w.operate("eve", linnet.Measure{Act: act}))
		ended(t, string(act), l, woken)
		_, err = w.Identity.Session(w.ctx, token)
		kindIs(t, err, linnet.Unauthenticated)
		_, err = w.Live.Listen(w.ctx, who, func() {})
		kindIs(t, err, linnet.Unauthenticated)
		w.did(w.operate("eve", linnet.Measure{Act: map[linnet.Moderation]linnet.Moderation{linnet.Suspend: linnet.Unsuspend, linnet.Disable: linnet.Enable}[act]}))
		if s := must(w.Identity.Session(w.ctx, token))(t); s.User != eve {
			t.Errorf("%s: %+v afterwards", act, s)
		}
	}
}

// TestSilence checks that only followers see a silenced account.
func TestSilence(t *testing.T) {
	w := memWorld(t)
	bob, eve := w.user("bob"), w.user("eve")
	w.user("evelyn")
	fan := w.user("fan")
	w.follow(fan, eve)
	w.post(eve, "@bob @fan #tag")
	look := func(me linnet.ID) string {
		w.drain()
		tag := must(w.Reading.Tag(w.ctx, me, linnet.TagQuery{Tag: "tag"}, linnet.Page{}))(t)
		public := must(w.Reading.Public(w.ctx, me, linnet.PublicQuery{}, linnet.Page{}))(t)
		profile := must(w.Reading.Profile(w.ctx, me, eve, linnet.ProfileFilter{}, linnet.Page{}))(t)
		found := must(w.Discovery.SearchUsers(w.ctx, me, discovery.SearchQuery{Text: "ev"}))(t)
		n := must(w.Notify.Notifications(w.ctx, me, linnet.NotificationFilter{}, linnet.Page{}))(t)
		return fmt.Sprint(len(w.home(me, 3)), len(tag.Items), len(public.Items), len(profile.Items), len(found), len(n.Items))
	}
	for _, c := range []struct {
		act       linnet.Moderation
		bob, fans string
	}{{linnet.Unsilence, "0 1 1 1 2 1", "1 1 1 1 2 1"}, {linnet.Silence, "0 0 0 1 1 0", "1 0 0 1 2 1"}, {linnet.Unsilence, "0 1 1 1 2 1", "1 1 1 1 2 1"}} {
		w.did(w.operate("eve", linnet.Measure{Act: c.act}))
		if got := look(bob); got != c.bob {
			t.Errorf("%s, bob: %s, want %s", c.act, got, c.bob)
		}
		if got := look(fan); got != c.fans {
			t.Errorf("%s, fan: %s, want %s", c.act, got, c.fans)
		}
	}
	w.check()
}

// TestModeratorsRights checks that roles limit which accounts a moderator can act on.
func TestModeratorsRights(t *testing.T) {
	w := memWorld(t)
	ids := map[string]linnet.ID{}
	for _, name := range []string{"boss", "chief", "warden", "aide", "ann", "bob"} {
		ids[name] = w.user(name)
	}
	for name, r := range map[string]linnet.Role{"boss": linnet.Admin, "chief": linnet.Admin, "warden": linnet.Moderator, "aide": linnet.Moderator} {
		w.did(w.giveRole(name, r))
	}
	for by, may := range map[string]string{"boss": "chief warden aide ann bob", "warden": "ann bob", "ann": ""} {
		for on, id := range ids {
			err := w.moderate(linnet.By(ids[by]), id, linnet.Silence)
			if want := slices.Contains(strings.Fields(may), on); (err == nil) != want {
				t.Errorf("%s on %s: %v", by, on, err)
			} else if !want {
				kindIs(t, err, linnet.Forbidden)
			}
		}
	}
	kindIs(t, w.moderate(linnet.By(ids["boss"]), 4711<<16, linnet.Suspend), linnet.NotFound)
	kindIs(t, w.moderate(linnet.By(ids["boss"]), ids["ann"], "explode"), linnet.Invalid)
	kindIs(t, w.moderate(linnet.By(ids["boss"]), ids["ann"], linnet.Approve), linnet.Forbidden)
	w.did(w.operate("warden", linnet.Measure{Act: linnet.Suspend}))
	kindIs(t, w.moderate(linnet.By(ids["warden"]), ids["ann"], linnet.Suspend), linnet.Forbidden)
	staff := must(w.store.Accounts.Staff(w.ctx))(t)
	if len(staff) != 4 {
		t.Errorf("staff: %v", staff)
	}
	w.did(w.giveRole("aide", linnet.Member))
	if staff = must(w.store.Accounts.Staff(w.ctx))(t); len(staff) != 3 {
		t.Errorf("staff: %v", staff)
	}
	w.check()
}

// TestAccountPages checks that pages of accounts of any size contain each account once, in order.
func TestAccountPages(t *testing.T) {
	w := memWorld(t)
	for i := range 30 {
		login := fmt.Sprintf("p%d", i)
		w.user(login)
		if i%3 == 0 {
			w.did(w.operate(login, linnet.Measure{Act: linnet.Silence}))
		}
	}
	for state, want := range map[linnet.AccountState]int{linnet.AnyState: 30, linnet.StateSilenced: 10, linnet.StateActive: 20, linnet.StateSuspended: 0} {
		for _, limit := range []int{1, 7, 100} {
			p, seen := linnet.Page{Limit: limit}, []linnet.ID{}
			for range 40 {
				page := must(w.Moderation.Accounts(w.ctx, linnet.Operator(), moderation.AccountsQuery{State: state}, p))(t)
				for _, v := range page.Items {
					if n := len(seen); n > 0 && seen[n-1] <= v.ID {
						t.Fatalf("%s: %v after %v", state, v.ID, seen[n-1])
					}
					seen = append(seen, v.ID)
				}
				if p.Max = page.Last; p.Max == "" {
					break
				}
			}
			if len(seen) != want {
				t.Errorf("%q by %d: %d accounts, want %d", state, limit, len(seen), want)
			}
			if state == linnet.AnyState && limit == 7 {
				up := must(w.Moderation.Accounts(w.ctx, linnet.Operator(), moderation.AccountsQuery{}, linnet.Page{Min: linnet.CursorOf(seen[20]), Limit: 5}))(t)
				if len(up.Items) != 5 || up.Items[0].ID != seen[15] || up.Items[4].ID != seen[19] {
					t.Errorf("upwards: %d, %v", len(up.Items), up.Items)
				}
			}
		}
	}
	w.check()
}

// TestSensitized checks that all statuses of a sensitized account are shown as sensitive, on cached
// pages, in reposts and in streams, until the measure ends.
func TestSensitized(t *testing.T) {
	w := memWorld(t)
	boss, me, ann := w.person("boss"), w.person("me"), w.person("ann")
	w.did(w.giveRole("boss", linnet.Moderator))
	w.follow(me, ann)
	early := w.post(ann, "early")
	must(w.Posting.Repost(w.ctx, me, early.ID, nil))(t)
	e := w.listen(session(me), stream(linnet.StreamUser))
	shown := func(want bool) {
		t.Helper()
		for range 2 {
			for _, v := range w.home(me, 20) {
				if v.Repost != nil {
					v = *v.Repost
				}
				if v.Author == ann && v.Sensitive != want {
					t.Errorf("%q is shown as sensitive: %v", v.Text, v.Sensitive)
				}
			}
		}
	}
	shown(false)
	w.did(w.moderate(linnet.By(boss), ann, linnet.Sensitize))
	shown(true)
	must(w.Posting.Repost(w.ctx, ann, early.ID, nil))(t)
	e.until("user update RT early")
	for _, ev := range e.seen() {
		if v := ev.Status; v != nil && v.Repost != nil && v.Author == ann && !v.Repost.Sensitive {
			t.Error("a stream shows it as it was")
		}
	}
	w.did(w.moderate(linnet.By(boss), ann, linnet.Unsensitize))
	shown(false)
}

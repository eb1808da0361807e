package moderation_test

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/discovery"
	"linnet/internal/linnet"
	"linnet/internal/live"
	"linnet/internal/moderation"
)

// TestSuspendAndBack checks that a suspended account disappears everywhere at once, and returns
// unchanged.
func TestSuspendAndBack(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann, bob, eve := w.User("ann"), w.User("bob"), w.User("eve")
		w.OK(w.GiveRole("ann", linnet.Moderator))
		w.Follow(bob, eve)
		s := w.Post(eve, "by eve #tag @bob").ID
		w.Post(bob, "by bob")
		apptest.Must(w.Posting.Repost(w.Ctx, bob, s, nil))(w.T)
		apptest.Must(w.Posting.Marks.Favourite(w.Ctx, eve, w.Post(bob, "liked").ID))(w.T)
		look := func() string {
			w.Drain()
			tag := apptest.Must(w.Reading.Tag(w.Ctx, 0, linnet.TagQuery{Tag: "tag"}, linnet.Page{}))(w.T)
			public := apptest.Must(w.Reading.Public(w.Ctx, 0, linnet.PublicQuery{}, linnet.Page{}))(w.T)
			profile := apptest.Must(w.Reading.Profile(w.Ctx, 0, eve, linnet.ProfileFilter{}, linnet.Page{}))(w.T)
			found := apptest.Must(w.Discovery.SearchUsers(w.Ctx, bob, discovery.SearchQuery{Text: "eve"}))(w.T)
			n := apptest.Must(w.Notify.Notifications(w.Ctx, bob, linnet.NotificationFilter{}, linnet.Page{}))(w.T)
			_, err := w.View.Status(w.Ctx, bob, s)
			return fmt.Sprint(len(w.Home(bob, 3)), len(tag.Items), len(public.Items), len(profile.Items), len(found), len(n.Items), err == nil)
		}
		const there, gone = "3 1 3 1 1 2 true", "2 0 2 0 0 0 false"
		if got := look(); got != there {
			w.Errorf("before: %s, want %s", got, there)
		}
		for range 2 {
			w.OK(w.Moderate(linnet.By(ann), eve, linnet.Suspend))
			if got := look(); got != gone {
				w.Errorf("suspended: %s, want %s", got, gone)
			}
			v := apptest.Must(w.View.User(w.Ctx, bob, eve))(w.T)
			if !v.Suspended || v.Followers != 0 || v.Name != "" || v.Login != "eve" {
				w.Errorf("shown: %+v", v)
			}
			_, err := w.Social.Follow(w.Ctx, ann, eve, linnet.FollowOptions{})
			apptest.WantKind(w.T, err, linnet.NotFound)
			_, _, err = w.Identity.LogIn(w.Ctx, "eve", "correct horse", netip.MustParseAddr("192.0.2.1"))
			apptest.WantKind(w.T, err, linnet.Forbidden)
			w.OK(w.Moderate(linnet.By(ann), eve, linnet.Unsuspend))
			if got := look(); got != there {
				w.Errorf("back: %s, want %s", got, there)
			}
		}
		acts := apptest.Must(w.Moderation.Acts(w.Ctx, linnet.Operator(), linnet.Page{}))(w.T).Items
		if len(acts) != 5 || acts[0].Act.Act != linnet.Unsuspend || acts[0].ByUser.Login != "ann" || acts[0].OnUser.Login != "eve" || acts[0].Reason != "because" {
			w.Errorf("%d acts: %+v", len(acts), acts)
		}
		w.Check()
	})
}

// TestSuspendedSessions checks that the tokens and streams of a suspended or disabled account end
// at once.
func TestSuspendedSessions(t *testing.T) {
	for _, act := range []linnet.Moderation{linnet.Suspend, linnet.Disable} {
		w := apptest.InMemory(t)
		w.User("ann")
		eve := w.User("eve")
		token, _, err := w.Identity.LogIn(w.Ctx, "eve", "correct horse", netip.MustParseAddr("192.0.2.1"))
		w.OK(err)
		who := apptest.Must(w.Identity.Session(w.Ctx, token))(t)
		woken, wake := live.Signal()
		l := apptest.Must(w.Live.Listen(w.Ctx, who, wake))(t)
		w.OK(w.Operate("eve", linnet.Measure{Act: act}))
		apptest.Ended(t, string(act), l, woken)
		_, err = w.Identity.Session(w.Ctx, token)
		apptest.WantKind(t, err, linnet.Unauthenticated)
		_, err = w.Live.Listen(w.Ctx, who, func() {})
		apptest.WantKind(t, err, linnet.Unauthenticated)
		w.OK(w.Operate("eve", linnet.Measure{Act: map[linnet.Moderation]linnet.Moderation{linnet.Suspend: linnet.Unsuspend, linnet.Disable: linnet.Enable}[act]}))
		if s := apptest.Must(w.Identity.Session(w.Ctx, token))(t); s.User != eve {
			t.Errorf("%s: %+v afterwards", act, s)
		}
	}
}

// TestSilence checks that only followers see a silenced account.
func TestSilence(t *testing.T) {
	w := apptest.InMemory(t)
	bob, eve := w.User("bob"), w.User("eve")
	w.User("evelyn")
	fan := w.User("fan")
	w.Follow(fan, eve)
	w.Post(eve, "@bob @fan #tag")
	look := func(me linnet.ID) string {
		w.Drain()
		tag := apptest.Must(w.Reading.Tag(w.Ctx, me, linnet.TagQuery{Tag: "tag"}, linnet.Page{}))(t)
		public := apptest.Must(w.Reading.Public(w.Ctx, me, linnet.PublicQuery{}, linnet.Page{}))(t)
		profile := apptest.Must(w.Reading.Profile(w.Ctx, me, eve, linnet.ProfileFilter{}, linnet.Page{}))(t)
		found := apptest.Must(w.Discovery.SearchUsers(w.Ctx, me, discovery.SearchQuery{Text: "ev"}))(t)
		n := apptest.Must(w.Notify.Notifications(w.Ctx, me, linnet.NotificationFilter{}, linnet.Page{}))(t)
		return fmt.Sprint(len(w.Home(me, 3)), len(tag.Items), len(public.Items), len(profile.Items), len(found), len(n.Items))
	}
	for _, c := range []struct {
		act       linnet.Moderation
		bob, fans string
	}{{linnet.Unsilence, "0 1 1 1 2 1", "1 1 1 1 2 1"}, {linnet.Silence, "0 0 0 1 1 0", "1 0 0 1 2 1"}, {linnet.Unsilence, "0 1 1 1 2 1", "1 1 1 1 2 1"}} {
		w.OK(w.Operate("eve", linnet.Measure{Act: c.act}))
		if got := look(bob); got != c.bob {
			t.Errorf("%s, bob: %s, want %s", c.act, got, c.bob)
		}
		if got := look(fan); got != c.fans {
			t.Errorf("%s, fan: %s, want %s", c.act, got, c.fans)
		}
	}
	w.Check()
}

// TestModeratorsRights checks that roles limit which accounts a moderator can act on.
func TestModeratorsRights(t *testing.T) {
	w := apptest.InMemory(t)
	ids := map[string]linnet.ID{}
	for _, name := range []string{"boss", "chief", "warden", "aide", "ann", "bob"} {
		ids[name] = w.User(name)
	}
	for name, r := range map[string]linnet.Role{"boss": linnet.Admin, "chief": linnet.Admin, "warden": linnet.Moderator, "aide": linnet.Moderator} {
		w.OK(w.GiveRole(name, r))
	}
	for by, may := range map[string]string{"boss": "chief warden aide ann bob", "warden": "ann bob", "ann": ""} {
		for on, id := range ids {
			err := w.Moderate(linnet.By(ids[by]), id, linnet.Silence)
			if want := slices.Contains(strings.Fields(may), on); (err == nil) != want {
				t.Errorf("%s on %s: %v", by, on, err)
			} else if !want {
				apptest.WantKind(t, err, linnet.Forbidden)
			}
		}
	}
	apptest.WantKind(t, w.Moderate(linnet.By(ids["boss"]), 4711<<16, linnet.Suspend), linnet.NotFound)
	apptest.WantKind(t, w.Moderate(linnet.By(ids["boss"]), ids["ann"], "explode"), linnet.Invalid)
	apptest.WantKind(t, w.Moderate(linnet.By(ids["boss"]), ids["ann"], linnet.Approve), linnet.Forbidden)
	w.OK(w.Operate("warden", linnet.Measure{Act: linnet.Suspend}))
	apptest.WantKind(t, w.Moderate(linnet.By(ids["warden"]), ids["ann"], linnet.Suspend), linnet.Forbidden)
	staff := apptest.Must(w.Store.Accounts.Staff(w.Ctx))(t)
	if len(staff) != 4 {
		t.Errorf("staff: %v", staff)
	}
	w.OK(w.GiveRole("aide", linnet.Member))
	if staff = apptest.Must(w.Store.Accounts.Staff(w.Ctx))(t); len(staff) != 3 {
		t.Errorf("staff: %v", staff)
	}
	w.Check()
}

// TestAccountPages checks that pages of accounts of any size contain each account once, in order.
func TestAccountPages(t *testing.T) {
	w := apptest.InMemory(t)
	for i := range 30 {
		login := fmt.Sprintf("p%d", i)
		w.User(login)
		if i%3 == 0 {
			w.OK(w.Operate(login, linnet.Measure{Act: linnet.Silence}))
		}
	}
	for state, want := range map[linnet.AccountState]int{linnet.AnyState: 30, linnet.StateSilenced: 10, linnet.StateActive: 20, linnet.StateSuspended: 0} {
		for _, limit := range []int{1, 7, 100} {
			p, seen := linnet.Page{Limit: limit}, []linnet.ID{}
			for range 40 {
				page := apptest.Must(w.Moderation.Accounts(w.Ctx, linnet.Operator(), moderation.AccountsQuery{State: state}, p))(t)
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
				up := apptest.Must(w.Moderation.Accounts(w.Ctx, linnet.Operator(), moderation.AccountsQuery{}, linnet.Page{Min: linnet.CursorOf(seen[20]), Limit: 5}))(t)
				if len(up.Items) != 5 || up.Items[0].ID != seen[15] || up.Items[4].ID != seen[19] {
					t.Errorf("upwards: %d, %v", len(up.Items), up.Items)
				}
			}
		}
	}
	w.Check()
}

// TestSensitized checks that all statuses of a sensitized account are shown as sensitive, on cached
// pages, in reposts and in streams, until the measure ends.
func TestSensitized(t *testing.T) {
	w := apptest.InMemory(t)
	boss, me, ann := w.Person("boss"), w.Person("me"), w.Person("ann")
	w.OK(w.GiveRole("boss", linnet.Moderator))
	w.Follow(me, ann)
	early := w.Post(ann, "early")
	apptest.Must(w.Posting.Repost(w.Ctx, me, early.ID, nil))(t)
	e := w.Listen(apptest.Session(me), apptest.Stream(linnet.StreamUser))
	shown := func(want bool) {
		t.Helper()
		for range 2 {
			for _, v := range w.Home(me, 20) {
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
	w.OK(w.Moderate(linnet.By(boss), ann, linnet.Sensitize))
	shown(true)
	apptest.Must(w.Posting.Repost(w.Ctx, ann, early.ID, nil))(t)
	e.WaitFor("user update RT early")
	for _, ev := range e.Seen() {
		if v := ev.Status; v != nil && v.Repost != nil && v.Author == ann && !v.Repost.Sensitive {
			t.Error("a stream shows it as it was")
		}
	}
	w.OK(w.Moderate(linnet.By(boss), ann, linnet.Unsensitize))
	shown(false)
}

package app_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"linnet/internal/linnet"
	"linnet/internal/store"
)

// group creates a group with members.
func (w *world) group(by linnet.ID, login string, kind linnet.GroupKind, members ...linnet.ID) linnet.ID {
	w.Helper()
	v, err := w.Groups.CreateGroup(w.ctx, by, linnet.NewGroup{Login: login, Name: "The " + login, Kind: kind})
	if err != nil {
		w.Fatalf("found %s: %v", login, err)
	}
	for _, m := range members {
		if kind == linnet.Chat {
			w.did(w.Groups.InviteToGroup(w.ctx, by, v.ID, []linnet.ID{m}))
		}
		w.follow(m, v.ID)
		if kind == linnet.PrivateGroup {
			w.did(w.Groups.AcceptMember(w.ctx, by, v.ID, m))
		}
	}
	return v.ID
}

// inGroup returns the texts that a viewer sees in a group, newest first.
func (w *world) inGroup(viewer, group linnet.ID) []string {
	w.Helper()
	w.drain()
	return texts(w.pages(2, func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
		return w.Reading.GroupTimeline(w.ctx, viewer, group, p)
	}))
}

// membersOf returns the members of a group with their roles, sorted.
func (w *world) membersOf(viewer, group linnet.ID) []string {
	w.Helper()
	m := must(w.Groups.GroupMembers(w.ctx, viewer, group, linnet.Outsider, linnet.Page{}))(w)
	var out []string
	for _, x := range m.Items {
		out = append(out, x.Login+" "+x.Role.String())
	}
	return sorted(out)
}

func wants(t testing.TB, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

func visible(v linnet.Visibility) *linnet.Visibility { return &v }

// TestGroupLife checks that a public group works from its creation to its deletion.
func TestGroupLife(t *testing.T) { onEngines(t, groupLife) }

func groupLife(w *world) {
	ann, bob, cat := w.person("ann"), w.person("bob"), w.person("cat")
	g := w.group(ann, "birds", linnet.PublicGroup)
	kindIs(w, second(w.Groups.CreateGroup(w.ctx, bob, linnet.NewGroup{Login: "Birds", Kind: linnet.PublicGroup})), linnet.Conflict)
	kindIs(w, second(w.Groups.CreateGroup(w.ctx, bob, linnet.NewGroup{Login: "support", Kind: linnet.PublicGroup})), linnet.Invalid)
	var all *linnet.Error
	err := second(w.Groups.CreateGroup(w.ctx, bob, linnet.NewGroup{Name: strings.Repeat("x", 1000), Note: strings.Repeat("x", 10000)}))
	if !errors.As(err, &all) || len(all.Fields) != 4 || !strings.HasPrefix(all.Msg, "Validation failed: Username can't be blank, Kind must be") {
		w.Errorf("errors of all inputs: %v", err)
	}
	kindIs(w, second(w.Groups.CreateGroup(w.ctx, bob, linnet.NewGroup{Login: "x y", Kind: linnet.PublicGroup})), linnet.Invalid)
	kindIs(w, second(w.Groups.CreateGroup(w.ctx, bob, linnet.NewGroup{Login: "cows"})), linnet.Invalid)
	if v := must(w.Groups.Group(w.ctx, 0, g))(w); v.Group != linnet.PublicGroup || v.Name != "The birds" || v.Followers != 1 || v.Locked {
		w.Errorf("group: %+v", v)
	}
	kindIs(w, second(w.Identity.Authenticate(w.ctx, "birds", "")), linnet.Unauthenticated)
	kindIs(w, w.Identity.SetPassword(w.ctx, linnet.Operator(), "birds", "correct horse"), linnet.Invalid)
	if _, err := w.Groups.Group(w.ctx, 0, ann); linnet.KindOf(err) != linnet.NotFound {
		w.Errorf("a person is a group: %v", err)
	}

	w.post(cat, "@birds from outside")
	w.follow(bob, g)
	wants(w, "members", w.membersOf(0, g), "ann owner", "bob member")
	first := w.post(bob, "@birds a wren")
	if first.Group != g {
		w.Errorf("posted in %v", first.Group)
	}
	answer := w.draft(ann, linnet.Draft{Text: "@bob @birds where?", InReplyTo: first.ID})
	w.draft(bob, linnet.Draft{Text: "@birds for followers", Visibility: visible(linnet.Private)})
	w.post(ann, "@birds a heron")
	wants(w, "timeline", w.inGroup(0, g), "RT @birds a heron", "RT @birds a wren")
	wants(w, "home of a member", texts(w.home(bob, 3)), "RT @birds a heron", "@birds for followers", "@birds a wren")
	wants(w, "home of a follower", texts(w.home(ann, 3)), "@birds a heron", "@bob @birds where?", "RT @birds a wren")
	for _, n := range w.noticesOf(bob, linnet.NotificationFilter{}, 10) {
		if n.Type == linnet.NotifyRepost {
			w.Error("who posts in a group is told that the group reposts it")
		}
	}
	_ = answer

	kindIs(w, w.Posting.GroupPosts.Remove(w.ctx, bob, g, first.ID), linnet.Forbidden)
	w.did(w.Posting.GroupPosts.Remove(w.ctx, ann, g, first.ID))
	kindIs(w, w.Posting.GroupPosts.Remove(w.ctx, ann, g, first.ID), linnet.NotFound)
	wants(w, "timeline without one", w.inGroup(cat, g), "RT @birds a heron")
	must(w.View.Status(w.ctx, cat, first.ID))(w) // it is public

	must(w.Social.Unfollow(w.ctx, bob, g))(w)
	w.post(bob, "@birds I have left")
	wants(w, "who is left", w.membersOf(cat, g), "ann owner")
	wants(w, "timeline of those who are left", w.inGroup(cat, g), "RT @birds a heron")
	groupRoles(w, g, ann, bob, cat)

	w.did(w.Groups.DeleteGroup(w.ctx, bob, g))
	kindIs(w, second(w.Groups.Group(w.ctx, ann, g)), linnet.NotFound)
	w.drain()
	wants(w, "homes afterwards", texts(w.home(bob, 9))[:1], "@birds I have left")
	kindIs(w, second(w.Groups.CreateGroup(w.ctx, bob, linnet.NewGroup{Login: "birds", Kind: linnet.PublicGroup})), linnet.Conflict)
	if mine := must(w.Groups.MyGroups(w.ctx, bob))(w); len(mine) != 0 {
		w.Errorf("still in %v", mine)
	}
	w.check()
}

// groupRoles checks the permissions between roles. bob is the owner in the end.
func groupRoles(w *world, g, ann, bob, cat linnet.ID) {
	w.Helper()
	w.follow(bob, g)
	w.follow(cat, g)
	kindIs(w, w.Groups.KickMember(w.ctx, bob, g, cat), linnet.Forbidden)
	kindIs(w, second(w.Groups.SetGroupRole(w.ctx, bob, g, bob, linnet.GroupOwner)), linnet.Forbidden)
	kindIs(w, second(w.Social.Unfollow(w.ctx, ann, g)), linnet.Invalid)
	kindIs(w, second(w.Social.Block(w.ctx, ann, g)), linnet.Invalid)
	kindIs(w, second(w.Groups.SetGroupRole(w.ctx, ann, g, ann, linnet.GroupMember)), linnet.Invalid)
	if m := must(w.Groups.SetGroupRole(w.ctx, ann, g, bob, linnet.GroupModerator))(w); m.Role != linnet.GroupModerator {
		w.Errorf("bob is %v", m.Role)
	}
	kindIs(w, w.Groups.KickMember(w.ctx, bob, g, ann), linnet.Forbidden)
	w.did(w.Groups.KickMember(w.ctx, bob, g, cat))
	kindIs(w, w.Groups.KickMember(w.ctx, bob, g, cat), linnet.NotFound)
	w.follow(cat, g)
	w.did(w.Groups.BanMember(w.ctx, bob, g, cat))
	kindIs(w, second(w.Social.Follow(w.ctx, cat, g, linnet.FollowOptions{})), linnet.Forbidden)
	wants(w, "without the banned", w.membersOf(ann, g), "ann owner", "bob moderator")
	if banned := must(w.Groups.GroupBans(w.ctx, bob, g, linnet.Page{}))(w); len(banned.Items) != 1 || banned.Items[0].ID != cat {
		w.Errorf("banned: %v", banned.Items)
	}
	w.post(cat, "@birds let me in")
	w.drain()
	wants(w, "what the banned post", texts(must(w.Reading.GroupTimeline(w.ctx, ann, g, linnet.Page{Limit: 1}))(w).Items), "RT @birds a heron")
	w.did(w.Groups.UnbanMember(w.ctx, bob, g, cat))
	w.follow(cat, g)
	must(w.Groups.SetGroupRole(w.ctx, ann, g, bob, linnet.GroupOwner))(w)
	kindIs(w, w.Groups.BanMember(w.ctx, ann, g, bob), linnet.Forbidden)
	kindIs(w, second(w.Groups.SetGroupRole(w.ctx, ann, g, bob, linnet.GroupMember)), linnet.Forbidden)
	kindIs(w, second(w.Groups.UpdateGroup(w.ctx, cat, g, linnet.GroupChange{Name: new("mine")})), linnet.Forbidden)
	if v := must(w.Groups.UpdateGroup(w.ctx, bob, g, linnet.GroupChange{Name: new("Birds"), Note: new("all of them")}))(w); v.Name != "Birds" || v.Note != "all of them" {
		w.Errorf("edited: %+v", v)
	}
	must(w.Social.Unfollow(w.ctx, ann, g))(w)
	wants(w, "after ann has left", w.membersOf(ann, g), "bob owner", "cat member")
}

// TestGroupKinds checks that no change of a group's kind shows closed posts to more viewers.
func TestGroupKinds(t *testing.T) {
	w := memWorld(t)
	ann := w.person("ann")
	kinds := []linnet.GroupKind{linnet.PublicGroup, linnet.PrivateGroup, linnet.AnnouncementGroup, linnet.Chat}
	may := map[string]bool{"public announcement": true, "announcement public": true, "public private": true, "announcement private": true}
	for i, from := range kinds {
		for j, to := range kinds {
			g := w.group(ann, fmt.Sprintf("g%d_%d", i, j), from)
			_, err := w.Groups.UpdateGroup(w.ctx, ann, g, linnet.GroupChange{Kind: &to})
			if ok := from == to || may[fmt.Sprint(from, " ", to)]; ok != (err == nil) || !ok && linnet.KindOf(err) != linnet.Invalid {
				t.Errorf("from %v to %v: %v", from, to, err)
			}
		}
	}
	for i := range linnet.MaxGroupsOwned - len(kinds)*len(kinds) {
		w.group(ann, fmt.Sprint("more", i), linnet.PublicGroup)
	}
	kindIs(t, second(w.Groups.CreateGroup(w.ctx, ann, linnet.NewGroup{Login: "beyond", Kind: linnet.PublicGroup})), linnet.Invalid)
}

// TestGroupInherited checks that the longest-serving moderator inherits a group from its last
// owner, or else the longest-serving member. A group without members closes.
func TestGroupInherited(t *testing.T) { onEngines(t, groupInherited) }

func groupInherited(w *world) {
	ann, bob, cat, dan := w.person("ann"), w.person("bob"), w.person("cat"), w.person("dan")
	one := w.group(ann, "one", linnet.PublicGroup, bob, cat, dan)
	two := w.group(ann, "two", linnet.PublicGroup, cat)
	three := w.group(ann, "three", linnet.PrivateGroup)
	must(w.Groups.SetGroupRole(w.ctx, ann, one, dan, linnet.GroupModerator))(w)
	w.nextMillisecond()
	must(w.Groups.SetGroupRole(w.ctx, ann, one, cat, linnet.GroupModerator))(w)
	w.did(w.Social.Deletion.DeleteUser(w.ctx, ann))
	w.drain()
	wants(w, "inherited by a moderator", w.membersOf(0, one), "bob member", "cat moderator", "dan owner")
	wants(w, "inherited by a member", w.membersOf(0, two), "cat owner")
	kindIs(w, second(w.Groups.Group(w.ctx, cat, three)), linnet.NotFound)
	w.did(w.Social.Deletion.DeleteUser(w.ctx, cat))
	w.drain()
	wants(w, "after a moderator", w.membersOf(0, one), "bob member", "dan owner")
	kindIs(w, second(w.Groups.Group(w.ctx, bob, two)), linnet.NotFound)
	w.check()
}

// TestOwnersLeaveAtOnce checks that only one of two owners can leave a group when they leave at the
// same time.
func TestOwnersLeaveAtOnce(t *testing.T) {
	m := newMeeting()
	w := idleWorld(t, m, store.Options{})
	ann, bob := w.person("ann"), w.person("bob")
	g := w.group(ann, "birds", linnet.PublicGroup, bob)
	must(w.Groups.SetGroupRole(w.ctx, ann, g, bob, linnet.GroupOwner))(t)
	refused := 0
	m.atOnce(t, 2, func(i int) error {
		_, err := w.Social.Unfollow(w.ctx, []linnet.ID{ann, bob}[i], g)
		if linnet.KindOf(err) == linnet.Invalid {
			refused++
			return nil
		}
		return err
	})
	if refused != 1 {
		t.Errorf("%d are kept", refused)
	}
	w = serve(t, m, store.Options{})
	w.check()
}

// TestGroupOfMany checks that a post in a large group reaches each member once, in batches of a
// thousand, or is pulled if there are too many members.
func TestGroupOfMany(t *testing.T) {
	w := newCosts(t)
	ann := w.person("ann")
	g := w.group(ann, "crowd", linnet.PublicGroup)
	fans := w.crowd(g, 5000)
	w.post(ann, "@crowd warms the caches")
	s := w.of("a post to a group of 5,000", func() { w.post(ann, "@crowd hello") })
	if s.Changes > 5000+60 || s.Applies > 5+10 || s.Txns > 12 || s.Reads > 2*5+24 {
		t.Errorf("too much: %+v", s)
	}
	for i, feed := range w.feeds(fans) {
		if len(feed) != 2 {
			t.Fatalf("member %d has %v", i, feed)
		}
	}
}

// TestPrivateGroupKeepsPosts checks that a member's post in a private group stays private, whatever
// visibility the app sends, and that the response shows it. A mention by an outsider is a normal
// mention.
func TestPrivateGroupKeepsPosts(t *testing.T) {
	onEngines(t, func(w *world) {
		ann, bob, eve := w.person("ann"), w.person("bob"), w.person("eve")
		g := w.group(ann, "den", linnet.PrivateGroup, bob)
		w.follow(eve, bob)
		w.drain()
		root := w.post(eve, "root")
		for _, d := range []linnet.Draft{{}, {Visibility: new(linnet.Public)}, {Visibility: new(linnet.Unlisted)}, {Visibility: new(linnet.Private)}, {Visibility: new(linnet.Direct)},
			{Visibility: new(linnet.Public), InReplyTo: root.ID}} {
			d.Text = "@den hidden"
			v := w.draft(bob, d)
			w.drain()
			if v.Visibility != linnet.Private || v.Group != g || v.In == nil || v.In.Login != "den" {
				w.Errorf("%+v became %v in %v", d, v.Visibility, v.Group)
			}
			if _, err := w.View.Status(w.ctx, eve, v.ID); linnet.KindOf(err) != linnet.NotFound {
				w.Errorf("%+v is seen by a stranger: %v", d, err)
			}
			if got := w.inGroup(ann, g); !slices.Contains(got, "RT @den hidden") {
				w.Errorf("%+v is not in the group: %v", d, got)
			}
			if _, err := w.Posting.Delete(w.ctx, bob, v.ID); err != nil {
				w.Fatal(err)
			}
			w.drain()
		}
		v := w.draft(eve, linnet.Draft{Text: "what is @den?", Visibility: new(linnet.Public)})
		if v.Visibility != linnet.Public || v.Group != 0 {
			w.Errorf("a stranger's post became %v in %v", v.Visibility, v.Group)
		}
		w.check()
	})
}

// TestAnswerReachesGroup checks that a reply that brings a conversation into a group reaches the
// group's members. Further replies do not, although apps mention the group in each.
func TestAnswerReachesGroup(t *testing.T) {
	onEngines(t, func(w *world) {
		ann, bob, eve := w.person("ann"), w.person("bob"), w.person("eve")
		g := w.group(ann, "club", linnet.PublicGroup, bob)
		w.drain()
		answer := func(by, to linnet.ID, text string) linnet.ID {
			id := w.draft(by, linnet.Draft{Text: text, InReplyTo: to}).ID
			w.drain()
			return id
		}
		first := answer(bob, w.post(eve, "root").ID, "@eve @club look")
		answer(ann, first, "@bob @club I see")
		answer(eve, first, "@bob @club thanks")
		wants(w, "the group", w.inGroup(0, g), "RT @eve @club look")
		w.check()
	})
}

// TestGroupToken checks that a group has no tokens, because no one acts as a group.
func TestGroupToken(t *testing.T) {
	onEngines(t, func(w *world) {
		ann := w.person("ann")
		birds, err := w.Groups.CreateGroup(w.ctx, ann, linnet.NewGroup{Login: "birds", Kind: linnet.PublicGroup})
		if err != nil {
			w.Fatal(err)
		}
		app, _, err := w.Apps.Register(w.ctx, linnet.AppRequest{Name: "T", RedirectURIs: []string{"https://a.test/"}, Scopes: []string{"read"}})
		if err != nil {
			w.Fatal(err)
		}
		kindIs(w, second(w.Apps.UserToken(w.ctx, birds.ID, app.ID, app.Scopes)), linnet.Invalid)
		if _, err := w.Apps.UserToken(w.ctx, ann, app.ID, app.Scopes); err != nil {
			w.Errorf("a person's token: %v", err)
		}
	})
}

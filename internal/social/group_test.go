package social_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
)

// inGroup returns the texts that a viewer sees in a group, newest first.
func inGroup(w *apptest.World, viewer, group linnet.ID) []string {
	w.Helper()
	w.Drain()
	return apptest.Texts(w.Pages(2, func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
		return w.Reading.GroupTimeline(w.Ctx, viewer, group, p)
	}))
}

func visible(v linnet.Visibility) *linnet.Visibility { return &v }

// TestGroupLife checks that a public group works from its creation to its deletion.
func TestGroupLife(t *testing.T) { apptest.OnEngines(t, groupLife) }

func groupLife(w *apptest.World) {
	ann, bob, cat := w.Person("ann"), w.Person("bob"), w.Person("cat")
	g := w.Group(ann, "birds", linnet.PublicGroup)
	apptest.WantKind(w, apptest.Err(w.Groups.CreateGroup(w.Ctx, bob, linnet.NewGroup{Login: "Birds", Kind: linnet.PublicGroup})), linnet.Conflict)
	apptest.WantKind(w, apptest.Err(w.Groups.CreateGroup(w.Ctx, bob, linnet.NewGroup{Login: "support", Kind: linnet.PublicGroup})), linnet.Invalid)
	var all *linnet.Error
	err := apptest.Err(w.Groups.CreateGroup(w.Ctx, bob, linnet.NewGroup{Name: strings.Repeat("x", 1000), Note: strings.Repeat("x", 10000)}))
	if !errors.As(err, &all) || len(all.Fields) != 4 || !strings.HasPrefix(all.Msg, "Validation failed: Username can't be blank, Kind must be") {
		w.Errorf("errors of all inputs: %v", err)
	}
	apptest.WantKind(w, apptest.Err(w.Groups.CreateGroup(w.Ctx, bob, linnet.NewGroup{Login: "x y", Kind: linnet.PublicGroup})), linnet.Invalid)
	apptest.WantKind(w, apptest.Err(w.Groups.CreateGroup(w.Ctx, bob, linnet.NewGroup{Login: "cows"})), linnet.Invalid)
	if v := apptest.Must(w.Groups.Group(w.Ctx, 0, g))(w); v.Group != linnet.PublicGroup || v.Name != "The birds" || v.Followers != 1 || v.Locked {
		w.Errorf("group: %+v", v)
	}
	apptest.WantKind(w, apptest.Err(w.Identity.Authenticate(w.Ctx, "birds", "")), linnet.Unauthenticated)
	apptest.WantKind(w, w.Identity.SetPassword(w.Ctx, linnet.Operator(), "birds", "correct horse"), linnet.Invalid)
	if _, err := w.Groups.Group(w.Ctx, 0, ann); linnet.KindOf(err) != linnet.NotFound {
		w.Errorf("a person is a group: %v", err)
	}

	w.Post(cat, "@birds from outside")
	w.Follow(bob, g)
	apptest.Want(w, "members", w.GroupMembers(0, g), "ann owner", "bob member")
	first := w.Post(bob, "@birds a wren")
	if first.Group != g {
		w.Errorf("posted in %v", first.Group)
	}
	answer := w.Draft(ann, linnet.Draft{Text: "@bob @birds where?", InReplyTo: first.ID})
	w.Draft(bob, linnet.Draft{Text: "@birds for followers", Visibility: visible(linnet.Private)})
	w.Post(ann, "@birds a heron")
	apptest.Want(w, "timeline", inGroup(w, 0, g), "RT @birds a heron", "RT @birds a wren")
	apptest.Want(w, "home of a member", apptest.Texts(w.Home(bob, 3)), "RT @birds a heron", "@birds for followers", "@birds a wren")
	apptest.Want(w, "home of a follower", apptest.Texts(w.Home(ann, 3)), "@birds a heron", "@bob @birds where?", "RT @birds a wren")
	for _, n := range w.NoticesOf(bob, linnet.NotificationFilter{}, 10) {
		if n.Type == linnet.NotifyRepost {
			w.Error("who posts in a group is told that the group reposts it")
		}
	}
	_ = answer

	apptest.WantKind(w, w.Posting.GroupPosts.Remove(w.Ctx, bob, g, first.ID), linnet.Forbidden)
	w.OK(w.Posting.GroupPosts.Remove(w.Ctx, ann, g, first.ID))
	apptest.WantKind(w, w.Posting.GroupPosts.Remove(w.Ctx, ann, g, first.ID), linnet.NotFound)
	apptest.Want(w, "timeline without one", inGroup(w, cat, g), "RT @birds a heron")
	apptest.Must(w.View.Status(w.Ctx, cat, first.ID))(w) // it is public

	apptest.Must(w.Social.Unfollow(w.Ctx, bob, g))(w)
	w.Post(bob, "@birds I have left")
	apptest.Want(w, "who is left", w.GroupMembers(cat, g), "ann owner")
	apptest.Want(w, "timeline of those who are left", inGroup(w, cat, g), "RT @birds a heron")
	groupRoles(w, g, ann, bob, cat)

	w.OK(w.Groups.DeleteGroup(w.Ctx, bob, g))
	apptest.WantKind(w, apptest.Err(w.Groups.Group(w.Ctx, ann, g)), linnet.NotFound)
	w.Drain()
	apptest.Want(w, "homes afterwards", apptest.Texts(w.Home(bob, 9))[:1], "@birds I have left")
	apptest.WantKind(w, apptest.Err(w.Groups.CreateGroup(w.Ctx, bob, linnet.NewGroup{Login: "birds", Kind: linnet.PublicGroup})), linnet.Conflict)
	if mine := apptest.Must(w.Groups.MyGroups(w.Ctx, bob))(w); len(mine) != 0 {
		w.Errorf("still in %v", mine)
	}
	w.Check()
}

// groupRoles checks the permissions between roles. bob is the owner in the end.
func groupRoles(w *apptest.World, g, ann, bob, cat linnet.ID) {
	w.Helper()
	w.Follow(bob, g)
	w.Follow(cat, g)
	apptest.WantKind(w, w.Groups.KickMember(w.Ctx, bob, g, cat), linnet.Forbidden)
	apptest.WantKind(w, apptest.Err(w.Groups.SetGroupRole(w.Ctx, bob, g, bob, linnet.GroupOwner)), linnet.Forbidden)
	apptest.WantKind(w, apptest.Err(w.Social.Unfollow(w.Ctx, ann, g)), linnet.Invalid)
	apptest.WantKind(w, apptest.Err(w.Social.Block(w.Ctx, ann, g)), linnet.Invalid)
	apptest.WantKind(w, apptest.Err(w.Groups.SetGroupRole(w.Ctx, ann, g, ann, linnet.GroupMember)), linnet.Invalid)
	if m := apptest.Must(w.Groups.SetGroupRole(w.Ctx, ann, g, bob, linnet.GroupModerator))(w); m.Role != linnet.GroupModerator {
		w.Errorf("bob is %v", m.Role)
	}
	apptest.WantKind(w, w.Groups.KickMember(w.Ctx, bob, g, ann), linnet.Forbidden)
	w.OK(w.Groups.KickMember(w.Ctx, bob, g, cat))
	apptest.WantKind(w, w.Groups.KickMember(w.Ctx, bob, g, cat), linnet.NotFound)
	w.Follow(cat, g)
	w.OK(w.Groups.BanMember(w.Ctx, bob, g, cat))
	apptest.WantKind(w, apptest.Err(w.Social.Follow(w.Ctx, cat, g, linnet.FollowOptions{})), linnet.Forbidden)
	apptest.Want(w, "without the banned", w.GroupMembers(ann, g), "ann owner", "bob moderator")
	if banned := apptest.Must(w.Groups.GroupBans(w.Ctx, bob, g, linnet.Page{}))(w); len(banned.Items) != 1 || banned.Items[0].ID != cat {
		w.Errorf("banned: %v", banned.Items)
	}
	w.Post(cat, "@birds let me in")
	w.Drain()
	apptest.Want(w, "what the banned post", apptest.Texts(apptest.Must(w.Reading.GroupTimeline(w.Ctx, ann, g, linnet.Page{Limit: 1}))(w).Items), "RT @birds a heron")
	w.OK(w.Groups.UnbanMember(w.Ctx, bob, g, cat))
	w.Follow(cat, g)
	apptest.Must(w.Groups.SetGroupRole(w.Ctx, ann, g, bob, linnet.GroupOwner))(w)
	apptest.WantKind(w, w.Groups.BanMember(w.Ctx, ann, g, bob), linnet.Forbidden)
	apptest.WantKind(w, apptest.Err(w.Groups.SetGroupRole(w.Ctx, ann, g, bob, linnet.GroupMember)), linnet.Forbidden)
	apptest.WantKind(w, apptest.Err(w.Groups.UpdateGroup(w.Ctx, cat, g, linnet.GroupChange{Name: new("mine")})), linnet.Forbidden)
	if v := apptest.Must(w.Groups.UpdateGroup(w.Ctx, bob, g, linnet.GroupChange{Name: new("Birds"), Note: new("all of them")}))(w); v.Name != "Birds" || v.Note != "all of them" {
		w.Errorf("edited: %+v", v)
	}
	apptest.Must(w.Social.Unfollow(w.Ctx, ann, g))(w)
	apptest.Want(w, "after ann has left", w.GroupMembers(ann, g), "bob owner", "cat member")
}

// TestGroupKinds checks that no change of a group's kind shows closed posts to more viewers.
func TestGroupKinds(t *testing.T) {
	w := apptest.InMemory(t)
	ann := w.Person("ann")
	kinds := []linnet.GroupKind{linnet.PublicGroup, linnet.PrivateGroup, linnet.AnnouncementGroup, linnet.Chat}
	may := map[string]bool{"public announcement": true, "announcement public": true, "public private": true, "announcement private": true}
	for i, from := range kinds {
		for j, to := range kinds {
			g := w.Group(ann, fmt.Sprintf("g%d_%d", i, j), from)
			_, err := w.Groups.UpdateGroup(w.Ctx, ann, g, linnet.GroupChange{Kind: &to})
			if ok := from == to || may[fmt.Sprint(from, " ", to)]; ok != (err == nil) || !ok && linnet.KindOf(err) != linnet.Invalid {
				t.Errorf("from %v to %v: %v", from, to, err)
			}
		}
	}
	for i := range linnet.MaxGroupsOwned - len(kinds)*len(kinds) {
		w.Group(ann, fmt.Sprint("more", i), linnet.PublicGroup)
	}
	apptest.WantKind(t, apptest.Err(w.Groups.CreateGroup(w.Ctx, ann, linnet.NewGroup{Login: "beyond", Kind: linnet.PublicGroup})), linnet.Invalid)
}

// TestGroupInherited checks that the longest-serving moderator inherits a group from its last
// owner, or else the longest-serving member. A group without members closes.
func TestGroupInherited(t *testing.T) { apptest.OnEngines(t, groupInherited) }

func groupInherited(w *apptest.World) {
	ann, bob, cat, dan := w.Person("ann"), w.Person("bob"), w.Person("cat"), w.Person("dan")
	one := w.Group(ann, "one", linnet.PublicGroup, bob, cat, dan)
	two := w.Group(ann, "two", linnet.PublicGroup, cat)
	three := w.Group(ann, "three", linnet.PrivateGroup)
	apptest.Must(w.Groups.SetGroupRole(w.Ctx, ann, one, dan, linnet.GroupModerator))(w)
	w.NextMillisecond()
	apptest.Must(w.Groups.SetGroupRole(w.Ctx, ann, one, cat, linnet.GroupModerator))(w)
	w.OK(w.Social.Deletion.DeleteUser(w.Ctx, ann))
	w.Drain()
	apptest.Want(w, "inherited by a moderator", w.GroupMembers(0, one), "bob member", "cat moderator", "dan owner")
	apptest.Want(w, "inherited by a member", w.GroupMembers(0, two), "cat owner")
	apptest.WantKind(w, apptest.Err(w.Groups.Group(w.Ctx, cat, three)), linnet.NotFound)
	w.OK(w.Social.Deletion.DeleteUser(w.Ctx, cat))
	w.Drain()
	apptest.Want(w, "after a moderator", w.GroupMembers(0, one), "bob member", "dan owner")
	apptest.WantKind(w, apptest.Err(w.Groups.Group(w.Ctx, bob, two)), linnet.NotFound)
	w.Check()
}

// TestGroupOfMany checks that a post in a large group reaches each member once, in batches of a
// thousand, or is pulled if there are too many members.
func TestGroupOfMany(t *testing.T) {
	w := apptest.NewCosts(t)
	ann := w.Person("ann")
	g := w.Group(ann, "crowd", linnet.PublicGroup)
	fans := w.Crowd(g, 5000)
	w.Post(ann, "@crowd warms the caches")
	s := w.Of("a post to a group of 5,000", func() { w.Post(ann, "@crowd hello") })
	if s.Changes > 5000+60 || s.Applies > 5+10 || s.Txns > 12 || s.Reads > 2*5+24 {
		t.Errorf("too much: %+v", s)
	}
	for i, feed := range w.HomeFeeds(fans) {
		if len(feed) != 2 {
			t.Fatalf("member %d has %v", i, feed)
		}
	}
}

// TestPrivateGroupKeepsPosts checks that a member's post in a private group stays private, whatever
// visibility the app sends, and that the response shows it. A mention by an outsider is a normal
// mention.
func TestPrivateGroupKeepsPosts(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann, bob, eve := w.Person("ann"), w.Person("bob"), w.Person("eve")
		g := w.Group(ann, "den", linnet.PrivateGroup, bob)
		w.Follow(eve, bob)
		w.Drain()
		root := w.Post(eve, "root")
		for _, d := range []linnet.Draft{{}, {Visibility: new(linnet.Public)}, {Visibility: new(linnet.Unlisted)}, {Visibility: new(linnet.Private)}, {Visibility: new(linnet.Direct)},
			{Visibility: new(linnet.Public), InReplyTo: root.ID}} {
			d.Text = "@den hidden"
			v := w.Draft(bob, d)
			w.Drain()
			if v.Visibility != linnet.Private || v.Group != g || v.In == nil || v.In.Login != "den" {
				w.Errorf("%+v became %v in %v", d, v.Visibility, v.Group)
			}
			if _, err := w.View.Status(w.Ctx, eve, v.ID); linnet.KindOf(err) != linnet.NotFound {
				w.Errorf("%+v is seen by a stranger: %v", d, err)
			}
			if got := inGroup(w, ann, g); !slices.Contains(got, "RT @den hidden") {
				w.Errorf("%+v is not in the group: %v", d, got)
			}
			if _, err := w.Posting.Delete(w.Ctx, bob, v.ID); err != nil {
				w.Fatal(err)
			}
			w.Drain()
		}
		v := w.Draft(eve, linnet.Draft{Text: "what is @den?", Visibility: new(linnet.Public)})
		if v.Visibility != linnet.Public || v.Group != 0 {
			w.Errorf("a stranger's post became %v in %v", v.Visibility, v.Group)
		}
		w.Check()
	})
}

// TestAnswerReachesGroup checks that a reply that brings a conversation into a group reaches the
// group's members. Further replies do not, although apps mention the group in each.
func TestAnswerReachesGroup(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann, bob, eve := w.Person("ann"), w.Person("bob"), w.Person("eve")
		g := w.Group(ann, "club", linnet.PublicGroup, bob)
		w.Drain()
		answer := func(by, to linnet.ID, text string) linnet.ID {
			id := w.Draft(by, linnet.Draft{Text: text, InReplyTo: to}).ID
			w.Drain()
			return id
		}
		first := answer(bob, w.Post(eve, "root").ID, "@eve @club look")
		answer(ann, first, "@bob @club I see")
		answer(eve, first, "@bob @club thanks")
		apptest.Want(w, "the group", inGroup(w, 0, g), "RT @eve @club look")
		w.Check()
	})
}

// TestGroupToken checks that a group has no tokens, because no one acts as a group.
func TestGroupToken(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann := w.Person("ann")
		birds, err := w.Groups.CreateGroup(w.Ctx, ann, linnet.NewGroup{Login: "birds", Kind: linnet.PublicGroup})
		if err != nil {
			w.Fatal(err)
		}
		app, _, err := w.Apps.Register(w.Ctx, linnet.AppRequest{Name: "T", RedirectURIs: []string{"https://a.test/"}, Scopes: []string{"read"}})
		if err != nil {
			w.Fatal(err)
		}
		apptest.WantKind(w, apptest.Err(w.Apps.UserToken(w.Ctx, birds.ID, app.ID, app.Scopes)), linnet.Invalid)
		if _, err := w.Apps.UserToken(w.Ctx, ann, app.ID, app.Scopes); err != nil {
			w.Errorf("a person's token: %v", err)
		}
	})
}

package social_test

import (
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/discovery"
	"linnet/internal/linnet"
)

func loginList(users []linnet.UserView) []string {
	out := make([]string, len(users))
	for i, u := range users {
		out[i] = u.Login
	}
	return out
}

// TestGroupsAround checks that users find their groups, invitations and join requests. Managers
// find invited users and can revoke invitations.
func TestGroupsAround(t *testing.T) { apptest.OnEngines(t, groupsAround) }

func groupsAround(w *apptest.World) {
	ann, bob, cat := w.Person("ann"), w.Person("bob"), w.Person("cat")
	birds := w.Group(ann, "birds", linnet.PublicGroup, bob)
	fen, talk := w.Group(ann, "fen", linnet.PrivateGroup), w.Group(ann, "talk", linnet.Chat)
	apptest.Must(w.Groups.SetGroupRole(w.Ctx, ann, birds, bob, linnet.GroupModerator))(w)
	w.OK(w.Groups.InviteToGroup(w.Ctx, ann, talk, []linnet.ID{bob, cat}))
	w.Follow(bob, fen)
	w.Follow(bob, cat)
	w.Drain()
	mine := apptest.Must(w.Groups.GroupsAround(w.Ctx, bob))(w)
	if len(mine.In) != 1 || mine.In[0].ID != birds || mine.In[0].Role != linnet.GroupModerator {
		w.Errorf("bob is in %+v", mine.In)
	}
	apptest.Want(w, "invited", loginList(mine.Invited), "talk")
	apptest.Want(w, "asked", loginList(mine.Asked), "fen")
	if all := apptest.Must(w.Groups.GroupsAround(w.Ctx, ann))(w); len(all.In) != 3 || all.In[2].Role != linnet.GroupOwner {
		w.Errorf("ann is in %+v", all.In)
	}

	v := apptest.Must(w.Groups.ViewGroup(w.Ctx, ann, fen))(w)
	if v.Requests != 1 || !v.Inside || v.Mine.Role != linnet.GroupOwner {
		w.Errorf("as its owner sees it: %+v", v)
	}
	if v = apptest.Must(w.Groups.ViewGroup(w.Ctx, bob, fen))(w); v.Requests != 0 || v.Inside || !v.Mine.Requested {
		w.Errorf("as who asks sees it: %+v", v)
	}
	if v = apptest.Must(w.Groups.ViewGroup(w.Ctx, 0, birds))(w); !v.Inside || v.Mine.ID != 0 {
		w.Errorf("as a stranger sees it: %+v", v)
	}
	apptest.WantKind(w, apptest.Err(w.Groups.ViewGroup(w.Ctx, 0, talk)), linnet.NotFound)
	if v = apptest.Must(w.Groups.ViewGroup(w.Ctx, cat, talk))(w); !v.Mine.Invited || v.Inside {
		w.Errorf("as who is invited sees it: %+v", v)
	}

	apptest.WantKind(w, apptest.Err(w.Groups.GroupInvited(w.Ctx, cat, talk, linnet.Page{})), linnet.Forbidden)
	apptest.WantKind(w, w.Groups.TakeBackInvite(w.Ctx, bob, talk, cat), linnet.Forbidden)
	apptest.Want(w, "who is invited", apptest.Sorted(loginList(apptest.Must(w.Groups.GroupInvited(w.Ctx, ann, talk, linnet.Page{}))(w).Items)), "bob", "cat")
	for range 2 { // the second time there is none
		w.OK(w.Groups.TakeBackInvite(w.Ctx, ann, talk, cat))
	}
	w.Drain()
	apptest.WantKind(w, apptest.Err(w.Groups.ViewGroup(w.Ctx, cat, talk)), linnet.NotFound)
	apptest.WantKind(w, apptest.Err(w.Social.Follow(w.Ctx, cat, talk, linnet.FollowOptions{})), linnet.NotFound)
	w.Check()
}

// TestFindGroups checks that groups are found by name, and open groups in the directory.
func TestFindGroups(t *testing.T) { apptest.OnEngines(t, findGroups) }

func findGroups(w *apptest.World) {
	ann, bob := w.Person("ann"), w.Person("bob")
	for login, kind := range map[string]linnet.GroupKind{"annual": linnet.PublicGroup, "annex": linnet.PrivateGroup, "annoy": linnet.Chat, "announce": linnet.AnnouncementGroup} {
		w.Group(ann, login, kind)
	}
	w.Drain()
	apptest.Want(w, "directory", apptest.Sorted(loginList(apptest.Must(w.Discovery.Directory(w.Ctx, bob, linnet.DirectoryQuery{Groups: true}))(w))), "announce", "annual")
	if rest := apptest.Must(w.Discovery.Directory(w.Ctx, bob, linnet.DirectoryQuery{Groups: true, Offset: 1}))(w); len(rest) != 1 {
		w.Errorf("behind the first: %v", loginList(rest))
	}
	groups := func(viewer linnet.ID) []string {
		w.Helper()
		return apptest.Sorted(loginList(apptest.Must(w.Discovery.SearchUsers(w.Ctx, viewer, searchGroups("ann")))(w)))
	}
	apptest.Want(w, "found", groups(bob), "annex", "announce", "annual")
	apptest.Want(w, "found by a member", groups(ann), "annex", "announce", "annoy", "annual")
}

// TestChatTimeline checks that the timeline of a chat shows its messages to the users who were
// members.
func TestChatTimeline(t *testing.T) { apptest.OnEngines(t, chatTimeline) }

func chatTimeline(w *apptest.World) {
	ann, bob := w.Person("ann"), w.Person("bob")
	chat := w.Group(ann, "talk", linnet.Chat)
	apptest.Want(w, "in the beginning", inGroup(w, ann, chat))
	w.Post(ann, "@talk anybody?")
	w.Drain()
	w.NextMillisecond()
	w.OK(w.Groups.InviteToGroup(w.Ctx, ann, chat, []linnet.ID{bob}))
	apptest.WantKind(w, apptest.Err(w.Reading.GroupTimeline(w.Ctx, bob, chat, linnet.Page{})), linnet.NotFound)
	w.Follow(bob, chat)
	w.NextMillisecond()
	w.Post(bob, "@talk me")
	w.Post(ann, "@talk good")
	apptest.Want(w, "as ann sees it", inGroup(w, ann, chat), "@talk good", "@talk me", "@talk anybody?")
	apptest.Want(w, "as bob sees it", inGroup(w, bob, chat), "@talk good", "@talk me")
	apptest.Must(w.Social.Unfollow(w.Ctx, bob, chat))(w)
	apptest.WantKind(w, apptest.Err(w.Reading.GroupTimeline(w.Ctx, bob, chat, linnet.Page{})), linnet.NotFound)
}

func searchGroups(words string) discovery.SearchQuery {
	return discovery.SearchQuery{Text: words, Groups: true}
}

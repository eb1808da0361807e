package app_test

import (
	"testing"

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
func TestGroupsAround(t *testing.T) { onEngines(t, groupsAround) }

func groupsAround(w *world) {
	ann, bob, cat := w.person("ann"), w.person("bob"), w.person("cat")
	birds := w.group(ann, "birds", linnet.PublicGroup, bob)
	fen, talk := w.group(ann, "fen", linnet.PrivateGroup), w.group(ann, "talk", linnet.Chat)
	must(w.Groups.SetGroupRole(w.ctx, ann, birds, bob, linnet.GroupModerator))(w)
	w.did(w.Groups.InviteToGroup(w.ctx, ann, talk, []linnet.ID{bob, cat}))
	w.follow(bob, fen)
	w.follow(bob, cat)
	w.drain()
	mine := must(w.Groups.GroupsAround(w.ctx, bob))(w)
	if len(mine.In) != 1 || mine.In[0].ID != birds || mine.In[0].Role != linnet.GroupModerator {
		w.Errorf("bob is in %+v", mine.In)
	}
	wants(w, "invited", loginList(mine.Invited), "talk")
	wants(w, "asked", loginList(mine.Asked), "fen")
	if all := must(w.Groups.GroupsAround(w.ctx, ann))(w); len(all.In) != 3 || all.In[2].Role != linnet.GroupOwner {
		w.Errorf("ann is in %+v", all.In)
	}

	v := must(w.Groups.ViewGroup(w.ctx, ann, fen))(w)
	if v.Requests != 1 || !v.Inside || v.Mine.Role != linnet.GroupOwner {
		w.Errorf("as its owner sees it: %+v", v)
	}
	if v = must(w.Groups.ViewGroup(w.ctx, bob, fen))(w); v.Requests != 0 || v.Inside || !v.Mine.Requested {
		w.Errorf("as who asks sees it: %+v", v)
	}
	if v = must(w.Groups.ViewGroup(w.ctx, 0, birds))(w); !v.Inside || v.Mine.ID != 0 {
		w.Errorf("as a stranger sees it: %+v", v)
	}
	kindIs(w, second(w.Groups.ViewGroup(w.ctx, 0, talk)), linnet.NotFound)
	if v = must(w.Groups.ViewGroup(w.ctx, cat, talk))(w); !v.Mine.Invited || v.Inside {
		w.Errorf("as who is invited sees it: %+v", v)
	}

	kindIs(w, second(w.Groups.GroupInvited(w.ctx, cat, talk, linnet.Page{})), linnet.Forbidden)
	kindIs(w, w.Groups.TakeBackInvite(w.ctx, bob, talk, cat), linnet.Forbidden)
	wants(w, "who is invited", sorted(loginList(must(w.Groups.GroupInvited(w.ctx, ann, talk, linnet.Page{}))(w).Items)), "bob", "cat")
	for range 2 { // the second time there is none
		w.did(w.Groups.TakeBackInvite(w.ctx, ann, talk, cat))
	}
	w.drain()
	kindIs(w, second(w.Groups.ViewGroup(w.ctx, cat, talk)), linnet.NotFound)
	kindIs(w, second(w.Social.Follow(w.ctx, cat, talk, linnet.FollowOptions{})), linnet.NotFound)
	w.check()
}

// TestFindGroups checks that groups are found by name, and open groups in the directory.
func TestFindGroups(t *testing.T) { onEngines(t, findGroups) }

func findGroups(w *world) {
	ann, bob := w.person("ann"), w.person("bob")
	for login, kind := range map[string]linnet.GroupKind{"annual": linnet.PublicGroup, "annex": linnet.PrivateGroup, "annoy": linnet.Chat, "announce": linnet.AnnouncementGroup} {
		w.group(ann, login, kind)
	}
	w.drain()
	wants(w, "directory", sorted(loginList(must(w.Discovery.Directory(w.ctx, bob, linnet.DirectoryQuery{Groups: true}))(w))), "announce", "annual")
	if rest := must(w.Discovery.Directory(w.ctx, bob, linnet.DirectoryQuery{Groups: true, Offset: 1}))(w); len(rest) != 1 {
		w.Errorf("behind the first: %v", loginList(rest))
	}
	groups := func(viewer linnet.ID) []string {
		w.Helper()
		return sorted(loginList(must(w.Discovery.SearchUsers(w.ctx, viewer, searchGroups("ann")))(w)))
	}
	wants(w, "found", groups(bob), "annex", "announce", "annual")
	wants(w, "found by a member", groups(ann), "annex", "announce", "annoy", "annual")
}

// TestChatTimeline checks that the timeline of a chat shows its messages to the users who were
// members.
func TestChatTimeline(t *testing.T) { onEngines(t, chatTimeline) }

func chatTimeline(w *world) {
	ann, bob := w.person("ann"), w.person("bob")
	chat := w.group(ann, "talk", linnet.Chat)
	wants(w, "in the beginning", w.inGroup(ann, chat))
	w.post(ann, "@talk anybody?")
	w.drain()
	w.nextMillisecond()
	w.did(w.Groups.InviteToGroup(w.ctx, ann, chat, []linnet.ID{bob}))
	kindIs(w, second(w.Reading.GroupTimeline(w.ctx, bob, chat, linnet.Page{})), linnet.NotFound)
	w.follow(bob, chat)
	w.nextMillisecond()
	w.post(bob, "@talk me")
	w.post(ann, "@talk good")
	wants(w, "as ann sees it", w.inGroup(ann, chat), "@talk good", "@talk me", "@talk anybody?")
	wants(w, "as bob sees it", w.inGroup(bob, chat), "@talk good", "@talk me")
	must(w.Social.Unfollow(w.ctx, bob, chat))(w)
	kindIs(w, second(w.Reading.GroupTimeline(w.ctx, bob, chat, linnet.Page{})), linnet.NotFound)
}

func searchGroups(words string) discovery.SearchQuery {
	return discovery.SearchQuery{Text: words, Groups: true}
}

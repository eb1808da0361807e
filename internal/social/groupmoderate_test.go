package social_test

import (
	"fmt"
	"strings"
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/discovery"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// groupFor creates a group of each kind with a status, which is private if only members can read
// the group.
func groupFor(w *apptest.World, kind linnet.GroupKind, owner linnet.ID, members ...linnet.ID) (g linnet.ID, st linnet.StatusView) {
	w.Helper()
	login := fmt.Sprintf("%v%d", kind, owner%100000)
	g = w.Group(owner, login, kind, members...)
	w.Drain()
	w.NextMillisecond()
	v := linnet.Public
	if kind.Closed() {
		v = linnet.Direct
	}
	st = w.Draft(owner, linnet.Draft{Text: "@" + login + " wren", Visibility: &v})
	w.Drain()
	return g, st
}

var groupKinds = []linnet.GroupKind{linnet.PublicGroup, linnet.PrivateGroup, linnet.AnnouncementGroup, linnet.Chat}

// TestGroupSuspended checks that a suspended group and its posts are hidden from members too, and
// return unchanged. Members can leave it.
func TestGroupSuspended(t *testing.T) { apptest.OnEngines(t, groupSuspended) }

func groupSuspended(w *apptest.World) {
	root := w.User("root_")
	w.OK(w.GiveRole("root_", linnet.Moderator))
	for _, kind := range groupKinds {
		name := kind.String()
		ann, bob, cat := w.Person("ann"+name), w.Person("bob"+name), w.Person("cat"+name)
		g, st := groupFor(w, kind, ann, bob, cat)
		look := func(who linnet.ID) string {
			w.Drain()
			mine, lists := apptest.Must(w.Groups.MyGroups(w.Ctx, who))(w), apptest.Must(w.Lists.Lists(w.Ctx, who))(w)
			_, group := w.Groups.Group(w.Ctx, who, g)
			_, list := w.Feeds.ListTimeline(w.Ctx, who, linnet.ListOfGroup(g), linnet.Page{})
			_, status := w.View.Status(w.Ctx, who, st.ID)
			found := apptest.Must(w.Discovery.SearchUsers(w.Ctx, who, discovery.SearchQuery{Text: name}))(w)
			return fmt.Sprint(len(mine), len(lists), group == nil, list == nil, status == nil, len(found), strings.Contains(fmt.Sprint(apptest.Texts(w.Home(who, 20))), "wren"))
		}
		there := look(bob)
		if want := fmt.Sprint("1 1 true true true 1 ", kind != linnet.Chat); there != want {
			w.Errorf("%s: %s, want %s", name, there, want)
		}
		w.OK(w.Moderate(linnet.By(root), g, linnet.Suspend))
		if got, want := look(bob), fmt.Sprint("0 0 false false ", !kind.Closed(), " 0 false"); got != want {
			w.Errorf("%s suspended: %s, want %s", name, got, want)
		}
		if v, err := w.Posting.Post(w.Ctx, ann, linnet.Draft{Text: "@" + st.Text[1:], Visibility: visible(linnet.Direct)}); err == nil && v.Group == g {
			w.Errorf("%s: one posts in a suspended group", name)
		}
		apptest.WantKind(w, apptest.Err(w.Social.Follow(w.Ctx, root, g, linnet.FollowOptions{})), linnet.NotFound)
		apptest.WantKind(w, w.Groups.KickMember(w.Ctx, ann, g, bob), linnet.NotFound)
		apptest.WantKind(w, w.Groups.InviteToGroup(w.Ctx, ann, g, []linnet.ID{root}), linnet.NotFound)
		apptest.Must(w.Social.Unfollow(w.Ctx, cat, g))(w)
		w.OK(w.Moderate(linnet.By(root), g, linnet.Unsuspend))
		if got := look(bob); got != there {
			w.Errorf("%s back: %s, want %s", name, got, there)
		}
		apptest.Want(w, name+": members of the group that is back", w.GroupMembers(ann, g), "ann"+name+" owner", "bob"+name+" member")
	}
	w.Check()
}

// TestGroupSilenced checks that a silenced group serves its members and is hidden from strangers.
// Silenced users must ask to join groups.
func TestGroupSilenced(t *testing.T) { apptest.OnEngines(t, groupSilenced) }

func groupSilenced(w *apptest.World) {
	root := w.User("root_")
	w.OK(w.GiveRole("root_", linnet.Moderator))
	ann, bob, cat := w.Person("ann"), w.Person("bob"), w.Person("cat")
	g, st := groupFor(w, linnet.PublicGroup, ann, bob)
	w.OK(w.Trends.HandOn(w.Ctx))
	w.OK(w.Moderate(linnet.By(root), g, linnet.Silence))
	v := w.Post(ann, "@%s second", apptest.Must(w.Groups.Group(w.Ctx, 0, g))(w).Login)
	apptest.Want(w, "in the group", inGroup(w, bob, g), "RT "+v.Text, "RT "+st.Text)
	apptest.Want(w, "a member's home", apptest.Texts(w.Home(bob, 9)), "RT "+v.Text, "RT "+st.Text)
	for _, u := range apptest.Must(w.Discovery.Directory(w.Ctx, cat, linnet.DirectoryQuery{}))(w) {
		if u.ID == g {
			w.Error("a silenced group is in the directory")
		}
	}
	w.Follow(cat, g)
	w.OK(w.Moderate(linnet.By(root), bob, linnet.Silence))
	apptest.Must(w.Social.Unfollow(w.Ctx, bob, g))(w)
	w.Follow(bob, g)
	if r := apptest.Must(w.Groups.GroupRelations(w.Ctx, bob, []linnet.ID{g}))(w); r[0].Role != linnet.Outsider || !r[0].Requested {
		w.Errorf("who is silenced comes into a group: %+v", r)
	}
	w.Check()
}

// TestGroupOfSuspendedOwner checks that others can manage the group of a suspended owner: its
// moderators and the staff. His posts are hidden meanwhile.
func TestGroupOfSuspendedOwner(t *testing.T) { apptest.OnEngines(t, groupOfSuspendedOwner) }

func groupOfSuspendedOwner(w *apptest.World) {
	root := w.User("root_")
	w.OK(w.GiveRole("root_", linnet.Moderator))
	for _, kind := range groupKinds {
		name := kind.String()
		ann, bob, cat := w.Person("ann"+name), w.Person("bob"+name), w.Person("cat"+name)
		g, st := groupFor(w, kind, ann, bob, cat)
		apptest.Must(w.Groups.SetGroupRole(w.Ctx, ann, g, bob, linnet.GroupModerator))(w)
		w.OK(w.Moderate(linnet.By(root), ann, linnet.Suspend))
		w.Drain()
		apptest.WantKind(w, apptest.Err(w.View.Status(w.Ctx, cat, st.ID)), linnet.NotFound)
		apptest.Want(w, name+": what is in the group", inGroup(w, cat, g))
		for _, v := range w.Home(cat, 20) {
			if strings.Contains(fmt.Sprint(apptest.Texts([]linnet.StatusView{v})), "wren") {
				w.Errorf("%s: %q is at home", name, v.Text)
			}
		}
		w.OK(w.Groups.KickMember(w.Ctx, bob, g, cat))
		apptest.WantKind(w, w.Groups.DeleteGroup(w.Ctx, bob, g), linnet.Forbidden)
		if kind != linnet.Chat { // staff see chats in reports only
			apptest.Must(w.Groups.UpdateGroup(w.Ctx, root, g, linnet.GroupChange{Note: new("moderated")}))(w)
		}
		w.OK(w.Moderate(linnet.By(root), ann, linnet.Unsuspend))
		apptest.Want(w, name+": back", w.GroupMembers(ann, g), "ann"+name+" owner", "bob"+name+" moderator")
		apptest.Must(w.View.Status(w.Ctx, bob, st.ID))(w)
		w.OK(w.Moderate(linnet.By(root), ann, linnet.Suspend))
		w.OK(w.Moderation.DeleteAccount(w.Ctx, linnet.By(root), ann))
		apptest.Want(w, name+": inherited", w.GroupMembers(bob, g), "bob"+name+" owner")
	}
	w.Check()
}

// TestGroupDeletedMeanwhile checks that deleting a group leaves nothing behind, in whatever order
// requests, invitations and tasks run.
func TestGroupDeletedMeanwhile(t *testing.T) {
	for _, kind := range groupKinds {
		for step := range 6 {
			t.Run(fmt.Sprint(kind, step), func(t *testing.T) {
				e := memkv.New(memkv.Options{})
				w := apptest.Idle(t, e, store.Options{})
				people := w.People(8)
				g := w.Group(people[0], "birds", kind, people[1], people[2])
				apptest.Must(w.Groups.SetGroupRole(w.Ctx, people[0], g, people[1], linnet.GroupModerator))(w)
				apptest.Serve(t, e, store.Options{})
				w.NextMillisecond()
				acts := []func() error{
					func() error { return w.Groups.InviteToGroup(w.Ctx, people[0], g, people[3:6]) },
					func() error { _, err := w.Social.Follow(w.Ctx, people[3], g, linnet.FollowOptions{}); return err },
					func() error {
						if kind == linnet.Chat {
							return nil
						}
						_, err := w.Social.Follow(w.Ctx, people[6], g, linnet.FollowOptions{Notify: new(true)})
						return err
					},
					func() error {
						_, err := w.Posting.Post(w.Ctx, people[2], linnet.Draft{Text: "@birds one", Visibility: visible(linnet.Direct)})
						return err
					},
					func() error { return w.Groups.BanMember(w.Ctx, people[1], g, people[7]) },
				}
				for i, act := range acts {
					if i == step {
						w.OK(w.Groups.DeleteGroup(w.Ctx, people[0], g))
					}
					if err := act(); err != nil && i < step {
						t.Fatalf("act %d: %v", i, err)
					}
				}
				if step == len(acts) {
					w.OK(w.Groups.DeleteGroup(w.Ctx, people[0], g))
				}
				w = apptest.Serve(t, e, store.Options{})
				w.Check()
				for _, who := range people {
					if in := apptest.Must(w.Groups.MyGroups(w.Ctx, who))(w); len(in) != 0 {
						t.Errorf("%v is in %v", who, in)
					}
				}
				if left := apptest.KeysOf(w, g); len(left) > 0 {
					t.Errorf("left over: %v", left)
				}
			})
		}
	}
}

// TestMembersGoMeanwhile checks that members who delete their accounts during acts in their groups
// leave nothing behind. The last member's group is deleted too.
func TestMembersGoMeanwhile(t *testing.T) { apptest.OnEngines(t, membersGoMeanwhile) }

func membersGoMeanwhile(w *apptest.World) {
	for _, kind := range groupKinds {
		name := kind.String()
		ann, bob, cat, dan := w.Person("ann"+name), w.Person("bob"+name), w.Person("cat"+name), w.Person("dan"+name)
		g, st := groupFor(w, kind, ann, bob, cat)
		w.OK(w.Groups.InviteToGroup(w.Ctx, ann, g, []linnet.ID{dan}))
		w.Draft(cat, linnet.Draft{Text: "and a finch", InReplyTo: st.ID})
		for _, who := range []linnet.ID{ann, dan, bob} {
			w.OK(w.Social.Deletion.DeleteUser(w.Ctx, who))
			w.Drain()
			if left := apptest.KeysOf(w, who); len(left) > 0 {
				w.Errorf("%s: left over of %v: %v", name, who, left)
			}
		}
		apptest.Want(w, name+": who is left", w.GroupMembers(cat, g), "cat"+name+" owner")
		w.OK(w.Social.Deletion.DeleteUser(w.Ctx, cat))
		w.Drain()
		apptest.WantKind(w, apptest.Err(w.Groups.Group(w.Ctx, cat, g)), linnet.NotFound)
		if left := apptest.KeysOf(w, g); len(left) > 0 {
			w.Errorf("%s: left over of the group: %v", name, left)
		}
	}
	w.Check()
}

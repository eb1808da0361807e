package app_test

import (
	"fmt"
	"strings"
	"testing"

	"linnet/internal/discovery"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// groupFor creates a group of each kind with a status, which is private if only members can read
// the group.
func (w *world) groupFor(kind linnet.GroupKind, owner linnet.ID, members ...linnet.ID) (g linnet.ID, st linnet.StatusView) {
	w.Helper()
	login := fmt.Sprintf("%v%d", kind, owner%100000)
	g = w.group(owner, login, kind, members...)
	w.drain()
	w.nextMillisecond()
	v := linnet.Public
	if kind.Closed() {
		v = linnet.Direct
	}
	st = w.draft(owner, linnet.Draft{Text: "@" + login + " wren", Visibility: &v})
	w.drain()
	return g, st
}

var groupKinds = []linnet.GroupKind{linnet.PublicGroup, linnet.PrivateGroup, linnet.AnnouncementGroup, linnet.Chat}

// TestGroupSuspended checks that a suspended group and its posts are hidden from members too, and
// return unchanged. Members can leave it.
func TestGroupSuspended(t *testing.T) { onEngines(t, groupSuspended) }

func groupSuspended(w *world) {
	root := w.user("root_")
	w.did(w.giveRole("root_", linnet.Moderator))
	for _, kind := range groupKinds {
		name := kind.String()
		ann, bob, cat := w.person("ann"+name), w.person("bob"+name), w.person("cat"+name)
		g, st := w.groupFor(kind, ann, bob, cat)
		look := func(who linnet.ID) string {
			w.drain()
			mine, lists := must(w.Groups.MyGroups(w.ctx, who))(w), must(w.Lists.Lists(w.ctx, who))(w)
			_, group := w.Groups.Group(w.ctx, who, g)
			_, list := w.Feeds.ListTimeline(w.ctx, who, linnet.ListOfGroup(g), linnet.Page{})
			_, status := w.View.Status(w.ctx, who, st.ID)
			found := must(w.Discovery.SearchUsers(w.ctx, who, discovery.SearchQuery{Text: name}))(w)
			return fmt.Sprint(len(mine), len(lists), group == nil, list == nil, status == nil, len(found), strings.Contains(fmt.Sprint(texts(w.home(who, 20))), "wren"))
		}
		there := look(bob)
		if want := fmt.Sprint("1 1 true true true 1 ", kind != linnet.Chat); there != want {
			w.Errorf("%s: %s, want %s", name, there, want)
		}
		w.did(w.moderate(linnet.By(root), g, linnet.Suspend))
		if got, want := look(bob), fmt.Sprint("0 0 false false ", !kind.Closed(), " 0 false"); got != want {
			w.Errorf("%s suspended: %s, want %s", name, got, want)
		}
		if v, err := w.Posting.Post(w.ctx, ann, linnet.Draft{Text: "@" + st.Text[1:], Visibility: visible(linnet.Direct)}); err == nil && v.Group == g {
			w.Errorf("%s: one posts in a suspended group", name)
		}
		kindIs(w, second(w.Social.Follow(w.ctx, root, g, linnet.FollowOptions{})), linnet.NotFound)
		kindIs(w, w.Groups.KickMember(w.ctx, ann, g, bob), linnet.NotFound)
		kindIs(w, w.Groups.InviteToGroup(w.ctx, ann, g, []linnet.ID{root}), linnet.NotFound)
		must(w.Social.Unfollow(w.ctx, cat, g))(w)
		w.did(w.moderate(linnet.By(root), g, linnet.Unsuspend))
		if got := look(bob); got != there {
			w.Errorf("%s back: %s, want %s", name, got, there)
		}
		wants(w, name+": members of the group that is back", w.membersOf(ann, g), "ann"+name+" owner", "bob"+name+" member")
	}
	w.check()
}

// TestGroupSilenced checks that a silenced group serves its members and is hidden from strangers.
// Silenced users must ask to join groups.
func TestGroupSilenced(t *testing.T) { onEngines(t, groupSilenced) }

func groupSilenced(w *world) {
	root := w.user("root_")
	w.did(w.giveRole("root_", linnet.Moderator))
	ann, bob, cat := w.person("ann"), w.person("bob"), w.person("cat")
	g, st := w.groupFor(linnet.PublicGroup, ann, bob)
	w.did(w.Trends.HandOn(w.ctx))
	w.did(w.moderate(linnet.By(root), g, linnet.Silence))
	v := w.post(ann, "@%s second", must(w.Groups.Group(w.ctx, 0, g))(w).Login)
	wants(w, "in the group", w.inGroup(bob, g), "RT "+v.Text, "RT "+st.Text)
	wants(w, "a member's home", texts(w.home(bob, 9)), "RT "+v.Text, "RT "+st.Text)
	for _, u := range must(w.Discovery.Directory(w.ctx, cat, linnet.DirectoryQuery{}))(w) {
		if u.ID == g {
			w.Error("a silenced group is in the directory")
		}
	}
	w.follow(cat, g)
	w.did(w.moderate(linnet.By(root), bob, linnet.Silence))
	must(w.Social.Unfollow(w.ctx, bob, g))(w)
	w.follow(bob, g)
	if r := must(w.Groups.GroupRelations(w.ctx, bob, []linnet.ID{g}))(w); r[0].Role != linnet.Outsider || !r[0].Requested {
		w.Errorf("who is silenced comes into a group: %+v", r)
	}
	w.check()
}

// TestGroupOfSuspendedOwner checks that others can manage the group of a suspended owner: its
// moderators and the staff. His posts are hidden meanwhile.
func TestGroupOfSuspendedOwner(t *testing.T) { onEngines(t, groupOfSuspendedOwner) }

func groupOfSuspendedOwner(w *world) {
	root := w.user("root_")
	w.did(w.giveRole("root_", linnet.Moderator))
	for _, kind := range groupKinds {
		name := kind.String()
		ann, bob, cat := w.person("ann"+name), w.person("bob"+name), w.person("cat"+name)
		g, st := w.groupFor(kind, ann, bob, cat)
		must(w.Groups.SetGroupRole(w.ctx, ann, g, bob, linnet.GroupModerator))(w)
		w.did(w.moderate(linnet.By(root), ann, linnet.Suspend))
		w.drain()
		kindIs(w, second(w.View.Status(w.ctx, cat, st.ID)), linnet.NotFound)
		wants(w, name+": what is in the group", w.inGroup(cat, g))
		for _, v := range w.home(cat, 20) {
			if strings.Contains(fmt.Sprint(texts([]linnet.StatusView{v})), "wren") {
				w.Errorf("%s: %q is at home", name, v.Text)
			}
		}
		w.did(w.Groups.KickMember(w.ctx, bob, g, cat))
		kindIs(w, w.Groups.DeleteGroup(w.ctx, bob, g), linnet.Forbidden)
		if kind != linnet.Chat { // staff see chats in reports only
			must(w.Groups.UpdateGroup(w.ctx, root, g, linnet.GroupChange{Note: new("moderated")}))(w)
		}
		w.did(w.moderate(linnet.By(root), ann, linnet.Unsuspend))
		wants(w, name+": back", w.membersOf(ann, g), "ann"+name+" owner", "bob"+name+" moderator")
		must(w.View.Status(w.ctx, bob, st.ID))(w)
		w.did(w.moderate(linnet.By(root), ann, linnet.Suspend))
		w.did(w.Moderation.DeleteAccount(w.ctx, linnet.By(root), ann))
		wants(w, name+": inherited", w.membersOf(bob, g), "bob"+name+" owner")
	}
	w.check()
}

// TestGroupDeletedMeanwhile checks that deleting a group leaves nothing behind, in whatever order
// requests, invitations and tasks run.
func TestGroupDeletedMeanwhile(t *testing.T) {
	for _, kind := range groupKinds {
		for step := range 6 {
			t.Run(fmt.Sprint(kind, step), func(t *testing.T) {
				e := memkv.New(memkv.Options{})
				w := idleWorld(t, e, store.Options{})
				people := w.people(8)
				g := w.group(people[0], "birds", kind, people[1], people[2])
				must(w.Groups.SetGroupRole(w.ctx, people[0], g, people[1], linnet.GroupModerator))(w)
				serve(t, e, store.Options{})
				w.nextMillisecond()
				acts := []func() error{
					func() error { return w.Groups.InviteToGroup(w.ctx, people[0], g, people[3:6]) },
					func() error { _, err := w.Social.Follow(w.ctx, people[3], g, linnet.FollowOptions{}); return err },
					func() error {
						if kind == linnet.Chat {
							return nil
						}
						_, err := w.Social.Follow(w.ctx, people[6], g, linnet.FollowOptions{Notify: new(true)})
						return err
					},
					func() error {
						_, err := w.Posting.Post(w.ctx, people[2], linnet.Draft{Text: "@birds one", Visibility: visible(linnet.Direct)})
						return err
					},
					func() error { return w.Groups.BanMember(w.ctx, people[1], g, people[7]) },
				}
				for i, act := range acts {
					if i == step {
						w.did(w.Groups.DeleteGroup(w.ctx, people[0], g))
					}
					if err := act(); err != nil && i < step {
						t.Fatalf("act %d: %v", i, err)
					}
				}
				if step == len(acts) {
					w.did(w.Groups.DeleteGroup(w.ctx, people[0], g))
				}
				w = serve(t, e, store.Options{})
				w.check()
				for _, who := range people {
					if in := must(w.Groups.MyGroups(w.ctx, who))(w); len(in) != 0 {
						t.Errorf("%v is in %v", who, in)
					}
				}
				if left := keysOf(w, g); len(left) > 0 {
					t.Errorf("left over: %v", left)
				}
			})
		}
	}
}

// TestMembersGoMeanwhile checks that members who delete their accounts during acts in their groups
// leave nothing behind. The last member's group is deleted too.
func TestMembersGoMeanwhile(t *testing.T) { onEngines(t, membersGoMeanwhile) }

func membersGoMeanwhile(w *world) {
	for _, kind := range groupKinds {
		name := kind.String()
		ann, bob, cat, dan := w.person("ann"+name), w.person("bob"+name), w.person("cat"+name), w.person("dan"+name)
		g, st := w.groupFor(kind, ann, bob, cat)
		w.did(w.Groups.InviteToGroup(w.ctx, ann, g, []linnet.ID{dan}))
		w.draft(cat, linnet.Draft{Text: "and a finch", InReplyTo: st.ID})
		for _, who := range []linnet.ID{ann, dan, bob} {
			w.did(w.Social.Deletion.DeleteUser(w.ctx, who))
			w.drain()
			if left := keysOf(w, who); len(left) > 0 {
				w.Errorf("%s: left over of %v: %v", name, who, left)
			}
		}
		wants(w, name+": who is left", w.membersOf(cat, g), "cat"+name+" owner")
		w.did(w.Social.Deletion.DeleteUser(w.ctx, cat))
		w.drain()
		kindIs(w, second(w.Groups.Group(w.ctx, cat, g)), linnet.NotFound)
		if left := keysOf(w, g); len(left) > 0 {
			w.Errorf("%s: left over of the group: %v", name, left)
		}
	}
	w.check()
}

package live_test

import (
	"slices"
	"strings"
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/relations"
)

// groupEars listens as several users to all streams that can carry posts of a group: home, direct
// messages, the group's list and public.
type groupEars struct {
	w          *apptest.World
	ears       map[string]*apptest.Listener
	visibility linnet.Visibility // of the post
}

func newGroupEars(w *apptest.World, group linnet.ID, people map[string]linnet.ID, inside ...string) groupEars {
	w.Helper()
	g := groupEars{w: w, ears: map[string]*apptest.Listener{}}
	for name, id := range people {
		e := w.Listen(apptest.Session(id), apptest.Stream(linnet.StreamUser), apptest.Stream(linnet.StreamDirect), apptest.Stream(linnet.StreamUserNotification),
			apptest.Stream(linnet.StreamPublic), linnet.Stream{Kind: linnet.StreamTag, Tag: "secret"})
		list := linnet.Stream{Kind: linnet.StreamList, List: linnet.ListOfGroup(group)}
		if err := e.Subscribe(w.Ctx, list); slices.Contains(inside, name) != (err == nil) {
			w.Errorf("%s listens to the list of the group: %v", name, err)
		}
		g.ears[name] = e
	}
	g.ears["nobody"] = w.Listen(linnet.Session{}, apptest.Stream(linnet.StreamPublic), linnet.Stream{Kind: linnet.StreamTag, Tag: "secret"})
	return g
}

// post makes a user post, and waits until all have received it, by a later post of each. It returns
// the events that contain the words.
func (g groupEars) post(by linnet.ID, words string, people map[string]linnet.ID) map[string][]string {
	g.w.Helper()
	v := g.visibility
	g.w.Draft(by, linnet.Draft{Text: words, Visibility: &v})
	g.w.Drain()
	out := map[string][]string{}
	for name, e := range g.ears {
		if id := people[name]; id != 0 {
			end := name + " hears no more of " + strings.NewReplacer("@", "", "#", "").Replace(words) // without mentions and tags
			g.w.Post(id, "%s", end)
			e.WaitFor("user update " + end)
		}
		for _, w := range e.Words() {
			if strings.Contains(w, words) && !strings.Contains(w, "hears no more") {
				out[name] = append(out[name], w)
			}
		}
		slices.Sort(out[name])
	}
	return out
}

// TestGroupStreams checks that only members receive posts of a group on streams. Users with a join
// request, banned or former members, and members removed meanwhile do not.
func TestGroupStreams(t *testing.T) { apptest.OnEngines(t, groupStreams) }

func groupStreams(w *apptest.World) {
	for _, kind := range []linnet.GroupKind{linnet.PublicGroup, linnet.PrivateGroup, linnet.Chat} {
		name := kind.String()
		ann := w.Person("ann_" + name)
		people := map[string]linnet.ID{"author": ann}
		var members []linnet.ID
		for _, who := range []string{"member", "removed", "banned", "left", "outlaw"} {
			people[who] = w.Person(who + "_" + name)
			members = append(members, people[who])
		}
		people["stranger"], people["requester"], people["fan"] = w.Person("stranger_"+name), w.Person("requester_"+name), w.Person("fan_"+name)
		g := w.Group(ann, "birds_"+name, kind, members...)
		w.OK(w.Groups.BanMember(w.Ctx, ann, g, people["outlaw"]))
		if kind == linnet.PrivateGroup {
			w.Follow(people["requester"], g)
		}
		w.Follow(people["fan"], ann)
		w.Drain()
		w.NextMillisecond()
		ears := newGroupEars(w, g, people, "author", "member", "removed", "banned", "left")
		if kind == linnet.PrivateGroup { // posts in a public group are public and reposted to members
			ears.visibility = linnet.Direct
		}
		first := "@birds_" + name + " one #secret"
		inside := map[linnet.GroupKind][]string{
			linnet.PublicGroup:  {"hashtag update " + first, "list update RT " + first, "public update " + first, "user update RT " + first},
			linnet.PrivateGroup: {"list update RT " + first, "user update RT " + first},
		}[kind]
		heard := ears.post(ann, first, people)
		for _, who := range []string{"member", "removed", "banned", "left"} {
			if kind != linnet.Chat {
				apptest.Want(w, name+": what "+who+" hears", heard[who], inside...)
				continue
			}
			talk := slices.DeleteFunc(heard[who], func(s string) bool { return !strings.Contains(s, "conversation") })
			if len(talk) != 2 || !slices.Contains(ears.ears[who].Words(), "list update "+first) {
				w.Errorf("%s: %s hears %q of what is said", name, who, ears.ears[who].Words())
			}
		}
		if kind != linnet.PublicGroup {
			for _, who := range []string{"stranger", "requester", "outlaw", "fan", "nobody"} {
				apptest.Want(w, name+": what "+who+" hears", heard[who])
			}
		}
		w.OK(w.Groups.KickMember(w.Ctx, ann, g, people["removed"]))
		w.OK(w.Groups.BanMember(w.Ctx, ann, g, people["banned"]))
		apptest.Must(w.Social.Unfollow(w.Ctx, people["left"], g))(w)
		heard = ears.post(ann, "@birds_"+name+" two #secret", people)
		if len(heard["member"]) == 0 {
			w.Errorf("%s: who stays hears nothing", name)
		}
		for who, words := range heard {
			if kind != linnet.PublicGroup && who != "member" && who != "author" && len(words) > 0 {
				w.Errorf("%s: %s still hears %q", name, who, words)
			}
			if slices.ContainsFunc(words, func(s string) bool { return strings.HasPrefix(s, "list ") }) && who != "member" && who != "author" {
				w.Errorf("%s: %s hears the group's list: %q", name, who, words)
			}
		}
	}
	w.Check()
}

// TestRemovedBeforeTheStreamHears checks that a removed member receives no more posts, even if this
// server has not received the removal yet. Streams do not rely on cached membership.
func TestRemovedBeforeTheStreamHears(t *testing.T) {
	w := apptest.InMemory(t)
	for _, kind := range []linnet.GroupKind{linnet.PrivateGroup, linnet.Chat} {
		ann, bob := w.Person("ann"+kind.String()), w.Person("bob"+kind.String())
		before := w.Listen(apptest.Session(bob), apptest.Stream(linnet.StreamDirect))
		g := w.Group(ann, "birds"+kind.String(), kind, bob)
		w.Drain()
		if kind == linnet.Chat { // otherwise a stream below can receive it
			before.WaitFor("direct conversation birdschat: @bobchat annchat invites you to join the group @birdschat. To accept, follow this account. (unread)")
		}
		w.NextMillisecond()
		e := w.Listen(apptest.Session(bob), apptest.Stream(linnet.StreamUser), apptest.Stream(linnet.StreamDirect), linnet.Stream{Kind: linnet.StreamList, List: linnet.ListOfGroup(g)})
		// This write publishes nothing, so that the members of the group change before the event.
		_, err := w.Store.Relations.SetRelation(w.Ctx, relations.RelationChange{Kind: record.Follows(), Owner: bob, Other: g})
		w.OK(err)
		w.Direct(ann, "@birds%s secret", kind.String())
		w.Drain()
		w.Post(bob, "the end")
		e.WaitFor("user update the end")
		apptest.Want(t, kind.String(), e.Words(), "user update the end")
	}
}

// TestRemovalIsHeard checks that a post that moderators remove from a group disappears from
// members' timelines at once.
func TestRemovalIsHeard(t *testing.T) {
	w := apptest.InMemory(t)
	for _, kind := range []linnet.GroupKind{linnet.PrivateGroup, linnet.Chat} {
		ann, bob, out := w.Person("ann"+kind.String()), w.Person("bob"+kind.String()), w.Person("out"+kind.String())
		g := w.Group(ann, "birds"+kind.String(), kind, bob)
		w.Drain()
		w.NextMillisecond()
		v := w.Direct(ann, "@birds%s hm", kind.String())
		w.Drain()
		e := w.Listen(apptest.Session(bob), linnet.Stream{Kind: linnet.StreamList, List: linnet.ListOfGroup(g)}, apptest.Stream(linnet.StreamUser))
		o := w.Listen(apptest.Session(out), apptest.Stream(linnet.StreamUser), apptest.Stream(linnet.StreamDirect))
		w.OK(w.Posting.GroupPosts.Remove(w.Ctx, ann, g, v.ID))
		e.WaitFor("list delete")
		e.WaitFor("user delete")
		w.Post(out, "the end")
		o.WaitFor("user update the end")
		apptest.Want(t, kind.String(), o.Words(), "user update the end")
	}
}

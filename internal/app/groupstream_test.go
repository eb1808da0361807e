package app_test

import (
	"slices"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

// groupEars listens as several users to all streams that can carry posts of a group: home, direct
// messages, the group's list and public.
type groupEars struct {
	w          *world
	ears       map[string]*ear
	visibility linnet.Visibility // of the post
}

func (w *world) groupEars(group linnet.ID, people map[string]linnet.ID, inside ...string) groupEars {
	w.Helper()
	g := groupEars{w: w, ears: map[string]*ear{}}
	for name, id := range people {
		e := w.listen(session(id), stream(linnet.StreamUser), stream(linnet.StreamDirect), stream(linnet.StreamUserNotification),
			stream(linnet.StreamPublic), linnet.Stream{Kind: linnet.StreamTag, Tag: "secret"})
		list := linnet.Stream{Kind: linnet.StreamList, List: linnet.ListOfGroup(group)}
		if err := e.Subscribe(w.ctx, list); slices.Contains(inside, name) != (err == nil) {
			w.Errorf("%s listens to the list of the group: %v", name, err)
		}
		g.ears[name] = e
	}
	g.ears["nobody"] = w.listen(linnet.Session{}, stream(linnet.StreamPublic), linnet.Stream{Kind: linnet.StreamTag, Tag: "secret"})
	return g
}

// post makes a user post, and waits until all have received it, by a later post of each. It returns
// the events that contain the words.
func (g groupEars) post(by linnet.ID, words string, people map[string]linnet.ID) map[string][]string {
	g.w.Helper()
	v := g.visibility
	g.w.draft(by, linnet.Draft{Text: words, Visibility: &v})
	g.w.drain()
	out := map[string][]string{}
	for name, e := range g.ears {
		if id := people[name]; id != 0 {
			end := name + " hears no more of " + strings.NewReplacer("@", "", "#", "").Replace(words) // without mentions and tags
			g.w.post(id, "%s", end)
			e.until("user update " + end)
		}
		for _, w := range e.words() {
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
func TestGroupStreams(t *testing.T) { onEngines(t, groupStreams) }

func groupStreams(w *world) {
	for _, kind := range []linnet.GroupKind{linnet.PublicGroup, linnet.PrivateGroup, linnet.Chat} {
		name := kind.String()
		ann := w.person("ann_" + name)
		people := map[string]linnet.ID{"author": ann}
		var members []linnet.ID
		for _, who := range []string{"member", "removed", "banned", "left", "outlaw"} {
			people[who] = w.person(who + "_" + name)
			members = append(members, people[who])
		}
		people["stranger"], people["requester"], people["fan"] = w.person("stranger_"+name), w.person("requester_"+name), w.person("fan_"+name)
		g := w.group(ann, "birds_"+name, kind, members...)
		w.did(w.Groups.BanMember(w.ctx, ann, g, people["outlaw"]))
		if kind == linnet.PrivateGroup {
			w.follow(people["requester"], g)
		}
		w.follow(people["fan"], ann)
		w.drain()
		w.nextMillisecond()
		ears := w.groupEars(g, people, "author", "member", "removed", "banned", "left")
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
				wants(w, name+": what "+who+" hears", heard[who], inside...)
				continue
			}
			talk := slices.DeleteFunc(heard[who], func(s string) bool { return !strings.Contains(s, "conversation") })
			if len(talk) != 2 || !slices.Contains(ears.ears[who].words(), "list update "+first) {
				w.Errorf("%s: %s hears %q of what is said", name, who, ears.ears[who].words())
			}
		}
		if kind != linnet.PublicGroup {
			for _, who := range []string{"stranger", "requester", "outlaw", "fan", "nobody"} {
				wants(w, name+": what "+who+" hears", heard[who])
			}
		}
		w.did(w.Groups.KickMember(w.ctx, ann, g, people["removed"]))
		w.did(w.Groups.BanMember(w.ctx, ann, g, people["banned"]))
		must(w.Social.Unfollow(w.ctx, people["left"], g))(w)
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
	w.check()
}

// TestRemovedBeforeTheStreamHears checks that a removed member receives no more posts, even if this
// server has not received the removal yet. Streams do not rely on cached membership.
func TestRemovedBeforeTheStreamHears(t *testing.T) {
	w := memWorld(t)
	for _, kind := range []linnet.GroupKind{linnet.PrivateGroup, linnet.Chat} {
		ann, bob := w.person("ann"+kind.String()), w.person("bob"+kind.String())
		before := w.listen(session(bob), stream(linnet.StreamDirect))
		g := w.group(ann, "birds"+kind.String(), kind, bob)
		w.drain()
		if kind == linnet.Chat { // otherwise a stream below can receive it
			before.until("direct conversation birdschat: @bobchat annchat invites you to join the group @birdschat. To accept, follow this account. (unread)")
		}
		w.nextMillisecond()
		e := w.listen(session(bob), stream(linnet.StreamUser), stream(linnet.StreamDirect), linnet.Stream{Kind: linnet.StreamList, List: linnet.ListOfGroup(g)})
		w.did(w.EndQuietly(w.ctx, bob, g))
		w.direct(ann, "@birds%s secret", kind.String())
		w.drain()
		w.post(bob, "the end")
		e.until("user update the end")
		wants(t, kind.String(), e.words(), "user update the end")
	}
}

// TestRemovalIsHeard checks that a post that moderators remove from a group disappears from
// members' timelines at once.
func TestRemovalIsHeard(t *testing.T) {
	w := memWorld(t)
	for _, kind := range []linnet.GroupKind{linnet.PrivateGroup, linnet.Chat} {
		ann, bob, out := w.person("ann"+kind.String()), w.person("bob"+kind.String()), w.person("out"+kind.String())
		g := w.group(ann, "birds"+kind.String(), kind, bob)
		w.drain()
		w.nextMillisecond()
		v := w.direct(ann, "@birds%s hm", kind.String())
		w.drain()
		e := w.listen(session(bob), linnet.Stream{Kind: linnet.StreamList, List: linnet.ListOfGroup(g)}, stream(linnet.StreamUser))
		o := w.listen(session(out), stream(linnet.StreamUser), stream(linnet.StreamDirect))
		w.did(w.Posting.GroupPosts.Remove(w.ctx, ann, g, v.ID))
		e.until("list delete")
		e.until("user delete")
		w.post(out, "the end")
		o.until("user update the end")
		wants(t, kind.String(), o.words(), "user update the end")
	}
}

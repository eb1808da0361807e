package discovery_test

import (
	"fmt"
	"strings"
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
)

// suggested returns the logins suggested to a user, with the number of common followers.
func suggested(w *apptest.World, me linnet.ID) string {
	w.Helper()
	w.Drain()
	var out []string
	for _, v := range apptest.Must(w.Discovery.Suggestions(w.Ctx, me, 0))(w) {
		out = append(out, fmt.Sprint(v.Login, v.Common))
	}
	return strings.Join(out, " ")
}

// TestSuggestions checks that friends of friends are suggested by the number of common friends,
// except for users with an existing relation.
func TestSuggestions(t *testing.T) { apptest.OnEngines(t, suggestions) }

func suggestions(w *apptest.World) {
	me, a, b, c := w.Person("me"), w.Person("a"), w.Person("b"), w.Person("c")
	three, two, one, known := w.Person("three"), w.Person("two"), w.Person("one"), w.Person("known")
	for _, f := range []linnet.ID{a, b, c} {
		w.Follow(me, f)
		w.Follow(f, three)
		w.Follow(f, me)
	}
	w.Follow(a, two)
	w.Follow(b, two)
	w.Follow(w.Person("other"), one) // so that one has more followers than secret
	w.Follow(c, one)
	w.Follow(c, known)
	w.Follow(me, known)
	secret := w.Person("secret")
	w.Follow(c, secret)
	is := func(what, want string) {
		w.Helper()
		if got := suggested(w, me); got != want {
			w.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	is("at first", "three3 two2 secret1 one1")
	apptest.Must(w.Social.Block(w.Ctx, two, me))(w)
	is("blocked by two", "three3 secret1 one1")
	apptest.Must(w.Social.Profiles.Update(w.Ctx, secret, linnet.ProfileChange{Locked: new(true)}))(w)
	is("locked friends of friends", "three3 secret1 one1")
	apptest.Must(w.Social.Follow(w.Ctx, me, secret, linnet.FollowOptions{}))(w)
	is("asks secret", "three3 one1")
	apptest.Must(w.Social.Mute(w.Ctx, me, one, linnet.MuteOptions{}))(w)
	is("mutes one", "three3")
	w.OK(w.Discovery.DismissSuggestion(w.Ctx, me, three))
	is("dismissed", "")
	apptest.WantKind(w, w.Discovery.DismissSuggestion(w.Ctx, me, 77), linnet.NotFound)
	w.Check()
}

// TestSuggestionsOfOthers checks that suggestions do not reveal hidden follows. Users without
// common friends see popular accounts, but no locked ones.
func TestSuggestionsOfOthers(t *testing.T) {
	w := apptest.InMemory(t)
	me, a, far, star, closed := w.Person("me"), w.Person("a"), w.Person("far"), w.Person("star"), w.Person("closed")
	w.Follow(me, a)
	w.Follow(a, far)
	apptest.Must(w.Social.Profiles.Update(w.Ctx, a, linnet.ProfileChange{HideNetwork: new(true)}))(t)
	apptest.Must(w.Social.Profiles.Update(w.Ctx, closed, linnet.ProfileChange{Name: new("Closed")}))(t)
	for _, f := range []linnet.ID{a, far, closed} {
		w.Follow(f, star)
	}
	w.Follow(a, closed)
	w.Follow(star, closed)
	for _, id := range []linnet.ID{star, closed, far} {
		w.Post(id, "here I am")
	}
	apptest.Must(w.Social.Profiles.Update(w.Ctx, closed, linnet.ProfileChange{Locked: new(true)}))(t)
	w.Drain()
	w.OK(w.Trends.HandOn(w.Ctx))
	if got := suggested(w, me); got != "star0 far0" {
		t.Errorf("suggested: %q", got)
	}
}

// TestFewSuggestions checks that a short list of suggestions is full after the viewer has dismissed
// the first candidates, and takes one read before that.
func TestFewSuggestions(t *testing.T) {
	c := apptest.NewCosts(t)
	me, friend := c.Person("me"), c.Person("friend")
	c.Follow(me, friend)
	for _, id := range c.People(90) {
		c.Follow(friend, id)
	}
	c.Drain()
	few := func() (ids []linnet.ID) {
		for _, v := range apptest.Must(c.Discovery.Suggestions(c.Ctx, me, 3))(t) {
			ids = append(ids, v.ID)
		}
		return ids
	}
	all := apptest.Must(c.Discovery.Suggestions(c.Ctx, me, 80))(t)
	few()
	c.Rest()
	if s := c.Of("three suggestions", func() { few() }); s.Reads > 1 || s.Queries > 20 {
		t.Errorf("%d reads with %d queries, want at most 1 with 20", s.Reads, s.Queries)
	}
	for dismissed := 0; dismissed+3 <= len(all); dismissed++ {
		got := few()
		if len(got) != 3 || got[0] != all[dismissed].ID || got[2] != all[dismissed+2].ID {
			t.Fatalf("after %d were dismissed: %v", dismissed, got)
		}
		c.OK(c.Discovery.DismissSuggestion(c.Ctx, me, all[dismissed].ID))
	}
}

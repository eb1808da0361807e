package app_test

import (
	"fmt"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

// suggested returns the logins suggested to a user, with the number of common followers.
func (w *world) suggested(me linnet.ID) string {
	w.Helper()
	w.drain()
	var out []string
	for _, v := range must(w.Discovery.Suggestions(w.ctx, me, 0))(w) {
		out = append(out, fmt.Sprint(v.Login, v.Common))
	}
	return strings.Join(out, " ")
}

// TestSuggestions checks that friends of friends are suggested by the number of common friends,
// except for users with an existing relation.
func TestSuggestions(t *testing.T) { onEngines(t, suggestions) }

func suggestions(w *world) {
	me, a, b, c := w.person("me"), w.person("a"), w.person("b"), w.person("c")
	three, two, one, known := w.person("three"), w.person("two"), w.person("one"), w.person("known")
	for _, f := range []linnet.ID{a, b, c} {
		w.follow(me, f)
		w.follow(f, three)
		w.follow(f, me)
	}
	w.follow(a, two)
	w.follow(b, two)
	w.follow(w.person("other"), one) // so that one has more followers than secret
	w.follow(c, one)
	w.follow(c, known)
	w.follow(me, known)
	secret := w.person("secret")
	w.follow(c, secret)
	is := func(what, want string) {
		w.Helper()
		if got := w.suggested(me); got != want {
			w.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	is("at first", "three3 two2 secret1 one1")
	must(w.Social.Block(w.ctx, two, me))(w)
	is("blocked by two", "three3 secret1 one1")
	must(w.Social.Profiles.Update(w.ctx, secret, linnet.ProfileChange{Locked: new(true)}))(w)
	is("locked friends of friends", "three3 secret1 one1")
	must(w.Social.Follow(w.ctx, me, secret, linnet.FollowOptions{}))(w)
	is("asks secret", "three3 one1")
	must(w.Social.Mute(w.ctx, me, one, linnet.MuteOptions{}))(w)
	is("mutes one", "three3")
	w.did(w.Discovery.DismissSuggestion(w.ctx, me, three))
	is("dismissed", "")
	kindIs(w, w.Discovery.DismissSuggestion(w.ctx, me, 77), linnet.NotFound)
	w.check()
}

// TestSuggestionsOfOthers checks that suggestions do not reveal hidden follows. Users without
// common friends see popular accounts, but no locked ones.
func TestSuggestionsOfOthers(t *testing.T) {
	w := memWorld(t)
	me, a, far, star, closed := w.person("me"), w.person("a"), w.person("far"), w.person("star"), w.person("closed")
	w.follow(me, a)
	w.follow(a, far)
	must(w.Social.Profiles.Update(w.ctx, a, linnet.ProfileChange{HideNetwork: new(true)}))(t)
	must(w.Social.Profiles.Update(w.ctx, closed, linnet.ProfileChange{Name: new("Closed")}))(t)
	for _, f := range []linnet.ID{a, far, closed} {
		w.follow(f, star)
	}
	w.follow(a, closed)
	w.follow(star, closed)
	for _, id := range []linnet.ID{star, closed, far} {
		w.post(id, "here I am")
	}
	must(w.Social.Profiles.Update(w.ctx, closed, linnet.ProfileChange{Locked: new(true)}))(t)
	w.drain()
	w.did(w.Trends.HandOn(w.ctx))
	if got := w.suggested(me); got != "star0 far0" {
		t.Errorf("suggested: %q", got)
	}
}

// TestFewSuggestions checks that a short list of suggestions is full after the viewer has dismissed
// the first candidates, and takes one read before that.
func TestFewSuggestions(t *testing.T) {
	c := newCosts(t)
	me, friend := c.person("me"), c.person("friend")
	c.follow(me, friend)
	for _, id := range c.people(90) {
		c.follow(friend, id)
	}
	c.drain()
	few := func() (ids []linnet.ID) {
		for _, v := range must(c.Discovery.Suggestions(c.ctx, me, 3))(t) {
			ids = append(ids, v.ID)
		}
		return ids
	}
	all := must(c.Discovery.Suggestions(c.ctx, me, 80))(t)
	few()
	c.rest()
	if s := c.of("three suggestions", func() { few() }); s.Reads > 1 || s.Queries > 20 {
		t.Errorf("%d reads with %d queries, want at most 1 with 20", s.Reads, s.Queries)
	}
	for dismissed := 0; dismissed+3 <= len(all); dismissed++ {
		got := few()
		if len(got) != 3 || got[0] != all[dismissed].ID || got[2] != all[dismissed+2].ID {
			t.Fatalf("after %d were dismissed: %v", dismissed, got)
		}
		c.did(c.Discovery.DismissSuggestion(c.ctx, me, all[dismissed].ID))
	}
}

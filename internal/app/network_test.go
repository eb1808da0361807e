package app_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"

	"linnet/internal/linnet"
)

func logins(vs []linnet.UserView) string {
	var out []string
	for _, v := range vs {
		out = append(out, v.Login)
	}
	return fmt.Sprint(out)
}

// TestNetwork checks that followers and followees are listed latest first, page by page, to users
// who can see them.
func TestNetwork(t *testing.T) { onEngines(t, network) }

func network(w *world) {
	star := w.person("star")
	fans := w.people(25)
	for _, f := range fans {
		w.follow(f, star)
	}
	w.follow(star, fans[0])
	var got []linnet.UserView
	for p := (linnet.Page{Limit: 7}); ; {
		s := must(w.View.Followers(w.ctx, 0, star, p))(w)
		got = append(got, s.Items...)
		if s.Last == "" {
			break
		}
		p.Max = s.Last
	}
	seen := map[linnet.ID]bool{}
	for _, v := range got {
		seen[v.ID] = true
	}
	if len(got) != 25 || len(seen) != 25 {
		w.Errorf("%d followers, %d different: %s", len(got), len(seen), logins(got))
	}
	first := must(w.View.Followers(w.ctx, 0, star, linnet.Page{Limit: 5}))(w)
	next := must(w.View.Followers(w.ctx, 0, star, linnet.Page{Limit: 5, Max: first.Last}))(w)
	back := must(w.View.Followers(w.ctx, 0, star, linnet.Page{Limit: 5, Min: next.First}))(w)
	if logins(back.Items) != logins(first.Items) {
		w.Errorf("back: %s, want %s", logins(back.Items), logins(first.Items))
	}
	if v := must(w.View.User(w.ctx, 0, star))(w); v.Followers != 25 || v.Following != 1 {
		w.Errorf("counted %d and %d", v.Followers, v.Following)
	}
	r := must(w.Social.Relationships(w.ctx, fans[0], []linnet.ID{star, fans[1], 12345}))(w)
	if len(r) != 2 || !r[0].Following || !r[0].FollowedBy || !r[0].Reposts || r[1].Following || r[1].FollowedBy {
		w.Errorf("%+v", r)
	}
	must(w.Social.Profiles.Update(w.ctx, star, linnet.ProfileChange{HideNetwork: new(true)}))(w)
	if s := must(w.View.Followers(w.ctx, fans[0], star, linnet.Page{}))(w); len(s.Items) != 0 {
		w.Errorf("hidden followers are shown: %s", logins(s.Items))
	}
	if s := must(w.View.Following(w.ctx, star, star, linnet.Page{}))(w); len(s.Items) != 1 {
		w.Errorf("one's own: %s", logins(s.Items))
	}
	_, err := w.View.Followers(w.ctx, 0, 12345, linnet.Page{})
	kindIs(w, err, linnet.NotFound)
	_, err = w.Social.Follow(w.ctx, star, star, linnet.FollowOptions{})
	kindIs(w, err, linnet.Forbidden)
	_, err = w.Social.Follow(w.ctx, star, 12345, linnet.FollowOptions{})
	kindIs(w, err, linnet.NotFound)
	w.check()
}

// TestFamiliarFollowers checks that familiar followers are the viewer's followees who also follow
// an account.
func TestFamiliarFollowers(t *testing.T) {
	onEngines(t, func(w *world) {
		me, star, dull := w.person("me"), w.person("star"), w.person("dull")
		friends := w.people(60)
		for i, f := range friends {
			w.follow(me, f)
			if i%10 != 0 {
				w.follow(f, star)
			}
		}
		w.follow(w.person("other"), star)
		for most, want := range map[int]int{1: 1, 40: 40, linnet.MaxFollowing: 54} {
			got := must(w.View.FamiliarFollowers(w.ctx, me, []linnet.ID{star, dull}, most))(w)
			if len(got) != 2 || got[0].ID != star || len(got[0].Users) != want || len(got[1].Users) != 0 {
				w.Errorf("%d results: %d, %d, want 2: %d, 0", len(got), len(got[0].Users), len(got[1].Users), want)
			}
			for _, u := range got[0].Users {
				if u.Login == "other" || u.Login == "user0" {
					w.Errorf("%s is no familiar follower", u.Login)
				}
			}
		}
		if got := must(w.View.FamiliarFollowers(w.ctx, me, make([]linnet.ID, 1000), 1))(w); len(got) > linnet.MaxIDsInQuery {
			w.Errorf("%d answers at once", len(got))
		}
	})
}

// TestFollowLimit checks that the number of followees is limited.
func TestFollowLimit(t *testing.T) {
	w := memWorld(t)
	me := w.person("me")
	w.hasFollowed(me, linnet.MaxFollowing-1)
	others := w.people(2)
	must(w.Social.Follow(w.ctx, me, others[0], linnet.FollowOptions{}))(t)
	_, err := w.Social.Follow(w.ctx, me, others[1], linnet.FollowOptions{})
	kindIs(t, err, linnet.Invalid)
	must(w.Social.Follow(w.ctx, me, others[0], linnet.FollowOptions{Reposts: new(false)}))(t)
	must(w.Social.Unfollow(w.ctx, me, others[0]))(t)
	must(w.Social.Follow(w.ctx, me, others[1], linnet.FollowOptions{}))(t)
	if s := must(w.Reading.Home(w.ctx, me, linnet.Page{}))(t); len(s.Items) != 0 {
		t.Error("home of one who follows thousands")
	}
}

// relationWorld is a world in which me follows ann, and ann follows star.
type relationWorld struct {
	*world
	me, ann, star linnet.ID
}

// ways are the pages on which a viewer can learn that ann follows star.
var ways = map[string]func(w *relationWorld) bool{
	"followers": func(w *relationWorld) bool {
		return named(must(w.View.Followers(w.ctx, w.me, w.star, linnet.Page{}))(w).Items, "ann")
	},
	"following": func(w *relationWorld) bool {
		return named(must(w.View.Following(w.ctx, w.me, w.ann, linnet.Page{}))(w).Items, "star")
	},
	"familiar followers": func(w *relationWorld) bool {
		return named(must(w.View.FamiliarFollowers(w.ctx, w.me, []linnet.ID{w.star}, 1))(w)[0].Users, "ann")
	},
	"suggestions": func(w *relationWorld) bool {
		for _, s := range must(w.Discovery.Suggestions(w.ctx, w.me, 0))(w) {
			if s.ID == w.star && s.Common > 0 {
				return true
			}
		}
		return false
	},
	"endorsements": func(w *relationWorld) bool {
		return named(must(w.Social.Endorsements(w.ctx, w.me, w.ann, linnet.Page{Limit: 40}))(w).Items, "star")
	},
}

func named(vs []linnet.UserView, login string) bool {
	return slices.ContainsFunc(vs, func(v linnet.UserView) bool { return v.Login == login })
}

// TestHiddenRelations checks that no page shows a relation to a viewer if one of its users hides
// it, is suspended, or shares a block with the viewer.
func TestHiddenRelations(t *testing.T) {
	hide := func(who func(w *relationWorld) linnet.ID) func(w *relationWorld) {
		return func(w *relationWorld) {
			must(w.Social.Profiles.Update(w.ctx, who(w), linnet.ProfileChange{HideNetwork: new(true)}))(w)
		}
	}
	block := func(a, b func(w *relationWorld) linnet.ID) func(w *relationWorld) {
		return func(w *relationWorld) { must(w.Social.Block(w.ctx, a(w), b(w)))(w) }
	}
	suspend := func(who func(w *relationWorld) linnet.ID) func(w *relationWorld) {
		return func(w *relationWorld) {
			w.did(w.Moderation.Moderate(w.ctx, linnet.Operator(), linnet.Measure{On: who(w), Act: linnet.Suspend}))
		}
	}
	me := func(w *relationWorld) linnet.ID { return w.me }
	ann := func(w *relationWorld) linnet.ID { return w.ann }
	star := func(w *relationWorld) linnet.ID { return w.star }
	endorsed := []string{"endorsements"} // endorsements are public by ann's choice
	for name, c := range map[string]struct {
		then  func(w *relationWorld)
		shown []string // pages that still show the relation
	}{
		"open":               {func(*relationWorld) {}, slices.Collect(maps.Keys(ways))},
		"follower hides":     {hide(ann), endorsed},
		"followed hides":     {hide(star), endorsed},
		"viewer is blocked":  {block(star, me), nil},
		"viewer blocks":      {block(me, star), nil},
		"follower blocks":    {block(ann, me), nil},
		"follower is hidden": {suspend(ann), nil},
		"followed is hidden": {suspend(star), nil},
	} {
		t.Run(name, func(t *testing.T) {
			w := &relationWorld{world: memWorld(t)}
			w.me, w.ann, w.star = w.person("me"), w.person("ann"), w.person("star")
			w.follow(w.me, w.ann)
			w.follow(w.ann, w.star)
			must(w.Social.Endorse(w.ctx, w.ann, w.star, true))(w)
			c.then(w)
			w.drain()
			for way, shows := range ways {
				if got, want := shows(w), slices.Contains(c.shown, way); got != want {
					t.Errorf("%s: shown is %v, want %v", way, got, want)
				}
			}
		})
	}
}

// TestFamiliarFollowersFault checks that a store error is not reported as an empty list.
func TestFamiliarFollowersFault(t *testing.T) {
	w := memWorld(t)
	me, star := w.person("me"), w.person("star")
	ctx, cancel := context.WithCancel(w.ctx)
	cancel()
	if got, err := w.View.FamiliarFollowers(ctx, me, []linnet.ID{star}, 1); err == nil {
		t.Errorf("a cancelled read answers %v", got)
	}
}

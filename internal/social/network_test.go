package social_test

import (
	"context"
	"maps"
	"slices"
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
)

// TestNetwork checks that followers and followees are listed latest first, page by page, to users
// who can see them.
func TestNetwork(t *testing.T) { apptest.OnEngines(t, network) }

func network(w *apptest.World) {
	star := w.Person("star")
	fans := w.People(25)
	for _, f := range fans {
		w.Follow(f, star)
	}
	w.Follow(star, fans[0])
	var got []linnet.UserView
	for p := (linnet.Page{Limit: 7}); ; {
		s := apptest.Must(w.View.Followers(w.Ctx, 0, star, p))(w)
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
		w.Errorf("%d followers, %d different: %s", len(got), len(seen), apptest.Logins(got))
	}
	first := apptest.Must(w.View.Followers(w.Ctx, 0, star, linnet.Page{Limit: 5}))(w)
	next := apptest.Must(w.View.Followers(w.Ctx, 0, star, linnet.Page{Limit: 5, Max: first.Last}))(w)
	back := apptest.Must(w.View.Followers(w.Ctx, 0, star, linnet.Page{Limit: 5, Min: next.First}))(w)
	if apptest.Logins(back.Items) != apptest.Logins(first.Items) {
		w.Errorf("back: %s, want %s", apptest.Logins(back.Items), apptest.Logins(first.Items))
	}
	if v := apptest.Must(w.View.User(w.Ctx, 0, star))(w); v.Followers != 25 || v.Following != 1 {
		w.Errorf("counted %d and %d", v.Followers, v.Following)
	}
	r := apptest.Must(w.Social.Relationships(w.Ctx, fans[0], []linnet.ID{star, fans[1], 12345}))(w)
	if len(r) != 2 || !r[0].Following || !r[0].FollowedBy || !r[0].Reposts || r[1].Following || r[1].FollowedBy {
		w.Errorf("%+v", r)
	}
	apptest.Must(w.Social.Profiles.Update(w.Ctx, star, linnet.ProfileChange{HideNetwork: new(true)}))(w)
	if s := apptest.Must(w.View.Followers(w.Ctx, fans[0], star, linnet.Page{}))(w); len(s.Items) != 0 {
		w.Errorf("hidden followers are shown: %s", apptest.Logins(s.Items))
	}
	if s := apptest.Must(w.View.Following(w.Ctx, star, star, linnet.Page{}))(w); len(s.Items) != 1 {
		w.Errorf("one's own: %s", apptest.Logins(s.Items))
	}
	_, err := w.View.Followers(w.Ctx, 0, 12345, linnet.Page{})
	apptest.WantKind(w, err, linnet.NotFound)
	_, err = w.Social.Follow(w.Ctx, star, star, linnet.FollowOptions{})
	apptest.WantKind(w, err, linnet.Forbidden)
	_, err = w.Social.Follow(w.Ctx, star, 12345, linnet.FollowOptions{})
	apptest.WantKind(w, err, linnet.NotFound)
	w.Check()
}

// TestFamiliarFollowers checks that familiar followers are the viewer's followees who also follow
// an account.
func TestFamiliarFollowers(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		me, star, dull := w.Person("me"), w.Person("star"), w.Person("dull")
		friends := w.People(60)
		for i, f := range friends {
			w.Follow(me, f)
			if i%10 != 0 {
				w.Follow(f, star)
			}
		}
		w.Follow(w.Person("other"), star)
		for most, want := range map[int]int{1: 1, 40: 40, linnet.MaxFollowing: 54} {
			got := apptest.Must(w.View.FamiliarFollowers(w.Ctx, me, []linnet.ID{star, dull}, most))(w)
			if len(got) != 2 || got[0].ID != star || len(got[0].Users) != want || len(got[1].Users) != 0 {
				w.Errorf("%d results: %d, %d, want 2: %d, 0", len(got), len(got[0].Users), len(got[1].Users), want)
			}
			for _, u := range got[0].Users {
				if u.Login == "other" || u.Login == "user0" {
					w.Errorf("%s is no familiar follower", u.Login)
				}
			}
		}
		if got := apptest.Must(w.View.FamiliarFollowers(w.Ctx, me, make([]linnet.ID, 1000), 1))(w); len(got) > linnet.MaxIDsInQuery {
			w.Errorf("%d answers at once", len(got))
		}
	})
}

// TestFollowLimit checks that the number of followees is limited.
func TestFollowLimit(t *testing.T) {
	w := apptest.InMemory(t)
	me := w.Person("me")
	w.FollowMany(me, linnet.MaxFollowing-1)
	others := w.People(2)
	apptest.Must(w.Social.Follow(w.Ctx, me, others[0], linnet.FollowOptions{}))(t)
	_, err := w.Social.Follow(w.Ctx, me, others[1], linnet.FollowOptions{})
	apptest.WantKind(t, err, linnet.Invalid)
	apptest.Must(w.Social.Follow(w.Ctx, me, others[0], linnet.FollowOptions{Reposts: new(false)}))(t)
	apptest.Must(w.Social.Unfollow(w.Ctx, me, others[0]))(t)
	apptest.Must(w.Social.Follow(w.Ctx, me, others[1], linnet.FollowOptions{}))(t)
	if s := apptest.Must(w.Reading.Home(w.Ctx, me, linnet.Page{}))(t); len(s.Items) != 0 {
		t.Error("home of one who follows thousands")
	}
}

// relationWorld is a world in which me follows ann, and ann follows star.
type relationWorld struct {
	*apptest.World
	me, ann, star linnet.ID
}

// ways are the pages on which a viewer can learn that ann follows star.
var ways = map[string]func(w *relationWorld) bool{
	"followers": func(w *relationWorld) bool {
		return named(apptest.Must(w.View.Followers(w.Ctx, w.me, w.star, linnet.Page{}))(w).Items, "ann")
	},
	"following": func(w *relationWorld) bool {
		return named(apptest.Must(w.View.Following(w.Ctx, w.me, w.ann, linnet.Page{}))(w).Items, "star")
	},
	"familiar followers": func(w *relationWorld) bool {
		return named(apptest.Must(w.View.FamiliarFollowers(w.Ctx, w.me, []linnet.ID{w.star}, 1))(w)[0].Users, "ann")
	},
	"suggestions": func(w *relationWorld) bool {
		for _, s := range apptest.Must(w.Discovery.Suggestions(w.Ctx, w.me, 0))(w) {
			if s.ID == w.star && s.Common > 0 {
				return true
			}
		}
		return false
	},
	"endorsements": func(w *relationWorld) bool {
		return named(apptest.Must(w.Social.Endorsements(w.Ctx, w.me, w.ann, linnet.Page{Limit: 40}))(w).Items, "star")
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
			apptest.Must(w.Social.Profiles.Update(w.Ctx, who(w), linnet.ProfileChange{HideNetwork: new(true)}))(w)
		}
	}
	block := func(a, b func(w *relationWorld) linnet.ID) func(w *relationWorld) {
		return func(w *relationWorld) { apptest.Must(w.Social.Block(w.Ctx, a(w), b(w)))(w) }
	}
	suspend := func(who func(w *relationWorld) linnet.ID) func(w *relationWorld) {
		return func(w *relationWorld) {
			w.OK(w.Moderation.Moderate(w.Ctx, linnet.Operator(), linnet.Measure{On: who(w), Act: linnet.Suspend}))
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
			w := &relationWorld{World: apptest.InMemory(t)}
			w.me, w.ann, w.star = w.Person("me"), w.Person("ann"), w.Person("star")
			w.Follow(w.me, w.ann)
			w.Follow(w.ann, w.star)
			apptest.Must(w.Social.Endorse(w.Ctx, w.ann, w.star, true))(w)
			c.then(w)
			w.Drain()
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
	w := apptest.InMemory(t)
	me, star := w.Person("me"), w.Person("star")
	ctx, cancel := context.WithCancel(w.Ctx)
	cancel()
	if got, err := w.View.FamiliarFollowers(ctx, me, []linnet.ID{star}, 1); err == nil {
		t.Errorf("a cancelled read answers %v", got)
	}
}

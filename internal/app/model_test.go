package app_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/kv/memkv"
	"linnet/internal/kv/redistest"
	"linnet/internal/linnet"
	"linnet/internal/store"
	"linnet/internal/timeline"
)

// randomWorld performs random actions in the world and in the model.
type randomWorld struct {
	*apptest.World
	*apptest.Model
	rnd    *rand.Rand
	people []linnet.ID
	lists  map[linnet.ID]linnet.ID // an exclusive list of each user
}

func (r *randomWorld) pick() linnet.ID { return r.people[r.rnd.IntN(len(r.people))] }

// readable returns one of the latest statuses that a user can read, or nil.
func (r *randomWorld) readable(who linnet.ID) *linnet.Status {
	var able []*linnet.Status
	for i := len(r.All) - 1; i >= 0 && len(able) < 60; i-- {
		if s := &r.All[i]; r.Visible(who, s) && (s.RepostOf == 0 || r.Get(s.RepostOf) != nil && r.Visible(who, r.Get(s.RepostOf))) {
			able = append(able, s)
		}
	}
	if len(able) == 0 {
		return nil
	}
	return able[r.rnd.IntN(len(able))]
}

func (r *randomWorld) act() {
	r.Helper()
	who := r.pick()
	switch n := r.rnd.IntN(100); {
	case n < 45:
		r.posts(who, 0)
	case n < 60:
		if s := r.readable(who); s != nil {
			r.posts(who, s.ID)
		}
	case n < 75:
		r.reposts(who)
	case n < 85:
		r.follows1(who, r.pick())
	case n < 90:
		r.deletes(who)
	case n < 95:
		r.mutes(who, r.pick())
	default:
		r.hides(who, r.pick())
	}
}

func (r *randomWorld) posts(who, to linnet.ID) {
	d := linnet.Draft{Text: "words", InReplyTo: to}
	if r.rnd.IntN(3) == 0 {
		d.Visibility = new(linnet.Visibility(r.rnd.IntN(4)))
	}
	if r.rnd.IntN(5) == 0 {
		d.Text = fmt.Sprintf("hello @user%d", r.rnd.IntN(len(r.people)))
	}
	r.Add(r.Draft(who, d))
}

func (r *randomWorld) reposts(who linnet.ID) {
	s := r.readable(who)
	if s == nil {
		return
	}
	v, err := r.Posting.Repost(r.Ctx, who, s.ID, nil)
	if linnet.KindOf(err) == linnet.Invalid {
		return // the status is private
	}
	if r.Get(apptest.Must(v, err)(r).ID) == nil {
		r.Add(v)
	}
}

func (r *randomWorld) follows1(who, other linnet.ID) {
	key := [2]linnet.ID{who, other}
	if who == other || r.Barred(who, other) {
		return
	}
	if r.Follows[key] && r.rnd.IntN(2) == 0 {
		apptest.Must(r.Social.Unfollow(r.Ctx, who, other))(r)
		delete(r.Follows, key)
		delete(r.Muted, key)
		return
	}
	r.Follow(who, other)
	r.Follows[key] = true
}

func (r *randomWorld) mutes(who, other linnet.ID) {
	key := [2]linnet.ID{who, other}
	if !r.Follows[key] {
		return
	}
	r.Muted[key] = !r.Muted[key]
	apptest.Must(r.Social.Follow(r.Ctx, who, other, linnet.FollowOptions{Reposts: new(!r.Muted[key])}))(r)
}

func (r *randomWorld) hides(who, other linnet.ID) {
	key := [2]linnet.ID{who, other}
	if r.Barred(who, other) {
		return
	}
	do := r.Lists.AddToList
	if r.Exclusive[key] {
		do = r.Lists.RemoveFromList
	}
	if err := do(r.Ctx, who, r.lists[who], []linnet.ID{other}); err != nil {
		r.Fatal(err)
	}
	r.Exclusive[key] = !r.Exclusive[key]
}

func (r *randomWorld) deletes(who linnet.ID) {
	for i := range r.All {
		if s := r.All[i]; s.Author == who && r.rnd.IntN(10) == 0 {
			if _, err := r.Posting.Delete(r.Ctx, who, s.ID); err != nil && !(s.RepostOf != 0 && linnet.KindOf(err) == linnet.NotFound) {
				r.Fatal(err)
			} else if err == nil {
				r.Remove(s.ID)
			}
			return
		}
	}
}

// TestHomeEqualsTheModel checks that home shows what the model expects after random actions: from a
// warm feed, a rebuilt one, and below its floor.
func TestHomeEqualsTheModel(t *testing.T) {
	seeds := []uint64{1, 2, 3, 4, 5, 6}
	if testing.Short() {
		seeds = seeds[:2]
	}
	for _, seed := range seeds {
		t.Run(fmt.Sprint("seed", seed), func(t *testing.T) { livesAtRandom(apptest.InMemory(t), seed, 10, func() {}) })
		t.Run(fmt.Sprint("seed", seed, ", as time goes by"), func(t *testing.T) { // so that old follows end too
			clock := &apptest.Clock{}
			w := apptest.NewWith(t, memkv.New(memkv.Options{Now: clock.Now}), store.Options{Now: clock.Now})
			livesAtRandom(w, seed, 10, func() { clock.Advance(2 * timeline.FollowApplied) })
		})
	}
	t.Run("engines", func(t *testing.T) {
		apptest.SkipShort(t)
		livesAtRandom(apptest.New(t, apptest.OpenDisk(t)), 7, 4, func() {})
		livesAtRandom(apptest.New(t, apptest.OpenRedis(t, redistest.Single(t), "")), 8, 4, func() {})
	})
}

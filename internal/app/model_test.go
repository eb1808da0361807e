package app_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/kv/redistest"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/store/db"
	"linnet/internal/timeline"
)

// model is the expected state in plain Go: all statuses and follows.
type model struct {
	all       []linnet.Status // in ascending order
	follows   map[[2]linnet.ID]bool
	muted     map[[2]linnet.ID]bool
	exclusive map[[2]linnet.ID]bool // owner and member of an exclusive list
	blocks    map[[2]linnet.ID]bool
}

func newModel() *model {
	return &model{follows: map[[2]linnet.ID]bool{}, muted: map[[2]linnet.ID]bool{}, exclusive: map[[2]linnet.ID]bool{}, blocks: map[[2]linnet.ID]bool{}}
}

// barred reports whether one of two users blocks the other.
func (m *model) barred(a, b linnet.ID) bool {
	return m.blocks[[2]linnet.ID{a, b}] || m.blocks[[2]linnet.ID{b, a}]
}

func (m *model) add(v linnet.StatusView) {
	i, _ := slices.BinarySearchFunc(m.all, v.ID, func(s linnet.Status, id linnet.ID) int { return int(int64(s.ID) - int64(id)) })
	m.all = slices.Insert(m.all, i, v.Status)
}

// remove deletes a status and its reposts.
func (m *model) remove(id linnet.ID) {
	m.all = slices.DeleteFunc(m.all, func(s linnet.Status) bool { return s.ID == id || s.RepostOf == id })
}

func (m *model) get(id linnet.ID) *linnet.Status {
	for i := range m.all {
		if m.all[i].ID == id {
			return &m.all[i]
		}
	}
	return nil
}

func (m *model) visible(to linnet.ID, s *linnet.Status) bool {
	switch {
	case m.barred(to, s.Author):
		return false
	case s.Author == to || s.Visibility.Open():
		return true
	case slices.ContainsFunc(s.Mentions, func(x linnet.Mention) bool { return x.ID == to }):
		return true
	}
	return s.Visibility == linnet.Private && m.follows[[2]linnet.ID{to, s.Author}]
}

// entered reports whether a status is in the home feed of me, shown or not.
func (m *model) entered(me linnet.ID, s *linnet.Status) bool {
	return s.Author == me || m.follows[[2]linnet.ID{me, s.Author}] && s.Visibility != linnet.Direct
}

// shown reports whether home shows a status to me, apart from reposts close to their original.
func (m *model) shown(me linnet.ID, s *linnet.Status) bool {
	if s.Author == me {
		return true
	}
	if !m.entered(me, s) || !m.visible(me, s) || m.exclusive[[2]linnet.ID{me, s.Author}] {
		return false
	}
	if s.RepostOf != 0 {
		o := m.get(s.RepostOf)
		return o != nil && m.visible(me, o) && !m.muted[[2]linnet.ID{me, s.Author}]
	}
	return s.InReplyTo == 0 || s.InReplyAuthor == s.Author || s.InReplyAuthor == me || m.follows[[2]linnet.ID{me, s.InReplyAuthor}]
}

// home returns the whole home timeline of me, newest first.
func (m *model) home(me linnet.ID) []linnet.ID {
	var feed []*linnet.Status
	for i := len(m.all) - 1; i >= 0; i-- {
		if m.entered(me, &m.all[i]) {
			feed = append(feed, &m.all[i])
		}
	}
	var out []linnet.ID
	for i, s := range feed {
		if !m.shown(me, s) {
			continue
		}
		near := feed[i+1 : min(i+41, len(feed))]
		if s.RepostOf != 0 && slices.ContainsFunc(near, func(o *linnet.Status) bool { return (o.ID == s.RepostOf || o.RepostOf == s.RepostOf) && m.shown(me, o) }) {
			continue
		}
		out = append(out, s.ID)
	}
	return out
}

// checkHome compares the home timeline of me with the model: downwards with several limits, and
// from a random entry upwards and with since_id.
func (w *world) checkHome(m *model, me linnet.ID, rnd *rand.Rand, limits ...int) {
	w.Helper()
	want := m.home(me)
	for _, limit := range limits {
		equal(w, fmt.Sprintf("home of %v by %d", me, limit), ids(w.home(me, limit)), want)
	}
	if len(want) == 0 {
		return
	}
	at := rnd.IntN(len(want))
	limit := 1 + rnd.IntN(40)
	equal(w, fmt.Sprintf("home of %v up from entry %d by %d", me, at, limit), w.up(me, want[at], limit), want[:at])
	since := must(w.Reading.Home(w.ctx, me, linnet.Page{Since: linnet.CursorOf(want[at]), Limit: limit}))(w)
	equal(w, fmt.Sprintf("home of %v since entry %d by %d", me, at, limit), ids(since.Items), want[:min(at, limit)])
	if at <= limit && since.Last != "" && at < limit {
		w.Errorf("there is more below %v, it says, but there was nothing since %v", since.Last, want[at])
	}
}

// up pages upwards with min_id and returns the entries, newest first.
func (w *world) up(me, from linnet.ID, limit int) []linnet.ID {
	w.Helper()
	var out []linnet.ID
	for range 10_000 {
		s := must(w.Reading.Home(w.ctx, me, linnet.Page{Min: linnet.CursorOf(from), Limit: limit}))(w)
		if len(s.Items) == 0 {
			return out
		}
		out = append(ids(s.Items), out...)
		from = s.Items[0].ID
	}
	w.Fatal("rising pages do not end")
	return nil
}

// randomWorld performs random actions in the world and in the model.
type randomWorld struct {
	*world
	*model
	rnd    *rand.Rand
	people []linnet.ID
	lists  map[linnet.ID]linnet.ID // an exclusive list of each user
}

func (r *randomWorld) pick() linnet.ID { return r.people[r.rnd.IntN(len(r.people))] }

// readable returns one of the latest statuses that a user can read, or nil.
func (r *randomWorld) readable(who linnet.ID) *linnet.Status {
	var able []*linnet.Status
	for i := len(r.all) - 1; i >= 0 && len(able) < 60; i-- {
		if s := &r.all[i]; r.visible(who, s) && (s.RepostOf == 0 || r.get(s.RepostOf) != nil && r.visible(who, r.get(s.RepostOf))) {
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
	r.add(r.draft(who, d))
}

func (r *randomWorld) reposts(who linnet.ID) {
	s := r.readable(who)
	if s == nil {
		return
	}
	v, err := r.Posting.Repost(r.ctx, who, s.ID, nil)
	if linnet.KindOf(err) == linnet.Invalid {
		return // the status is private
	}
	if r.get(must(v, err)(r).ID) == nil {
		r.add(v)
	}
}

func (r *randomWorld) follows1(who, other linnet.ID) {
	key := [2]linnet.ID{who, other}
	if who == other || r.barred(who, other) {
		return
	}
	if r.follows[key] && r.rnd.IntN(2) == 0 {
		must(r.Social.Unfollow(r.ctx, who, other))(r)
		delete(r.follows, key)
		delete(r.muted, key)
		return
	}
	r.follow(who, other)
	r.follows[key] = true
}

func (r *randomWorld) mutes(who, other linnet.ID) {
	key := [2]linnet.ID{who, other}
	if !r.follows[key] {
		return
	}
	r.muted[key] = !r.muted[key]
	must(r.Social.Follow(r.ctx, who, other, linnet.FollowOptions{Reposts: new(!r.muted[key])}))(r)
}

func (r *randomWorld) hides(who, other linnet.ID) {
	key := [2]linnet.ID{who, other}
	if r.barred(who, other) {
		return
	}
	do := r.Lists.AddToList
	if r.exclusive[key] {
		do = r.Lists.RemoveFromList
	}
	if err := do(r.ctx, who, r.lists[who], []linnet.ID{other}); err != nil {
		r.Fatal(err)
	}
	r.exclusive[key] = !r.exclusive[key]
}

func (r *randomWorld) deletes(who linnet.ID) {
	for i := range r.all {
		if s := r.all[i]; s.Author == who && r.rnd.IntN(10) == 0 {
			if _, err := r.Posting.Delete(r.ctx, who, s.ID); err != nil && !(s.RepostOf != 0 && linnet.KindOf(err) == linnet.NotFound) {
				r.Fatal(err)
			} else if err == nil {
				r.remove(s.ID)
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
		t.Run(fmt.Sprint("seed", seed), func(t *testing.T) { livesAtRandom(memWorld(t), seed, 10, func() {}) })
		t.Run(fmt.Sprint("seed", seed, ", as time goes by"), func(t *testing.T) { // so that old follows end too
			clock := &clocked{}
			w := worldOf(t, memkv.New(memkv.Options{Now: clock.now}), store.Options{Now: clock.now})
			livesAtRandom(w, seed, 10, func() { clock.turn(2 * timeline.FollowApplied) })
		})
	}
	t.Run("engines", func(t *testing.T) {
		notWhenShort(t)
		livesAtRandom(newWorld(t, openDisk(t)), 7, 4, func() {})
		livesAtRandom(newWorld(t, openRedis(t, redistest.Single(t), "")), 8, 4, func() {})
	})
}

// compareFeeds compares a feed grown by pushes, merges and deletions with a rebuilt one. The ids
// must be the same above the higher floor.
func (w *world) compareFeeds(me linnet.ID) {
	w.Helper()
	read := func() ([]linnet.ID, linnet.ID) {
		must(w.Reading.Home(w.ctx, me, linnet.Page{}))(w)
		b := w.store.Batch()
		page := b.Feed(record.HomeKey(me), db.Span{Limit: kv.MaxRange})
		if err := b.Run(w.ctx); err != nil || page.Cold || page.Filling {
			w.Fatalf("feed: %+v %v", page, err)
		}
		return page.IDs(), page.Floor
	}
	grown, floor1 := read()
	if err := w.store.Feeds.ForgetFeeds(w.ctx, record.HomeKey(me)); err != nil {
		w.Fatal(err)
	}
	rebuilt, floor2 := read()
	floor := max(floor1, floor2)
	below := func(id linnet.ID) bool { return id <= floor }
	equal(w, "the feed as it grew, and rebuilt", slices.DeleteFunc(grown, below), slices.DeleteFunc(rebuilt, below))
}

package app_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"linnet/internal/linnet"
	"linnet/internal/record"
)

// town creates a reader who follows some authors with some statuses each, posted in turn.
func (w *world) town(authors, statuses int) (reader linnet.ID, by []linnet.ID, m *model) {
	w.Helper()
	reader, m = w.person("reader"), newModel()
	by = w.people(authors)
	for _, a := range by {
		w.follow(reader, a)
		m.follows[[2]linnet.ID{reader, a}] = true
	}
	for i := range statuses {
		for _, a := range by {
			m.add(w.post(a, "%d", i))
		}
	}
	w.drain()
	return reader, by, m
}

// TestHomePastTheFloor checks that pages continue below the 1,000 entries of a feed into the
// profiles, without gaps or duplicates, in both directions, for warm and rebuilt feeds.
func TestHomePastTheFloor(t *testing.T) {
	t.Run("60 authors", func(t *testing.T) {
		w := memWorld(t)
		reader, _, m := w.town(60, 40)
		rnd := rand.New(rand.NewPCG(1, 1))
		w.checkHome(m, reader, rnd, 40, 7)
		forget(w, reader)
		w.checkHome(m, reader, rnd, 13, 1, 40)
	})
	t.Run("engines", func(t *testing.T) {
		onEngines(t, func(w *world) {
			reader, by, m := w.town(12, 105)
			rnd := rand.New(rand.NewPCG(2, 1))
			w.home(reader, 40) // warm before further posts
			for range 4 {
				for _, a := range by {
					m.add(w.post(a, "more"))
				}
			}
			w.drain()
			w.checkHome(m, reader, rnd, 40, 19)
			for range 3 {
				w.checkHome(m, reader, rnd)
			}
			w.check()
		})
	})
}

// TestHomePastTheFloorOfFew checks that pages continue below the floor if a single profile is
// longer than a feed, or contains many statuses that home does not show.
func TestHomePastTheFloorOfFew(t *testing.T) {
	t.Run("one author", func(t *testing.T) { // more than 1,000 by one author
		w := memWorld(t)
		reader, by, m := w.town(2, 0)
		for i := range 1300 {
			m.add(w.post(by[0], "%d", i))
			if i%100 == 0 {
				m.add(w.post(by[1], "rare"))
			}
		}
		rnd := rand.New(rand.NewPCG(3, 1))
		for range 2 {
			w.checkHome(m, reader, rnd, 40, 11)
			forget(w, reader)
		}
	})
	t.Run("directs between", func(t *testing.T) { // profiles with many statuses that home hides
		w := memWorld(t)
		reader, by, m := w.town(3, 5)
		for i := range 900 {
			d := linnet.Draft{Text: "@user2 psst", Visibility: new(linnet.Direct)}
			if i%90 == 0 {
				d = linnet.Draft{Text: "said aloud"}
			}
			m.add(w.draft(by[0], d))
			if i%9 == 0 {
				m.add(w.post(by[1], "%d", i))
			}
		}
		rnd := rand.New(rand.NewPCG(4, 1))
		for range 2 {
			w.checkHome(m, reader, rnd, 40, 3)
			forget(w, reader)
		}
	})
}

func forget(w *world, readers ...linnet.ID) {
	w.Helper()
	for _, id := range readers {
		if err := w.store.Feeds.ForgetFeeds(w.ctx, record.HomeKey(id)); err != nil {
			w.Fatal(err)
		}
	}
}

// TestHomeLimits checks that pages with each limit from 1 to 40 add up to the same timeline.
func TestHomeLimits(t *testing.T) {
	w := memWorld(t)
	reader, by, m := w.town(6, 20)
	for i, a := range by { // hidden entries
		m.add(must(w.Posting.Repost(w.ctx, a, m.all[len(m.all)-1-3*i].ID, nil))(t))
		stranger := w.post(w.person(fmt.Sprintf("stranger%d", i)), "hm")
		m.add(stranger)
		m.add(w.draft(a, linnet.Draft{Text: "to a stranger", InReplyTo: stranger.ID}))
	}
	w.drain()
	limits := make([]int, 40)
	for i := range limits {
		limits[i] = i + 1
	}
	rnd := rand.New(rand.NewPCG(5, 1))
	w.checkHome(m, reader, rnd, limits...)
	for range 40 {
		w.checkHome(m, reader, rnd)
	}
	for limit, want := range map[int]int{0: 20, -5: 1, 41: 40, 1000: 40} {
		s := must(w.Reading.Home(w.ctx, reader, linnet.Page{Limit: limit}))(t)
		if len(s.Items) != want {
			t.Errorf("limit %d gives %d", limit, len(s.Items))
		}
	}
	for _, p := range []linnet.Page{{Max: "x"}, {Since: "-1"}, {Min: "1.5"}} {
		_, err := w.Reading.Home(w.ctx, reader, p)
		kindIs(t, err, linnet.Invalid)
	}
}

// TestHomeWhileOthersPost checks that pages read while others post contain no duplicates and have
// no gaps.
func TestHomeWhileOthersPost(t *testing.T) {
	onEngines(t, func(w *world) {
		reader, by, m := w.town(8, 30)
		before := m.home(reader)
		stop := make(chan struct{})
		var wg sync.WaitGroup
		for _, a := range by[:4] {
			wg.Go(func() {
				for i := 0; ; i++ {
					select {
					case <-stop:
						return
					default:
					}
					if _, err := w.Posting.Post(w.ctx, a, linnet.Draft{Text: fmt.Sprint("new ", i)}); err != nil {
						w.Error(err)
						return
					}
				}
			})
		}
		for round := range 6 {
			got := ids(w.home(reader, 5+5*round)) // fails if a status comes twice
			old := slices.DeleteFunc(got, func(id linnet.ID) bool { return !slices.Contains(before, id) })
			equal(w, "what was there", old, before)
			if round%2 == 1 {
				forget(w, reader)
			}
		}
		close(stop)
		wg.Wait()
		w.drain()
		w.check()
	})
}

// TestFollowAndUnfollow checks that a follow adds earlier statuses at their positions, and that an
// unfollow removes them at once and refills the page.
func TestFollowAndUnfollow(t *testing.T) { onEngines(t, followAndUnfollow) }

func followAndUnfollow(w *world) {
	reader, by, m := w.town(3, 10)
	other := w.person("other")
	for i := range 30 {
		m.add(w.draft(other, linnet.Draft{Text: fmt.Sprint("other ", i), Visibility: new(linnet.Visibility(i % 4))}))
		m.add(w.post(by[i%3], "meanwhile"))
	}
	rnd := rand.New(rand.NewPCG(6, 1))
	w.checkHome(m, reader, rnd, 20)
	w.follow(reader, other)
	m.follows[[2]linnet.ID{reader, other}] = true
	w.checkHome(m, reader, rnd, 20, 3)
	w.compareFeeds(reader)
	must(w.Social.Unfollow(w.ctx, reader, by[0]))(w)
	delete(m.follows, [2]linnet.ID{reader, by[0]})
	w.checkHome(m, reader, rnd, 20, 3)
	if first := must(w.Reading.Home(w.ctx, reader, linnet.Page{Limit: 20}))(w); len(first.Items) != 20 {
		w.Errorf("%d on the first page", len(first.Items))
	}
	w.check()
}

// TestFollowOfAProlificAuthor checks that all statuses of a new followee appear, newest first, even
// if they are more than a feed holds.
func TestFollowOfAProlificAuthor(t *testing.T) {
	w := memWorld(t)
	reader, by, m := w.town(2, 20)
	w.home(reader, 40)
	star := w.person("star")
	for i := range 1050 {
		m.add(w.post(star, "%d", i))
	}
	m.add(w.post(by[0], "later"))
	w.follow(reader, star)
	m.follows[[2]linnet.ID{reader, star}] = true
	w.checkHome(m, reader, rand.New(rand.NewPCG(7, 1)), 40)
}

// TestRepostsNearTheirOriginal checks that a repost is hidden if its original is among the 40
// entries below it.
func TestRepostsNearTheirOriginal(t *testing.T) {
	for between, hidden := range map[int]bool{0: true, 38: true, 39: true, 40: false, 60: false} {
		w := memWorld(t)
		reader, by, m := w.town(3, 0)
		original := w.post(by[0], "original")
		m.add(original)
		for i := range between {
			m.add(w.post(by[1], "%d", i))
		}
		m.add(must(w.Posting.Repost(w.ctx, by[2], original.ID, nil))(t))
		for range 2 { // warm and cold
			n := 0
			for _, v := range w.home(reader, 9) {
				if v.Repost != nil {
					n++
				}
			}
			if (n == 0) != hidden {
				t.Errorf("%d entries between: the repost is shown %d times", between, n)
			}
			w.checkHome(m, reader, rand.New(rand.NewPCG(8, uint64(between))), 5, 40)
			forget(w, reader)
		}
	}
}

// TestRepostOfWhatIsNotShown checks that a repost is shown if its original is not.
func TestRepostOfWhatIsNotShown(t *testing.T) {
	w := memWorld(t)
	reader, by, _ := w.town(2, 0)
	stranger := w.person("stranger")
	answer := w.draft(by[0], linnet.Draft{Text: "to a stranger", InReplyTo: w.post(stranger, "hm").ID})
	if got := texts(w.home(reader, 20)); len(got) != 0 {
		t.Errorf("replies to strangers are shown: %v", got)
	}
	must(w.Posting.Repost(w.ctx, by[1], answer.ID, nil))(t)
	if got := fmt.Sprint(texts(w.home(reader, 20))); got != "[RT to a stranger]" {
		t.Errorf("home: %v", got)
	}
}

func TestMutedReposts(t *testing.T) {
	w := memWorld(t)
	reader, by, _ := w.town(1, 0)
	s := w.post(w.person("other"), "something")
	must(w.Posting.Repost(w.ctx, by[0], s.ID, nil))(t)
	w.post(by[0], "own")
	for _, show := range []bool{true, false, true} {
		r := must(w.Social.Follow(w.ctx, reader, by[0], linnet.FollowOptions{Reposts: &show}))(t)
		if r.Reposts != show {
			t.Errorf("relationship says %v", r.Reposts)
		}
		want := "[own]"
		if show {
			want = "[own RT something]"
		}
		if got := fmt.Sprint(texts(w.home(reader, 20))); got != want {
			t.Errorf("reposts %v: %v", show, got)
		}
	}
	must(w.Social.Unfollow(w.ctx, reader, by[0]))(t)
	if r := must(w.Social.Follow(w.ctx, reader, by[0], linnet.FollowOptions{}))(t); !r.Reposts || r.Notify {
		t.Errorf("after an unfollow: %+v", r)
	}
}

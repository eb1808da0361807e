package reading_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
)

// TestHomePastTheFloor checks that pages continue below the 1,000 entries of a feed into the
// profiles, without gaps or duplicates, in both directions, for warm and rebuilt feeds.
func TestHomePastTheFloor(t *testing.T) {
	t.Run("60 authors", func(t *testing.T) {
		w := apptest.InMemory(t)
		reader, _, m := w.Town(60, 40)
		rnd := rand.New(rand.NewPCG(1, 1))
		w.CheckHome(m, reader, rnd, 40, 7)
		apptest.ForgetFeeds(w, reader)
		w.CheckHome(m, reader, rnd, 13, 1, 40)
	})
	t.Run("engines", func(t *testing.T) {
		apptest.OnEngines(t, func(w *apptest.World) {
			reader, by, m := w.Town(12, 105)
			rnd := rand.New(rand.NewPCG(2, 1))
			w.Home(reader, 40) // warm before further posts
			for range 4 {
				for _, a := range by {
					m.Add(w.Post(a, "more"))
				}
			}
			w.Drain()
			w.CheckHome(m, reader, rnd, 40, 19)
			for range 3 {
				w.CheckHome(m, reader, rnd)
			}
			w.Check()
		})
	})
}

// TestHomePastTheFloorOfFew checks that pages continue below the floor if a single profile is
// longer than a feed, or contains many statuses that home does not show.
func TestHomePastTheFloorOfFew(t *testing.T) {
	t.Run("one author", func(t *testing.T) { // more than 1,000 by one author
		w := apptest.InMemory(t)
		reader, by, m := w.Town(2, 0)
		for i := range 1300 {
			m.Add(w.Post(by[0], "%d", i))
			if i%100 == 0 {
				m.Add(w.Post(by[1], "rare"))
			}
		}
		rnd := rand.New(rand.NewPCG(3, 1))
		for range 2 {
			w.CheckHome(m, reader, rnd, 40, 11)
			apptest.ForgetFeeds(w, reader)
		}
	})
	t.Run("directs between", func(t *testing.T) { // profiles with many statuses that home hides
		w := apptest.InMemory(t)
		reader, by, m := w.Town(3, 5)
		for i := range 900 {
			d := linnet.Draft{Text: "@user2 psst", Visibility: new(linnet.Direct)}
			if i%90 == 0 {
				d = linnet.Draft{Text: "said aloud"}
			}
			m.Add(w.Draft(by[0], d))
			if i%9 == 0 {
				m.Add(w.Post(by[1], "%d", i))
			}
		}
		rnd := rand.New(rand.NewPCG(4, 1))
		for range 2 {
			w.CheckHome(m, reader, rnd, 40, 3)
			apptest.ForgetFeeds(w, reader)
		}
	})
}

// TestHomeLimits checks that pages with each limit from 1 to 40 add up to the same timeline.
func TestHomeLimits(t *testing.T) {
	w := apptest.InMemory(t)
	reader, by, m := w.Town(6, 20)
	for i, a := range by { // hidden entries
		m.Add(apptest.Must(w.Posting.Repost(w.Ctx, a, m.All[len(m.All)-1-3*i].ID, nil))(t))
		stranger := w.Post(w.Person(fmt.Sprintf("stranger%d", i)), "hm")
		m.Add(stranger)
		m.Add(w.Draft(a, linnet.Draft{Text: "to a stranger", InReplyTo: stranger.ID}))
	}
	w.Drain()
	limits := make([]int, 40)
	for i := range limits {
		limits[i] = i + 1
	}
	rnd := rand.New(rand.NewPCG(5, 1))
	w.CheckHome(m, reader, rnd, limits...)
	for range 40 {
		w.CheckHome(m, reader, rnd)
	}
	for limit, want := range map[int]int{0: 20, -5: 1, 41: 40, 1000: 40} {
		s := apptest.Must(w.Reading.Home(w.Ctx, reader, linnet.Page{Limit: limit}))(t)
		if len(s.Items) != want {
			t.Errorf("limit %d gives %d", limit, len(s.Items))
		}
	}
	for _, p := range []linnet.Page{{Max: "x"}, {Since: "-1"}, {Min: "1.5"}} {
		_, err := w.Reading.Home(w.Ctx, reader, p)
		apptest.WantKind(t, err, linnet.Invalid)
	}
}

// TestHomeWhileOthersPost checks that pages read while others post contain no duplicates and have
// no gaps.
func TestHomeWhileOthersPost(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		reader, by, m := w.Town(8, 30)
		before := m.Home(reader)
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
					if _, err := w.Posting.Post(w.Ctx, a, linnet.Draft{Text: fmt.Sprint("new ", i)}); err != nil {
						w.Error(err)
						return
					}
				}
			})
		}
		for round := range 6 {
			got := apptest.IDs(w.Home(reader, 5+5*round)) // fails if a status comes twice
			old := slices.DeleteFunc(got, func(id linnet.ID) bool { return !slices.Contains(before, id) })
			apptest.Equal(w, "what was there", old, before)
			if round%2 == 1 {
				apptest.ForgetFeeds(w, reader)
			}
		}
		close(stop)
		wg.Wait()
		w.Drain()
		w.Check()
	})
}

// TestFollowAndUnfollow checks that a follow adds earlier statuses at their positions, and that an
// unfollow removes them at once and refills the page.
func TestFollowAndUnfollow(t *testing.T) { apptest.OnEngines(t, followAndUnfollow) }

func followAndUnfollow(w *apptest.World) {
	reader, by, m := w.Town(3, 10)
	other := w.Person("other")
	for i := range 30 {
		m.Add(w.Draft(other, linnet.Draft{Text: fmt.Sprint("other ", i), Visibility: new(linnet.Visibility(i % 4))}))
		m.Add(w.Post(by[i%3], "meanwhile"))
	}
	rnd := rand.New(rand.NewPCG(6, 1))
	w.CheckHome(m, reader, rnd, 20)
	w.Follow(reader, other)
	m.Follows[[2]linnet.ID{reader, other}] = true
	w.CheckHome(m, reader, rnd, 20, 3)
	w.CompareFeeds(reader)
	apptest.Must(w.Social.Unfollow(w.Ctx, reader, by[0]))(w)
	delete(m.Follows, [2]linnet.ID{reader, by[0]})
	w.CheckHome(m, reader, rnd, 20, 3)
	if first := apptest.Must(w.Reading.Home(w.Ctx, reader, linnet.Page{Limit: 20}))(w); len(first.Items) != 20 {
		w.Errorf("%d on the first page", len(first.Items))
	}
	w.Check()
}

// TestFollowOfAProlificAuthor checks that all statuses of a new followee appear, newest first, even
// if they are more than a feed holds.
func TestFollowOfAProlificAuthor(t *testing.T) {
	w := apptest.InMemory(t)
	reader, by, m := w.Town(2, 20)
	w.Home(reader, 40)
	star := w.Person("star")
	for i := range 1050 {
		m.Add(w.Post(star, "%d", i))
	}
	m.Add(w.Post(by[0], "later"))
	w.Follow(reader, star)
	m.Follows[[2]linnet.ID{reader, star}] = true
	w.CheckHome(m, reader, rand.New(rand.NewPCG(7, 1)), 40)
}

// TestRepostsNearTheirOriginal checks that a repost is hidden if its original is among the 40
// entries below it.
func TestRepostsNearTheirOriginal(t *testing.T) {
	for between, hidden := range map[int]bool{0: true, 38: true, 39: true, 40: false, 60: false} {
		w := apptest.InMemory(t)
		reader, by, m := w.Town(3, 0)
		original := w.Post(by[0], "original")
		m.Add(original)
		for i := range between {
			m.Add(w.Post(by[1], "%d", i))
		}
		m.Add(apptest.Must(w.Posting.Repost(w.Ctx, by[2], original.ID, nil))(t))
		for range 2 { // warm and cold
			n := 0
			for _, v := range w.Home(reader, 9) {
				if v.Repost != nil {
					n++
				}
			}
			if (n == 0) != hidden {
				t.Errorf("%d entries between: the repost is shown %d times", between, n)
			}
			w.CheckHome(m, reader, rand.New(rand.NewPCG(8, uint64(between))), 5, 40)
			apptest.ForgetFeeds(w, reader)
		}
	}
}

// TestRepostOfWhatIsNotShown checks that a repost is shown if its original is not.
func TestRepostOfWhatIsNotShown(t *testing.T) {
	w := apptest.InMemory(t)
	reader, by, _ := w.Town(2, 0)
	stranger := w.Person("stranger")
	answer := w.Draft(by[0], linnet.Draft{Text: "to a stranger", InReplyTo: w.Post(stranger, "hm").ID})
	if got := apptest.Texts(w.Home(reader, 20)); len(got) != 0 {
		t.Errorf("replies to strangers are shown: %v", got)
	}
	apptest.Must(w.Posting.Repost(w.Ctx, by[1], answer.ID, nil))(t)
	if got := fmt.Sprint(apptest.Texts(w.Home(reader, 20))); got != "[RT to a stranger]" {
		t.Errorf("home: %v", got)
	}
}

func TestMutedReposts(t *testing.T) {
	w := apptest.InMemory(t)
	reader, by, _ := w.Town(1, 0)
	s := w.Post(w.Person("other"), "something")
	apptest.Must(w.Posting.Repost(w.Ctx, by[0], s.ID, nil))(t)
	w.Post(by[0], "own")
	for _, show := range []bool{true, false, true} {
		r := apptest.Must(w.Social.Follow(w.Ctx, reader, by[0], linnet.FollowOptions{Reposts: &show}))(t)
		if r.Reposts != show {
			t.Errorf("relationship says %v", r.Reposts)
		}
		want := "[own]"
		if show {
			want = "[own RT something]"
		}
		if got := fmt.Sprint(apptest.Texts(w.Home(reader, 20))); got != want {
			t.Errorf("reposts %v: %v", show, got)
		}
	}
	apptest.Must(w.Social.Unfollow(w.Ctx, reader, by[0]))(t)
	if r := apptest.Must(w.Social.Follow(w.Ctx, reader, by[0], linnet.FollowOptions{}))(t); !r.Reposts || r.Notify {
		t.Errorf("after an unfollow: %+v", r)
	}
}

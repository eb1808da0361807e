package discovery_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// Sizes of the simulation of docs/ranking.md: simPeople write simPosts in four days and vote
// simVotes times. A few users have most followers, and a few posts have most votes, mostly within
// hours.
const (
	simPeople  = 200
	simPosts   = 900
	simVotes   = 10_651
	simDays    = 4
	simReposts = 0.15 // share of the votes
	simReads   = 40   // followees of a reader
)

// simVote is a vote for a post, ordered by time. Voter -1 is the post itself.
type simVote struct {
	post, voter int
	repost      bool
	at          time.Duration
}

// simulated contains the events of a simulation: follows, posts and votes.
type simulated struct {
	follows [][2]int // follower, followee
	authors []int    // by post
	votes   []int    // by post
	events  []simVote
}

func simulate(seed uint64) simulated {
	rnd := rand.New(rand.NewPCG(seed, 11))
	fame := make([]float64, simPeople)
	for i := range fame {
		fame[i] = math.Pow(1-rnd.Float64(), -0.8) // few users have many followers
	}
	var s simulated
	for i := range simPeople {
		for _, j := range drawn(rnd, fame, 4+rnd.IntN(20), i) {
			s.follows = append(s.follows, [2]int{i, j})
		}
	}
	appeal := make([]float64, simPosts)
	taken := make([]map[int]bool, simPosts)
	written := make([]time.Duration, simPosts)
	for p := range simPosts {
		a := rnd.IntN(simPeople)
		s.authors = append(s.authors, a)
		appeal[p] = math.Sqrt(fame[a]) * math.Exp(1.2*rnd.NormFloat64())
		taken[p] = map[int]bool{a: true}
		written[p] = time.Duration(rnd.Float64() * simDays * float64(24*time.Hour))
		s.events = append(s.events, simVote{p, -1, false, written[p]})
	}
	s.votes = make([]int, simPosts)
	for left := simVotes; left > 0; {
		p, v := drawn(rnd, appeal, 1, -1)[0], rnd.IntN(simPeople)
		if taken[p][v] {
			continue
		}
		taken[p][v] = true
		left--
		s.votes[p]++
		s.events = append(s.events, simVote{p, v, rnd.Float64() < simReposts, written[p] + time.Duration(rnd.ExpFloat64()*float64(3*time.Hour))})
	}
	slices.SortStableFunc(s.events, func(a, b simVote) int { return cmp.Compare(a.at, b.at) })
	return s
}

// drawn returns n different numbers, drawn with the given weights, without but.
func drawn(rnd *rand.Rand, weights []float64, n, but int) []int {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	var out []int
	for len(out) < n {
		at, i := rnd.Float64()*sum, 0
		for ; i < len(weights)-1 && at >= weights[i]; i++ {
			at -= weights[i]
		}
		if i != but && !slices.Contains(out, i) {
			out = append(out, i)
		}
	}
	return out
}

// simWorld is a world after a simulation.
type simWorld struct {
	*apptest.World
	ids     []linnet.ID // of the posts
	readers []linnet.ID
}

// play performs a simulation. The first user gets additional puppet accounts, which all follow each
// other and vote for each of the user's posts at once.
func (s simulated) play(t *testing.T, puppets int) simWorld {
	now := new(atomic.Int64)
	start := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
	now.Store(start.UnixNano())
	clock := func() time.Time { return time.Unix(0, now.Load()) }
	w := apptest.NewWith(t, memkv.New(memkv.Options{Now: clock}), store.Options{Now: clock})
	sw := simWorld{w, make([]linnet.ID, simPosts), nil}
	people := w.People(simPeople)
	for _, f := range s.follows {
		w.Follow(people[f[0]], people[f[1]])
	}
	for r := range 5 {
		me := w.Person(fmt.Sprint("reader", r))
		for i := range simReads {
			w.Follow(me, people[(r+i*simPeople/simReads)%simPeople])
		}
		sw.readers = append(sw.readers, me)
	}
	ring := []linnet.ID{people[0]}
	for i := range puppets {
		ring = append(ring, w.Person(fmt.Sprint("puppet", i)))
	}
	for _, a := range ring {
		for _, b := range ring {
			if a != b {
				w.Follow(a, b)
			}
		}
	}
	w.Drain()
	for i, e := range s.events {
		now.Store(start.Add(e.at).UnixNano())
		author := people[s.authors[e.post]]
		switch {
		case e.voter < 0:
			sw.ids[e.post] = w.Post(author, "post %d", e.post).ID
			if author == ring[0] {
				stuff(w, sw.ids[e.post], ring[1:])
			}
		case e.repost:
			apptest.Must(w.Posting.Repost(w.Ctx, people[e.voter], sw.ids[e.post], nil))(t)
		default:
			apptest.Must(w.Posting.Marks.Favourite(w.Ctx, people[e.voter], sw.ids[e.post]))(t)
		}
		if i%200 == 0 {
			w.Drain()
		}
	}
	w.Drain()
	return sw
}

// stuff votes for a status with several accounts, in every way.
func stuff(w *apptest.World, st linnet.ID, by []linnet.ID) {
	w.Helper()
	for _, p := range by {
		apptest.Must(w.Posting.Marks.Favourite(w.Ctx, p, st))(w)
		apptest.Must(w.Posting.Repost(w.Ctx, p, st, nil))(w)
		w.Draft(p, linnet.Draft{Text: "Yes!", InReplyTo: st})
	}
}

// TestTopIsTheBestTenth checks that a reader's Top consists of the best tenth of the posts.
func TestTopIsTheBestTenth(t *testing.T) {
	for seed := range uint64(2) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			s := simulate(seed)
			w := s.play(t, 0)
			byVotes := make([]int, simPosts)
			for i := range byVotes {
				byVotes[i] = i
			}
			slices.SortStableFunc(byVotes, func(a, b int) int { return cmp.Compare(s.votes[b], s.votes[a]) })
			median := s.votes[byVotes[simPosts/2]]
			for _, me := range w.readers {
				at := map[linnet.ID]int{}
				for _, v := range wholeTop(w.World, me) {
					at[v.RepostOf]++
				}
				best := 0
				for i, p := range byVotes {
					n := at[w.ids[p]]
					if n > 1 {
						t.Errorf("post %d stands there %d times", p, n)
					}
					if i < simPosts/10 {
						best += n
					} else if n > 0 && s.votes[p] < median {
						t.Errorf("post %d has %d votes, the median is %d", p, s.votes[p], median)
					}
				}
				t.Logf("%d of the best tenth and %d more; the best have %d to %d votes, the median is %d", best, len(at)-best, s.votes[byVotes[0]], s.votes[byVotes[simPosts/10-1]], median)
				if best < simPosts/10*9/10 {
					t.Errorf("%d of the best %d are there", best, simPosts/10)
				}
				if len(at) > simPosts/5 {
					t.Errorf("%d of %d posts are there", len(at), simPosts)
				}
			}
			w.Check()
		})
	}
}

func wholeTop(w *apptest.World, me linnet.ID) []linnet.StatusView {
	return w.Pages(40, func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
		return w.Feeds.ListTimeline(w.Ctx, me, linnet.TopList, p)
	})
}

// TestTopForTenAccountsMore checks that ten additional accounts do not help their owner: posts pass
// the same levels as without them. Posts with their votes alone are not promoted.
func TestTopForTenAccountsMore(t *testing.T) {
	s := simulate(7)
	without, with := s.play(t, 0), s.play(t, 10)
	own, raised := 0, 0
	for p, a := range s.authors {
		if a != 0 {
			continue
		}
		own++
		before, after := level(without.World, without.ids[p]), level(with.World, with.ids[p])
		if raised += before; after > before {
			t.Errorf("post %d with %d votes has passed %d levels, with ten accounts more %d", p, s.votes[p], before, after)
		}
	}
	if own == 0 || raised == 0 {
		t.Errorf("of %d posts %d levels were passed: that shows nothing", own, raised)
	}
	first, puppet := named(with.World, "user0"), named(with.World, "puppet0")
	st := with.Post(puppet, "alone").ID
	stuff(with.World, st, append(puppets(with.World, 1, 10), first))
	with.Drain()
	if level := level(with.World, st); level != 0 {
		t.Errorf("what one person alone has voted for has passed %d levels", level)
	}
	with.Check()
}

func level(w *apptest.World, st linnet.ID) int {
	w.Helper()
	b := w.Store.Batch()
	ref := b.Status(st)
	apptest.Must(0, b.Run(w.Ctx))(w)
	return ref.Status.Level
}

func named(w *apptest.World, login string) linnet.ID {
	w.Helper()
	return apptest.Must(w.View.UserByLogin(w.Ctx, 0, login))(w).ID
}

func puppets(w *apptest.World, from, to int) []linnet.ID {
	w.Helper()
	var out []linnet.ID
	for i := from; i < to; i++ {
		out = append(out, named(w, fmt.Sprint("puppet", i)))
	}
	return out
}

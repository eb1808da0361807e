package app_test

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"linnet/internal/app"
	"linnet/internal/app/apptest"
	"linnet/internal/kv/rediskv"
	"linnet/internal/kv/redistest"
	"linnet/internal/kv/watchkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
	"linnet/internal/timeline"
)

// metered is an app over a Redis that counts its commands, including the commands inside scripts.
type metered struct {
	*apptest.World // the first server, which performs the actions
	redis          *redistest.Server
	trips          *trips
	table          []string
	marker         linnet.ID    // renamed by another server, see hear
	ahead          atomic.Int64 // nanoseconds added to the servers' clocks
}

// later moves the servers' clocks forward by d.
func (c *metered) later(d time.Duration) {
	c.Drain()
	c.ahead.Add(int64(d))
}

// hear waits until the first server has received all changes up to now. Changes arrive in order, so
// it waits for one more change.
func (c *metered) hear(by *apptest.World) {
	c.Helper()
	if c.marker == 0 {
		c.marker = c.Person("marker")
	}
	name := fmt.Sprint("heard at ", time.Now().UnixNano())
	apptest.Must(by.Social.Profiles.Update(c.Ctx, c.marker, linnet.ProfileChange{Name: &name}))(c)
	for end := time.Now().Add(time.Minute); apptest.Must(c.View.User(c.Ctx, 0, c.marker))(c).Name != name; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			c.Fatal("a change was never heard of")
		}
	}
}

// newMetered starts n servers. Only the first one runs tasks.
func newMetered(t *testing.T, n int) (c *metered, others []*apptest.World) {
	t.Helper()
	c = &metered{redis: redistest.Start(t), trips: &trips{}}
	for i := range n {
		e := apptest.OpenRedisWith(t, c.redis.URL(), rediskv.Options{Guard: true, FeedTTL: 30 * 24 * time.Hour}) // as the program does
		now := func() time.Time { return time.Now().Add(time.Duration(c.ahead.Load())) }
		st := store.New(watchkv.New(e, c.trips.note), store.Options{Shared: true, Now: now})
		s := apptest.Must(app.New(st, app.Options{Derive: apptest.Derive, PublicURL: "https://linnet.test", Log: apptest.Quiet(), Exclusive: true}))(t)
		ctx, stop := context.WithCancel(context.Background())
		if err := st.Follow(ctx); err != nil {
			t.Fatal(err)
		}
		w := &apptest.World{T: t, App: s, Ctx: ctx, Store: st, Stop: stop}
		if i > 0 {
			t.Cleanup(stop)
			others = append(others, w)
			continue
		}
		done := make(chan struct{})
		go func() { defer close(done); s.ServeTasks(ctx) }()
		t.Cleanup(func() { stop(); <-done })
		c.World = w
	}
	return c, others
}

// atMost limits the commands and round trips of an action. Pushes and the commands in aside do not
// count.
type atMost struct {
	commands, trips int
	aside           string // a command whose number depends on the number of entries read
}

// counts repeats an action after prepare and takes the lowest counts, because a server's background
// work can add commands.
func (c *metered) counts(what string, limit atMost, prepare, act func(n int)) {
	c.Helper()
	var least map[string]int
	way := 0
	for n := range 7 {
		prepare(n)
		c.Drain()
		c.redis.Do("CONFIG", "RESETSTAT")
		c.trips.reset()
		act(n)
		way = c.trips.chain(way)
		c.Drain()
		calls := c.commands()
		if least == nil || sum(calls) < sum(least) {
			least = calls
		}
	}
	pushes, aside := least["rpushx"], least[limit.aside]
	commands := sum(least) - pushes - aside
	line := fmt.Sprintf("| %-34s | %3d | %3d | %3d | %2d |", what, commands, pushes, aside, way)
	c.table = append(c.table, line)
	c.Logf("%s %v", line, listed(least))
	if commands > limit.commands || way > limit.trips {
		c.Errorf("%s takes %d commands and %d round trips, want at most %d and %d", what, commands, way, limit.commands, limit.trips)
	}
}

func sum(calls map[string]int) (n int) {
	for _, k := range calls {
		n += k
	}
	return n
}

// listed returns the commands with their numbers.
func listed(calls map[string]int) (out []string) {
	for _, name := range slices.Sorted(maps.Keys(calls)) {
		out = append(out, fmt.Sprint(calls[name], " ", name))
	}
	return out
}

func (c *metered) commands() map[string]int {
	c.Helper()
	return commandsOf(c.T, c.redis)
}

// commandsOf returns the commands that a Redis has executed, without the commands that measure
// them.
func commandsOf(t *testing.T, r *redistest.Server) map[string]int {
	t.Helper()
	calls := map[string]int{}
	for line := range strings.Lines(r.Do("INFO", "commandstats")) {
		name, rest, ok := strings.Cut(line, ":calls=")
		name = strings.TrimPrefix(name, "cmdstat_")
		if beside := strings.HasPrefix(name, "config") || name == "info"; ok && !beside {
			calls[name] = apptest.Must(strconv.Atoi(rest[:strings.IndexByte(rest, ',')]))(t)
		}
	}
	return calls
}

// trips contains the calls of a store to its engine.
type trips struct {
	mu    sync.Mutex
	calls [][2]time.Time // begin and end, ordered by end
}

func (t *trips) note(_ context.Context, call watchkv.Call) {
	now := time.Now()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.calls = append(t.calls, [2]time.Time{now.Add(-call.Took), now})
}

func (t *trips) reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.calls = nil
}

// chain returns the number of sequential calls. Concurrent calls count as one. If before is
// positive, it returns the lower of the two.
func (t *trips) chain(before int) (n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var end time.Time
	for _, c := range t.calls {
		if !c[0].Before(end) {
			n, end = n+1, c[1]
		}
	}
	if before > 0 {
		n = min(n, before)
	}
	return n
}

// TestCommandsOfActs limits the Redis commands and round trips of each action with a warm cache.
// They are the numbers in the table of docs/scaling.md.
func TestCommandsOfActs(t *testing.T) {
	apptest.SkipShort(t)
	c, others := newMetered(t, 2)
	elsewhere := others[0]
	ann, bob := c.Person("ann"), c.Person("bob")
	fans, authors := c.People(10), make([]linnet.ID, 100)
	for i := range authors {
		authors[i] = c.Person(fmt.Sprint("author", i))
		c.Post(authors[i], "first")
		c.Post(authors[i], "second")
	}
	c.Home(ann, 20)
	for _, f := range fans {
		c.Follow(f, ann)
		c.Home(f, 20)
	}
	c.countsOfActs(elsewhere, ann, bob, authors)
	c.countsOfPages(elsewhere, ann, bob, fans, authors)
	t.Log("\n| act | commands | pushes | ranges of profiles | round trips |\n" + strings.Join(c.table, "\n"))
}

func none(int) {}

// countsOfActs counts the actions of bob on authors and on ann, an author with ten followers.
func (c *metered) countsOfActs(elsewhere *apptest.World, ann, bob linnet.ID, authors []linnet.ID) {
	t := c.T
	var s linnet.ID
	fresh := func(int) { // a status that bob has just read
		s = c.Post(ann, "look").ID
		c.Drain()
		c.hear(elsewhere)
		apptest.Must(c.View.Status(c.Ctx, bob, s))(t)
	}
	c.counts("post, 10 followers", atMost{commands: 24, trips: 3}, none, func(n int) { c.Post(ann, "status %d", n) })
	c.counts("… with a key", atMost{commands: 26, trips: 3}, none, func(n int) {
		apptest.Must(c.Posting.Post(c.Ctx, ann, linnet.Draft{Text: fmt.Sprint("sent once ", n), IdempotencyKey: fmt.Sprint("key ", n)}))(t)
	})
	c.counts("favourite", atMost{commands: 22, trips: 3}, fresh, func(int) { apptest.Must(c.Posting.Marks.Favourite(c.Ctx, bob, s))(t) })
	var newcomer linnet.ID
	c.counts("… a reader's first", atMost{commands: 31, trips: 5}, func(n int) {
		fresh(n)
		newcomer = c.Person(fmt.Sprint("newcomer", n))
	}, func(int) { apptest.Must(c.Posting.Marks.Favourite(c.Ctx, newcomer, s))(t) })
	c.counts("unfavourite", atMost{commands: 24, trips: 7}, func(n int) {
		fresh(n)
		apptest.Must(c.Posting.Marks.Favourite(c.Ctx, bob, s))(t)
	}, func(int) { apptest.Must(c.Posting.Marks.Unfavourite(c.Ctx, bob, s))(t) })
	seen := func(n int) {
		c.Drain()
		c.hear(elsewhere)
		apptest.Must(c.View.User(c.Ctx, bob, authors[n]))(t)
		c.Home(bob, 20)
	}
	c.counts("follow", atMost{commands: 35, trips: 6}, seen, func(n int) { c.Follow(bob, authors[n]) })
	for _, a := range authors[7:14] {
		c.Follow(bob, a)
	}
	c.later(2 * timeline.FollowApplied)
	c.counts("unfollow", atMost{commands: 38, trips: 8, aside: "lrem"}, seen, func(n int) { apptest.Must(c.Social.Unfollow(c.Ctx, bob, authors[n]))(t) })
	// Home can be read before the server has received its own change, and is then not cached. This
	// takes four more commands and one wait.
	c.counts("unfollow, and home after it", atMost{commands: 44, trips: 10, aside: "lrem"}, func(n int) { seen(n + 7) }, func(n int) {
		apptest.Must(c.Social.Unfollow(c.Ctx, bob, authors[n+7]))(t)
		c.Home(bob, 20)
	})
}

// countsOfPages counts the pages of ann's followers. In the end, one of them follows authors too.
func (c *metered) countsOfPages(elsewhere *apptest.World, ann, bob linnet.ID, fans, authors []linnet.ID) {
	t := c.T
	home := func(w *apptest.World, me linnet.ID) func(int) {
		return func(int) {
			if page := apptest.Must(w.Reading.Home(w.Ctx, me, linnet.Page{Limit: 20}))(t); len(page.Items) == 0 {
				t.Error("an empty page")
			}
		}
	}
	public := func(int) { apptest.Must(c.Reading.Public(c.Ctx, bob, linnet.PublicQuery{}, linnet.Page{Limit: 20}))(t) }
	home(elsewhere, fans[0])(0)
	public(0)
	c.later(5 * time.Second) // it is not yet known that the newest statuses have no marks
	after := func(n int) { c.Post(ann, "news %d", n) }
	c.counts("home, unchanged", atMost{commands: 1, trips: 1}, none, home(c.World, fans[0]))
	c.counts("home after a post", atMost{commands: 1, trips: 1}, after, home(c.World, fans[0]))
	home(elsewhere, fans[0])(0)
	c.counts("home after a post, another server", atMost{commands: 5, trips: 2}, after, home(elsewhere, fans[0]))
	var shown []linnet.ID
	for _, s := range apptest.Must(c.Reading.Home(c.Ctx, fans[0], linnet.Page{Limit: 20}))(t).Items {
		shown = append(shown, s.ID)
	}
	numbers := func(int) { apptest.Must(c.View.Statuses(c.Ctx, fans[0], shown))(t) }
	numbers(0)
	c.counts("numbers of 20 posts, unchanged", atMost{commands: 0, trips: 0}, none, numbers)
	c.counts("numbers of 20 posts, one changed", atMost{commands: 1, trips: 1}, func(n int) {
		apptest.Must(c.Posting.Marks.Favourite(c.Ctx, fans[n], shown[0]))(t)
		c.Drain()
	}, numbers)
	public(0)
	c.counts("public, unchanged", atMost{commands: 0, trips: 0}, none, public)
	c.counts("public after a post", atMost{commands: 1, trips: 1}, after, public)
	for _, a := range authors {
		c.Follow(fans[1], a)
	}
	c.Drain()
	home(c.World, fans[1])(0)
	c.counts("home of 100 followees, cold", atMost{commands: 12, trips: 5, aside: "zrevrangebyscore"}, func(int) { apptest.ForgetFeeds(c.World, fans[1]) }, home(c.World, fans[1]))
}

// TestCommandsOfAnIdleServer checks that an idle server sends few commands to its Redis, in each
// role.
func TestCommandsOfAnIdleServer(t *testing.T) {
	apptest.SkipShort(t)
	nodes := redistest.Cluster(t, 3, 0)
	for _, c := range []struct {
		name     string
		url      string
		servers  []*redistest.Server
		handOver bool
		most     float64 // commands per second, of all servers
	}{
		{"one Redis", "", []*redistest.Server{redistest.Start(t)}, false, 12},
		{"one Redis, web", "", []*redistest.Server{redistest.Start(t)}, true, 12},
		{"Cluster", nodes.URL(), nodes.All(), false, 24},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.url == "" {
				c.url = c.servers[0].URL()
			}
			e := apptest.OpenRedisWith(t, c.url, rediskv.Options{Guard: true, FeedTTL: 30 * 24 * time.Hour})
			st := store.New(e, store.Options{Shared: true})
			s := apptest.Must(app.New(st, app.Options{Derive: apptest.Derive, PublicURL: "https://linnet.test", Log: apptest.Quiet(), Delegate: c.handOver}))(t)
			ctx, stop := context.WithCancel(context.Background())
			if err := st.Follow(ctx); err != nil {
				t.Fatal(err)
			}
			done := make(chan struct{})
			go func() { defer close(done); s.Run(ctx) }()
			defer func() { stop(); <-done }()
			least, all := math.Inf(1), map[string]int{}
			for range 4 { // a server sends more at its start, and when it looks at all shards
				start := time.Now()
				for _, r := range c.servers {
					r.Do("CONFIG", "RESETSTAT")
				}
				time.Sleep(2500 * time.Millisecond)
				calls := map[string]int{}
				for _, r := range c.servers {
					for name, n := range commandsOf(t, r) {
						calls[name] += n
					}
				}
				if a := float64(sum(calls)) / time.Since(start).Seconds(); a < least {
					least, all = a, calls
				}
			}
			t.Logf("%.1f a second: %v", least, listed(all))
			if least > c.most {
				t.Errorf("%.0f commands a second, want at most %.0f", least, c.most)
			}
		})
	}
}

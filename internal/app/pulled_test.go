package app_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"linnet/internal/app"
	"linnet/internal/app/apptest"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
)

// clocked is a clock that tests move.
type clocked struct{ ahead atomic.Int64 }

func (c *clocked) now() time.Time       { return time.Now().Add(time.Duration(c.ahead.Load())) }
func (c *clocked) turn(d time.Duration) { c.ahead.Add(int64(d)) }
func (c *clocked) set(d time.Duration)  { c.ahead.Store(int64(d)) }

// TestPulledEqualsPushed checks that pulled and pushed authors result in the same pages. One of two
// apps pulls authors with three followers or more.
func TestPulledEqualsPushed(t *testing.T) {
	var pages [2][]string
	var worlds [2]*world
	var stars [2]linnet.ID
	for i, above := range []int64{3, 1 << 40} {
		clock := &clocked{}
		e := memkv.New(memkv.Options{Now: clock.now})
		st := store.New(e, store.Options{Now: clock.now})
		s, err := app.New(st, app.Options{Derive: apptest.Derive, PublicURL: "https://linnet.test", Exclusive: true, PullAbove: above})
		if err != nil {
			t.Fatal(err)
		}
		w := &world{T: t, App: s, ctx: context.Background(), store: st}
		worlds[i] = w
		pages[i], stars[i] = liveThrough(w, clock)
	}
	if !worlds[0].Timeline.Pulls(stars[0]) || worlds[1].Timeline.Pulls(stars[1]) {
		t.Fatal("the first world does not pull, or the second does")
	}
	if len(pages[0]) != len(pages[1]) {
		t.Fatalf("pulled: %d pages, pushed: %d", len(pages[0]), len(pages[1]))
	}
	for i := range pages[0] {
		if pages[0][i] != pages[1][i] {
			t.Errorf("page %d\npulled: %s\npushed: %s", i, pages[0][i], pages[1][i])
		}
	}
}

func liveThrough(w *world, clock *clocked) ([]string, linnet.ID) {
	star, small, reader := w.user("star"), w.user("small"), w.user("reader")
	for i := range 3 {
		w.follow(w.user(fmt.Sprintf("fan%d", i)), star)
	}
	w.follow(reader, star)
	w.follow(reader, small)
	w.home(reader, 20) // warm
	for i := range 90 {
		if i == 10 { // pulling takes effect
			clock.turn(time.Minute)
			if err := w.Reload(w.ctx); err != nil {
				w.Fatal(err)
			}
		}
		clock.turn(3 * time.Millisecond)
		by := star
		if i%3 == 0 {
			by = small
		}
		v := w.post(by, "status %d", i)
		if i%7 == 0 {
			if _, err := w.Posting.Delete(w.ctx, by, v.ID); err != nil {
				w.Fatal(err)
			}
		}
	}
	var out []string
	for _, limit := range []int{1, 7, 20, 40} {
		out = append(out, fmt.Sprint(texts(w.home(reader, limit))))
	}
	out = append(out, rising(w, reader, 9))
	if err := w.store.Feeds.ForgetFeeds(w.ctx, record.HomeKey(reader)); err != nil {
		w.Fatal(err)
	}
	for range 2 { // cold, then warm again
		out = append(out, fmt.Sprint(texts(w.home(reader, 20))))
	}
	return out, star
}

// rising pages from the oldest status upwards with min_id.
func rising(w *world, me linnet.ID, limit int) string {
	w.Helper()
	all := w.home(me, 40)
	var up []string
	at := linnet.CursorOf(all[len(all)-1].ID)
	for range 1000 {
		s, err := w.Reading.Home(w.ctx, me, linnet.Page{Min: at, Limit: limit})
		if err != nil {
			w.Fatal(err)
		}
		if len(s.Items) == 0 {
			return fmt.Sprint(up)
		}
		up = append(texts(s.Items), up...)
		at = s.First
	}
	w.Fatal("rising pages do not end")
	return ""
}

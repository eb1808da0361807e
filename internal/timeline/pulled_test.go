package timeline_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"linnet/internal/app"
	"linnet/internal/app/apptest"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
)

// TestPulledEqualsPushed checks that pulled and pushed authors result in the same pages. One of two
// apps pulls authors with three followers or more.
func TestPulledEqualsPushed(t *testing.T) {
	var pages [2][]string
	var worlds [2]*apptest.World
	var stars [2]linnet.ID
	for i, above := range []int64{3, 1 << 40} {
		clock := &apptest.Clock{}
		e := memkv.New(memkv.Options{Now: clock.Now})
		st := store.New(e, store.Options{Now: clock.Now})
		s, err := app.New(st, app.Options{Derive: apptest.Derive, PublicURL: "https://linnet.test", Exclusive: true, PullAbove: above})
		if err != nil {
			t.Fatal(err)
		}
		w := &apptest.World{T: t, App: s, Ctx: context.Background(), Store: st}
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

func liveThrough(w *apptest.World, clock *apptest.Clock) ([]string, linnet.ID) {
	star, small, reader := w.User("star"), w.User("small"), w.User("reader")
	for i := range 3 {
		w.Follow(w.User(fmt.Sprintf("fan%d", i)), star)
	}
	w.Follow(reader, star)
	w.Follow(reader, small)
	w.Home(reader, 20) // warm
	for i := range 90 {
		if i == 10 { // pulling takes effect
			clock.Advance(time.Minute)
			if err := w.Reload(w.Ctx); err != nil {
				w.Fatal(err)
			}
		}
		clock.Advance(3 * time.Millisecond)
		by := star
		if i%3 == 0 {
			by = small
		}
		v := w.Post(by, "status %d", i)
		if i%7 == 0 {
			if _, err := w.Posting.Delete(w.Ctx, by, v.ID); err != nil {
				w.Fatal(err)
			}
		}
	}
	var out []string
	for _, limit := range []int{1, 7, 20, 40} {
		out = append(out, fmt.Sprint(apptest.Texts(w.Home(reader, limit))))
	}
	out = append(out, rising(w, reader, 9))
	if err := w.Store.Feeds.ForgetFeeds(w.Ctx, record.HomeKey(reader)); err != nil {
		w.Fatal(err)
	}
	for range 2 { // cold, then warm again
		out = append(out, fmt.Sprint(apptest.Texts(w.Home(reader, 20))))
	}
	return out, star
}

// rising pages from the oldest status upwards with min_id.
func rising(w *apptest.World, me linnet.ID, limit int) string {
	w.Helper()
	all := w.Home(me, 40)
	var up []string
	at := linnet.CursorOf(all[len(all)-1].ID)
	for range 1000 {
		s, err := w.Reading.Home(w.Ctx, me, linnet.Page{Min: at, Limit: limit})
		if err != nil {
			w.Fatal(err)
		}
		if len(s.Items) == 0 {
			return fmt.Sprint(up)
		}
		up = append(apptest.Texts(s.Items), up...)
		at = s.First
	}
	w.Fatal("rising pages do not end")
	return ""
}

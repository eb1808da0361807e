package app_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"linnet/internal/app"
	"linnet/internal/app/apptest"
	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/kv/rediskv"
	"linnet/internal/kv/redistest"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// TestHomeIsNeverStale checks that the first page of home, with counts and marks, is never older on
// a caching server than on one without caches, after any action. Pages are read before each action
// to fill the caches.
func TestHomeIsNeverStale(t *testing.T) {
	acts := 400
	if testing.Short() {
		acts = 100
	}
	t.Run("memory", func(t *testing.T) {
		for seed := range uint64(3) {
			e := memkv.New(memkv.Options{})
			neverStale(t, e, e, store.Options{}, seed, acts)
		}
	})
	t.Run("disk", func(t *testing.T) {
		e := apptest.OpenDisk(t)
		neverStale(t, e, e, store.Options{}, 11, acts/2)
	})
	t.Run("redis", func(t *testing.T) {
		url := redistest.Single(t)
		neverStale(t, apptest.OpenRedis(t, url, ""), apptest.OpenRedisWith(t, url, rediskv.Options{}), store.Options{Shared: true}, 12, acts/4)
	})
}

// neverStale performs random actions on a server over e, and compares its pages with a server over
// plain. On Redis, plain stores no feeds.
func neverStale(t *testing.T, e, plain kv.Engine, opt store.Options, seed uint64, acts int) {
	t.Helper()
	w := apptest.NewWith(t, e, opt)
	if err := w.Store.Follow(w.Ctx); err != nil {
		t.Fatal(err)
	}
	// The other server receives no changes, so it caches nothing.
	fresh := apptest.Must(app.New(store.New(plain, store.Options{Shared: true}), app.Options{Derive: apptest.Derive, PublicURL: "https://linnet.test", Log: apptest.Quiet()}))(t)
	r := &randomWorld{World: w, Model: apptest.NewModel(), rnd: rand.New(rand.NewPCG(seed, 1)), lists: map[linnet.ID]linnet.ID{}}
	r.people = w.People(5)
	for i, p := range r.people {
		r.lists[p] = w.List(p, linnet.ListChange{Exclusive: new(i == 0)})
	}
	for i := range acts {
		for _, p := range r.people {
			w.Home(p, 20)
		}
		what := r.actOrMark(i)
		for _, p := range r.people {
			got, want := r.shownHome(w.App, p), r.shownHome(fresh, p)
			if got != want {
				t.Fatalf("seed %d, after act %d (%s) the home of %v is\n%s\ninstead of\n%s", seed, i, what, p, got, want)
			}
		}
	}
}

// shownHome returns a page of home in text form.
func (r *randomWorld) shownHome(s *app.App, who linnet.ID) string {
	r.Helper()
	page := apptest.Must(s.Reading.Home(r.Ctx, who, linnet.Page{Limit: 20}))(r)
	var out string
	for _, v := range page.Items {
		out += describe(r.T, &v) + "\n"
	}
	return out + fmt.Sprint(page.First, page.Last)
}

func describe(t *testing.T, v *linnet.StatusView) string {
	shared := *v.SharedStatus
	by := shared.By.UserView
	shared.By, shared.Memo, shared.Plain = nil, nil, nil
	text := string(apptest.Must(json.Marshal([]any{shared, by, v.Favourited, v.Reposted, v.Bookmarked, v.Filtered}))(t))
	if v.Repost != nil {
		text += " of " + describe(t, v.Repost)
	}
	return text
}

// actOrMark performs an action of the model or another action that changes pages.
func (r *randomWorld) actOrMark(i int) string {
	who := r.pick()
	if r.rnd.IntN(2) == 0 {
		r.act()
		return "act"
	}
	s := r.readable(who)
	switch n := r.rnd.IntN(8); {
	case n == 7:
		return r.blocksOrMutes(who, r.pick())
	case n >= 5:
		return r.filters(who)
	case n == 4:
		apptest.Must(r.Social.Profiles.Update(r.Ctx, who, linnet.ProfileChange{Name: new(fmt.Sprint("Name ", i))}))(r)
		return "profile"
	case s == nil:
		return "nothing"
	default:
		act := []struct {
			name string
			do   func() (linnet.StatusView, error)
		}{
			{"favourite", func() (linnet.StatusView, error) { return r.Posting.Marks.Favourite(r.Ctx, who, s.ID) }},
			{"unfavourite", func() (linnet.StatusView, error) { return r.Posting.Marks.Unfavourite(r.Ctx, who, s.ID) }},
			{"bookmark", func() (linnet.StatusView, error) { return r.Posting.Marks.Bookmark(r.Ctx, who, s.ID) }},
			{"unbookmark", func() (linnet.StatusView, error) { return r.Posting.Marks.Unbookmark(r.Ctx, who, s.ID) }},
		}[n]
		_, err := act.do()
		if linnet.KindOf(err) != linnet.NotFound {
			apptest.Must(0, err)(r)
		}
		return act.name
	}
}

// blocksOrMutes adds or removes a block or mute. A block also ends follows in the model.
func (r *randomWorld) blocksOrMutes(who, other linnet.ID) string {
	if who == other {
		return "nothing"
	}
	now := apptest.Must(r.Social.Relationships(r.Ctx, who, []linnet.ID{other}))(r)[0]
	switch {
	case now.Blocking:
		apptest.Must(r.Social.Unblock(r.Ctx, who, other))(r)
		delete(r.Blocks, [2]linnet.ID{who, other})
		return "unblock"
	case now.Muting && r.rnd.IntN(2) == 0:
		apptest.Must(r.Social.Unmute(r.Ctx, who, other))(r)
		return "unmute"
	case r.rnd.IntN(2) == 0:
		apptest.Must(r.Social.Mute(r.Ctx, who, other, linnet.MuteOptions{Notices: r.rnd.IntN(2) == 0}))(r)
		return "mute"
	}
	apptest.Must(r.Social.Block(r.Ctx, who, other))(r)
	r.Blocks[[2]linnet.ID{who, other}] = true
	for _, key := range [][2]linnet.ID{{who, other}, {other, who}} {
		delete(r.Follows, key)
		delete(r.Muted, key)
		delete(r.Exclusive, key)
	}
	return "block"
}

// filters adds, changes or deletes a filter of a user.
func (r *randomWorld) filters(who linnet.ID) string {
	all := apptest.Must(r.Reading.Filters(r.Ctx, who))(r)
	keywords := []linnet.KeywordChange{{Keyword: new(fmt.Sprint(r.rnd.IntN(10))), WholeWord: new(false)}}
	switch n := r.rnd.IntN(4); {
	case len(all) == 3 || len(all) > 0 && n == 0:
		apptest.Must(0, r.Reading.DeleteFilter(r.Ctx, who, all[0].ID))(r)
		return "filter deleted"
	case len(all) > 0 && n == 1:
		places := []linnet.FilterContext{linnet.FilterHome, linnet.FilterPublic, linnet.FilterEverywhere}
		apptest.Must(r.Reading.UpdateFilter(r.Ctx, who, all[0].ID, linnet.FilterChange{Context: &places[r.rnd.IntN(3)], Keywords: keywords}))(r)
		return "filter changed"
	}
	apptest.Must(r.Reading.CreateFilter(r.Ctx, who, linnet.FilterChange{Title: new("x"), Context: new(linnet.FilterHome), Keywords: keywords}))(r)
	return "filter"
}

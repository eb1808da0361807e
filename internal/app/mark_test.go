package app_test

import (
	"fmt"
	"sync"
	"testing"

	"linnet/internal/linnet"
)

// TestFavouriteRaces checks that counts match the favourites on both sides after a hundred users
// have added and removed them concurrently.
func TestFavouriteRaces(t *testing.T) { onEngines(t, favouriteRaces) }

func favouriteRaces(w *world) {
	s := w.post(w.person("author"), "liked").ID
	fans := w.people(20)
	var wg sync.WaitGroup
	for g := range 100 {
		wg.Go(func() {
			who := fans[g%20]
			for i := range 4 {
				act := w.Posting.Marks.Favourite
				if (g/20+i)%2 == 1 {
					act = w.Posting.Marks.Unfavourite
				}
				if _, err := act(w.ctx, who, s); err != nil {
					w.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	w.drain()
	have := int64(0)
	for _, f := range fans {
		v := must(w.View.Status(w.ctx, f, s))(w)
		mine := must(w.Posting.Marks.Favourites(w.ctx, f, linnet.Page{}))(w)
		if v.Favourited != (len(mine.Items) == 1) {
			w.Errorf("favourited %v, among %d favourites", v.Favourited, len(mine.Items))
		}
		if v.Favourited {
			have++
		}
	}
	by := must(w.Posting.Marks.FavouritedBy(w.ctx, 0, s, linnet.Page{}))(w)
	if v := must(w.View.Status(w.ctx, 0, s))(w); v.Favourites != have || int64(len(by.Items)) != have {
		w.Errorf("%d have it, counted %d, listed %d", have, v.Favourites, len(by.Items))
	}
	w.check()
}

// TestMarksAreIdempotent checks that repeated marks change nothing, and that a repeated repost
// returns the first one.
func TestMarksAreIdempotent(t *testing.T) {
	onEngines(t, func(w *world) {
		ann, bob := w.person("ann"), w.person("bob")
		s := w.post(ann, "x").ID
		var reposts []linnet.ID
		for range 3 {
			must(w.Posting.Marks.Favourite(w.ctx, bob, s))(w)
			must(w.Posting.Marks.Bookmark(w.ctx, bob, s))(w)
			reposts = append(reposts, must(w.Posting.Repost(w.ctx, bob, s, nil))(w).ID)
		}
		if reposts[1] != reposts[0] || reposts[2] != reposts[0] {
			w.Errorf("reposts %v", reposts)
		}
		v := must(w.View.Status(w.ctx, bob, reposts[0]))(w)
		if !v.Favourited || !v.Reposted || !v.Bookmarked || v.Repost.Favourites != 1 || v.Repost.Reposts != 1 {
			w.Errorf("%+v of %+v", v, v.Repost)
		}
		if o := must(w.View.Status(w.ctx, ann, s))(w); o.Favourited || o.Reposted || o.Bookmarked {
			w.Errorf("others' marks are shown: %+v", o)
		}
		must(w.Posting.Marks.Favourite(w.ctx, ann, reposts[0]))(w) // favourites the original
		if v := must(w.View.Status(w.ctx, ann, s))(w); v.Favourites != 2 {
			w.Errorf("%d favourites", v.Favourites)
		}
		if n := must(w.View.User(w.ctx, 0, bob))(w).Statuses; n != 1 {
			w.Errorf("bob has %d statuses", n)
		}
		for _, of := range []linnet.ID{reposts[0], s, s} {
			must(w.Posting.Marks.Unfavourite(w.ctx, bob, of))(w)
			must(w.Posting.Marks.Unbookmark(w.ctx, bob, of))(w)
			must(w.Posting.Unrepost(w.ctx, bob, s))(w)
		}
		w.drain()
		v = must(w.View.Status(w.ctx, bob, s))(w)
		if v.Favourited || v.Reposted || v.Bookmarked || v.Favourites != 1 || v.Reposts != 0 {
			w.Errorf("%+v", v)
		}
		if b := must(w.Posting.Marks.Bookmarks(w.ctx, bob, linnet.Page{}))(w); len(b.Items) != 0 {
			w.Errorf("%d bookmarks", len(b.Items))
		}
		w.check()
	})
}

// TestRepostRaces checks that a concurrent repost and unrepost leave one of the two results and
// never report a missing status.
func TestRepostRaces(t *testing.T) {
	onEngines(t, func(w *world) {
		ann, bob := w.person("ann"), w.person("bob")
		s := w.post(ann, "x").ID
		var wg sync.WaitGroup
		for g := range 12 {
			wg.Go(func() {
				for range 8 {
					var err error
					if g%2 == 0 {
						_, err = w.Posting.Repost(w.ctx, bob, s, nil)
					} else {
						_, err = w.Posting.Unrepost(w.ctx, bob, s)
					}
					if err != nil && linnet.KindOf(err) != linnet.Conflict {
						w.Error(err)
					}
				}
			})
		}
		wg.Wait()
		w.drain()
		n := int64(0)
		if must(w.View.Status(w.ctx, bob, s))(w).Reposted {
			n = 1
		}
		v, u := must(w.View.Status(w.ctx, 0, s))(w), must(w.View.User(w.ctx, 0, bob))(w)
		if v.Reposts != n || u.Statuses != n {
			w.Errorf("reposted %d times, counted %d and %d", n, v.Reposts, u.Statuses)
		}
		w.check()
	})
}

func TestRepostRules(t *testing.T) {
	w := memWorld(t)
	ann, bob, cat := w.person("ann"), w.person("bob"), w.person("cat")
	w.follow(bob, ann)
	w.follow(cat, ann)
	private := w.draft(ann, linnet.Draft{Text: "private", Visibility: new(linnet.Private)}).ID
	direct := w.draft(ann, linnet.Draft{Text: "direct @bob", Visibility: new(linnet.Direct)}).ID
	for _, id := range []linnet.ID{private, direct} {
		_, err := w.Posting.Repost(w.ctx, bob, id, nil)
		kindIs(t, err, linnet.Invalid)
	}
	_, err := w.Posting.Repost(w.ctx, ann, direct, nil)
	kindIs(t, err, linnet.Invalid)
	v := must(w.Posting.Repost(w.ctx, ann, private, new(linnet.Public)))(t)
	if v.Visibility != linnet.Private {
		t.Errorf("a repost of a private status is %v", v.Visibility)
	}
	_, err = w.View.Status(w.ctx, w.person("stranger"), v.ID)
	kindIs(t, err, linnet.NotFound)
	must(w.View.Status(w.ctx, cat, v.ID))(t)
	quiet := must(w.Posting.Repost(w.ctx, bob, w.post(cat, "loud").ID, new(linnet.Direct)))(t)
	if quiet.Visibility != linnet.Private {
		t.Errorf("a repost is %v", quiet.Visibility)
	}
}

// TestMarkedPages checks that marks are listed in the order in which they were made, page by page.
func TestMarkedPages(t *testing.T) {
	onEngines(t, func(w *world) {
		ann := w.person("ann")
		var all []linnet.ID
		for i := range 30 {
			all = append(all, w.post(ann, "%d", i).ID)
		}
		fan := w.person("fan")
		for i := range 30 { // not in the order of the statuses
			id := all[i*7%30]
			must(w.Posting.Marks.Favourite(w.ctx, fan, id))(w)
			must(w.Posting.Marks.Bookmark(w.ctx, fan, id))(w)
			w.nextMillisecond() // marks of one millisecond are ordered by status
		}
		must(w.Posting.Delete(w.ctx, ann, all[0]))(w)
		w.drain()
		for name, read := range map[string]func(linnet.Page) (linnet.Slice[linnet.StatusView], error){
			"favourites": func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
				return w.Posting.Marks.Favourites(w.ctx, fan, p)
			},
			"bookmarks": func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
				return w.Posting.Marks.Bookmarks(w.ctx, fan, p)
			},
		} {
			var got []linnet.ID
			for p := (linnet.Page{Limit: 4}); ; {
				s := must(read(p))(w)
				got = append(got, ids(s.Items)...)
				if s.Last == "" {
					break
				}
				p.Max = s.Last
			}
			if len(got) != 29 {
				w.Errorf("%s: %d: %v", name, len(got), got)
			}
			top := must(read(linnet.Page{Limit: 3}))(w)
			if fmt.Sprint(ids(top.Items)) != fmt.Sprint([]linnet.ID{all[29*7%30], all[28*7%30], all[27*7%30]}) {
				w.Errorf("%s: the latest are %v", name, ids(top.Items))
			}
			if up := must(read(linnet.Page{Min: top.Last, Limit: 10}))(w); len(up.Items) != 2 {
				w.Errorf("%s: %d above the third", name, len(up.Items))
			}
		}
		w.check()
	})
}

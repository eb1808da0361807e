package posting_test

import (
	"fmt"
	"sync"
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
)

// TestFavouriteRaces checks that counts match the favourites on both sides after a hundred users
// have added and removed them concurrently.
func TestFavouriteRaces(t *testing.T) { apptest.OnEngines(t, favouriteRaces) }

func favouriteRaces(w *apptest.World) {
	s := w.Post(w.Person("author"), "liked").ID
	fans := w.People(20)
	var wg sync.WaitGroup
	for g := range 100 {
		wg.Go(func() {
			who := fans[g%20]
			for i := range 4 {
				act := w.Posting.Marks.Favourite
				if (g/20+i)%2 == 1 {
					act = w.Posting.Marks.Unfavourite
				}
				if _, err := act(w.Ctx, who, s); err != nil {
					w.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	w.Drain()
	have := int64(0)
	for _, f := range fans {
		v := apptest.Must(w.View.Status(w.Ctx, f, s))(w)
		mine := apptest.Must(w.Posting.Marks.Favourites(w.Ctx, f, linnet.Page{}))(w)
		if v.Favourited != (len(mine.Items) == 1) {
			w.Errorf("favourited %v, among %d favourites", v.Favourited, len(mine.Items))
		}
		if v.Favourited {
			have++
		}
	}
	by := apptest.Must(w.Posting.Marks.FavouritedBy(w.Ctx, 0, s, linnet.Page{}))(w)
	if v := apptest.Must(w.View.Status(w.Ctx, 0, s))(w); v.Favourites != have || int64(len(by.Items)) != have {
		w.Errorf("%d have it, counted %d, listed %d", have, v.Favourites, len(by.Items))
	}
	w.Check()
}

// TestMarksAreIdempotent checks that repeated marks change nothing, and that a repeated repost
// returns the first one.
func TestMarksAreIdempotent(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann, bob := w.Person("ann"), w.Person("bob")
		s := w.Post(ann, "x").ID
		var reposts []linnet.ID
		for range 3 {
			apptest.Must(w.Posting.Marks.Favourite(w.Ctx, bob, s))(w)
			apptest.Must(w.Posting.Marks.Bookmark(w.Ctx, bob, s))(w)
			reposts = append(reposts, apptest.Must(w.Posting.Repost(w.Ctx, bob, s, nil))(w).ID)
		}
		if reposts[1] != reposts[0] || reposts[2] != reposts[0] {
			w.Errorf("reposts %v", reposts)
		}
		v := apptest.Must(w.View.Status(w.Ctx, bob, reposts[0]))(w)
		if !v.Favourited || !v.Reposted || !v.Bookmarked || v.Repost.Favourites != 1 || v.Repost.Reposts != 1 {
			w.Errorf("%+v of %+v", v, v.Repost)
		}
		if o := apptest.Must(w.View.Status(w.Ctx, ann, s))(w); o.Favourited || o.Reposted || o.Bookmarked {
			w.Errorf("others' marks are shown: %+v", o)
		}
		apptest.Must(w.Posting.Marks.Favourite(w.Ctx, ann, reposts[0]))(w) // favourites the original
		if v := apptest.Must(w.View.Status(w.Ctx, ann, s))(w); v.Favourites != 2 {
			w.Errorf("%d favourites", v.Favourites)
		}
		if n := apptest.Must(w.View.User(w.Ctx, 0, bob))(w).Statuses; n != 1 {
			w.Errorf("bob has %d statuses", n)
		}
		for _, of := range []linnet.ID{reposts[0], s, s} {
			apptest.Must(w.Posting.Marks.Unfavourite(w.Ctx, bob, of))(w)
			apptest.Must(w.Posting.Marks.Unbookmark(w.Ctx, bob, of))(w)
			apptest.Must(w.Posting.Unrepost(w.Ctx, bob, s))(w)
		}
		w.Drain()
		v = apptest.Must(w.View.Status(w.Ctx, bob, s))(w)
		if v.Favourited || v.Reposted || v.Bookmarked || v.Favourites != 1 || v.Reposts != 0 {
			w.Errorf("%+v", v)
		}
		if b := apptest.Must(w.Posting.Marks.Bookmarks(w.Ctx, bob, linnet.Page{}))(w); len(b.Items) != 0 {
			w.Errorf("%d bookmarks", len(b.Items))
		}
		w.Check()
	})
}

// TestRepostRaces checks that a concurrent repost and unrepost leave one of the two results and
// never report a missing status.
func TestRepostRaces(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann, bob := w.Person("ann"), w.Person("bob")
		s := w.Post(ann, "x").ID
		var wg sync.WaitGroup
		for g := range 12 {
			wg.Go(func() {
				for range 8 {
					var err error
					if g%2 == 0 {
						_, err = w.Posting.Repost(w.Ctx, bob, s, nil)
					} else {
						_, err = w.Posting.Unrepost(w.Ctx, bob, s)
					}
					if err != nil && linnet.KindOf(err) != linnet.Conflict {
						w.Error(err)
					}
				}
			})
		}
		wg.Wait()
		w.Drain()
		n := int64(0)
		if apptest.Must(w.View.Status(w.Ctx, bob, s))(w).Reposted {
			n = 1
		}
		v, u := apptest.Must(w.View.Status(w.Ctx, 0, s))(w), apptest.Must(w.View.User(w.Ctx, 0, bob))(w)
		if v.Reposts != n || u.Statuses != n {
			w.Errorf("reposted %d times, counted %d and %d", n, v.Reposts, u.Statuses)
		}
		w.Check()
	})
}

func TestRepostRules(t *testing.T) {
	w := apptest.InMemory(t)
	ann, bob, cat := w.Person("ann"), w.Person("bob"), w.Person("cat")
	w.Follow(bob, ann)
	w.Follow(cat, ann)
	private := w.Draft(ann, linnet.Draft{Text: "private", Visibility: new(linnet.Private)}).ID
	direct := w.Draft(ann, linnet.Draft{Text: "direct @bob", Visibility: new(linnet.Direct)}).ID
	for _, id := range []linnet.ID{private, direct} {
		_, err := w.Posting.Repost(w.Ctx, bob, id, nil)
		apptest.WantKind(t, err, linnet.Invalid)
	}
	_, err := w.Posting.Repost(w.Ctx, ann, direct, nil)
	apptest.WantKind(t, err, linnet.Invalid)
	v := apptest.Must(w.Posting.Repost(w.Ctx, ann, private, new(linnet.Public)))(t)
	if v.Visibility != linnet.Private {
		t.Errorf("a repost of a private status is %v", v.Visibility)
	}
	_, err = w.View.Status(w.Ctx, w.Person("stranger"), v.ID)
	apptest.WantKind(t, err, linnet.NotFound)
	apptest.Must(w.View.Status(w.Ctx, cat, v.ID))(t)
	quiet := apptest.Must(w.Posting.Repost(w.Ctx, bob, w.Post(cat, "loud").ID, new(linnet.Direct)))(t)
	if quiet.Visibility != linnet.Private {
		t.Errorf("a repost is %v", quiet.Visibility)
	}
}

// TestMarkedPages checks that marks are listed in the order in which they were made, page by page.
func TestMarkedPages(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann := w.Person("ann")
		var all []linnet.ID
		for i := range 30 {
			all = append(all, w.Post(ann, "%d", i).ID)
		}
		fan := w.Person("fan")
		for i := range 30 { // not in the order of the statuses
			id := all[i*7%30]
			apptest.Must(w.Posting.Marks.Favourite(w.Ctx, fan, id))(w)
			apptest.Must(w.Posting.Marks.Bookmark(w.Ctx, fan, id))(w)
			w.NextMillisecond() // marks of one millisecond are ordered by status
		}
		apptest.Must(w.Posting.Delete(w.Ctx, ann, all[0]))(w)
		w.Drain()
		for name, read := range map[string]func(linnet.Page) (linnet.Slice[linnet.StatusView], error){
			"favourites": func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
				return w.Posting.Marks.Favourites(w.Ctx, fan, p)
			},
			"bookmarks": func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
				return w.Posting.Marks.Bookmarks(w.Ctx, fan, p)
			},
		} {
			var got []linnet.ID
			for p := (linnet.Page{Limit: 4}); ; {
				s := apptest.Must(read(p))(w)
				got = append(got, apptest.IDs(s.Items)...)
				if s.Last == "" {
					break
				}
				p.Max = s.Last
			}
			if len(got) != 29 {
				w.Errorf("%s: %d: %v", name, len(got), got)
			}
			top := apptest.Must(read(linnet.Page{Limit: 3}))(w)
			if fmt.Sprint(apptest.IDs(top.Items)) != fmt.Sprint([]linnet.ID{all[29*7%30], all[28*7%30], all[27*7%30]}) {
				w.Errorf("%s: the latest are %v", name, apptest.IDs(top.Items))
			}
			if up := apptest.Must(read(linnet.Page{Min: top.Last, Limit: 10}))(w); len(up.Items) != 2 {
				w.Errorf("%s: %d above the third", name, len(up.Items))
			}
		}
		w.Check()
	})
}

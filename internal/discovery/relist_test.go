package discovery_test

import (
	"fmt"
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
)

// fullPages reads a timeline page by page. It fails if a page before the last one is not full.
func fullPages(w *apptest.World, limit int, page func(linnet.Page) (linnet.Slice[linnet.StatusView], error)) []linnet.ID {
	w.Helper()
	return apptest.IDs(w.Pages(limit, func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
		s, err := page(p)
		if err == nil && len(s.Items) < limit && s.Last != "" {
			w.Errorf("%d of %d on a page below %q before the end", len(s.Items), limit, p.Max)
		}
		return s, err
	}))
}

func linkPages(w *apptest.World, viewer linnet.ID, limit int) []linnet.ID {
	w.Helper()
	return fullPages(w, limit, func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
		return w.Trends.LinkTimeline(w.Ctx, viewer, apptest.TrendingLink, p)
	})
}

// publicPages returns the public timelines, each read page by page.
func publicPages(w *apptest.World, viewer linnet.ID, limit int) map[string][]linnet.ID {
	w.Helper()
	read := func(page func(linnet.Page) (linnet.Slice[linnet.StatusView], error)) []linnet.ID {
		return fullPages(w, limit, page)
	}
	return map[string][]linnet.ID{
		"public": read(func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
			return w.Reading.Public(w.Ctx, viewer, linnet.PublicQuery{}, p)
		}),
		"tag": read(func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
			return w.Reading.Tag(w.Ctx, viewer, linnet.TagQuery{Tag: "tag"}, p)
		}),
	}
}

// TestSilencedAuthorsLeavePublicTimelines checks that public timelines are full after a prolific
// author was silenced or suspended. The author's statuses are removed from them and return later.
func TestSilencedAuthorsLeavePublicTimelines(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		people := append(w.People(3), w.Person("eve")) // three authors make the link trend
		eve := people[3]
		var hers []linnet.ID
		all := map[linnet.ID]bool{}
		for i := range 30 {
			id := w.Post(people[i%3], "#tag %s %d", apptest.TrendingLink, i).ID
			hers, all[id] = append([]linnet.ID{id}, hers...), true
		}
		for i := range 600 {
			all[w.Post(eve, "#tag %s %d", apptest.TrendingLink, i).ID] = true
		}
		w.Drain()
		w.OK(w.Trends.HandOn(w.Ctx))
		for _, c := range []struct{ act, back linnet.Moderation }{{linnet.Silence, linnet.Unsilence}, {linnet.Suspend, linnet.Unsuspend}} {
			w.OK(w.Moderate(linnet.Operator(), eve, c.act))
			w.Drain()
			for name, got := range publicPages(w, 0, 10) {
				apptest.Equal(w, fmt.Sprintf("%s after %v", name, c.act), got, hers)
			}
			apptest.Equal(w, fmt.Sprintf("link after %v", c.act), linkPages(w, 0, 10), hers)
			for _, key := range []string{"public", "tag", "link"} {
				if n := len(w.Listed(key)); n != 30 {
					w.Errorf("after %v, %d statuses are kept in the %s timeline", c.act, n, key)
				}
			}
			w.Check()
			w.OK(w.Moderate(linnet.Operator(), eve, c.back))
			w.Drain()
			pages := publicPages(w, 0, 40)
			pages["link"] = linkPages(w, 0, 40)
			for name, got := range pages {
				if len(got) != len(all) {
					w.Errorf("after %v, %s shows %d of %d", c.back, name, len(got), len(all))
				}
			}
			w.Check()
		}
	})
}

// TestPostsWhileSilenced checks that new statuses of a silenced author are not added to public
// timelines until the measure ends.
func TestPostsWhileSilenced(t *testing.T) {
	w := apptest.InMemory(t)
	eve := w.Person("eve")
	w.OK(w.Moderate(linnet.Operator(), eve, linnet.Silence))
	w.Drain()
	id := w.Post(eve, "#tag").ID
	w.Drain()
	for _, name := range []string{"public", "tag"} {
		apptest.Equal(w, name, w.Listed(name), nil)
	}
	w.Check()
	w.OK(w.Moderate(linnet.Operator(), eve, linnet.Unsilence))
	w.Drain()
	for _, name := range []string{"public", "tag"} {
		apptest.Equal(w, name, w.Listed(name), []linnet.ID{id})
	}
	w.Check()
}

// TestPagesPastManyHiddenEntries checks that pages are full as long as visible entries exist,
// behind any number of hidden ones: in public timelines, home, lists and profiles.
func TestPagesPastManyHiddenEntries(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann, eve, me := w.Person("ann"), w.Person("eve"), w.Person("me")
		w.Follow(me, eve)
		w.Follow(me, ann)
		list := w.List(me, linnet.ListChange{})
		w.AddTo(me, list, ann)
		w.AddTo(me, list, eve)
		var hers []linnet.ID
		for i := range 25 {
			hers = append([]linnet.ID{w.Post(ann, "#tag %d", i).ID}, hers...)
		}
		old := w.Post(eve, "old").ID
		const many = 900
		for i := range many {
			w.Post(eve, "#tag %d", i)
		}
		w.Drain()
		apptest.Must(w.Social.Mute(w.Ctx, me, eve, linnet.MuteOptions{}))(w)
		for _, limit := range []int{1, 20, 40} {
			for name, got := range publicPages(w, me, limit) {
				apptest.Equal(w, fmt.Sprint(name, " of a muter by ", limit), got, hers)
			}
			apptest.Equal(w, fmt.Sprint("home of a muter by ", limit), apptest.IDs(w.Home(me, limit)), hers)
			apptest.Equal(w, fmt.Sprint("list of a muter by ", limit), apptest.IDs(w.Pages(limit, func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
				return w.Feeds.ListTimeline(w.Ctx, me, list, p)
			})), hers)
		}
		stranger := w.Person("stranger")
		for i, v := range []linnet.Visibility{linnet.Private, linnet.Direct} {
			for range many {
				w.Draft(ann, linnet.Draft{Text: "hidden", Visibility: &v})
			}
			hers = append([]linnet.ID{w.Post(ann, "after %d", i).ID}, hers...)
		}
		w.Drain()
		for _, viewer := range []linnet.ID{0, stranger} {
			for _, limit := range []int{1, 20} {
				got := w.Pages(limit, func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
					s, err := w.Reading.Profile(w.Ctx, viewer, ann, linnet.ProfileFilter{}, p)
					if err == nil && len(s.Items) < limit && s.Last != "" {
						w.Errorf("%d of %d on a page before the end", len(s.Items), limit)
					}
					return s, err
				})
				apptest.Equal(w, fmt.Sprint("profile for ", viewer, " by ", limit), apptest.IDs(got), hers)
			}
		}
		if got := apptest.Must(w.Reading.Profile(w.Ctx, me, eve, linnet.ProfileFilter{}, linnet.Page{Max: linnet.CursorOf(old + 1), Limit: 1}))(w); len(got.Items) != 1 {
			w.Errorf("a muted author's profile: %v", got.Items)
		}
	})
}

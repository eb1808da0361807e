package app_test

import (
	"fmt"
	"testing"

	"linnet/internal/linnet"
	"linnet/internal/store/db"
)

// fullPages reads a timeline page by page. It fails if a page before the last one is not full.
func (w *world) fullPages(limit int, page func(linnet.Page) (linnet.Slice[linnet.StatusView], error)) []linnet.ID {
	w.Helper()
	return ids(w.pages(limit, func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
		s, err := page(p)
		if err == nil && len(s.Items) < limit && s.Last != "" {
			w.Errorf("%d of %d on a page below %q before the end", len(s.Items), limit, p.Max)
		}
		return s, err
	}))
}

// trendingLink is the link whose timeline linkPages reads.
const trendingLink = "https://news.test/bird"

func (w *world) linkPages(viewer linnet.ID, limit int) []linnet.ID {
	w.Helper()
	return w.fullPages(limit, func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
		return w.Trends.LinkTimeline(w.ctx, viewer, trendingLink, p)
	})
}

// publicPages returns the public timelines, each read page by page.
func (w *world) publicPages(viewer linnet.ID, limit int) map[string][]linnet.ID {
	w.Helper()
	read := func(page func(linnet.Page) (linnet.Slice[linnet.StatusView], error)) []linnet.ID {
		return w.fullPages(limit, page)
	}
	return map[string][]linnet.ID{
		"public": read(func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
			return w.Reading.Public(w.ctx, viewer, linnet.PublicQuery{}, p)
		}),
		"tag": read(func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
			return w.Reading.Tag(w.ctx, viewer, linnet.TagQuery{Tag: "tag"}, p)
		}),
	}
}

// TestSilencedAuthorsLeavePublicTimelines checks that public timelines are full after a prolific
// author was silenced or suspended. The author's statuses are removed from them and return later.
func TestSilencedAuthorsLeavePublicTimelines(t *testing.T) {
	onEngines(t, func(w *world) {
		people := append(w.people(3), w.person("eve")) // three authors make the link trend
		eve := people[3]
		var hers []linnet.ID
		all := map[linnet.ID]bool{}
		for i := range 30 {
			id := w.post(people[i%3], "#tag %s %d", trendingLink, i).ID
			hers, all[id] = append([]linnet.ID{id}, hers...), true
		}
		for i := range 600 {
			all[w.post(eve, "#tag %s %d", trendingLink, i).ID] = true
		}
		w.drain()
		w.did(w.Trends.HandOn(w.ctx))
		for _, c := range []struct{ act, back linnet.Moderation }{{linnet.Silence, linnet.Unsilence}, {linnet.Suspend, linnet.Unsuspend}} {
			w.did(w.moderate(linnet.Operator(), eve, c.act))
			w.drain()
			for name, got := range w.publicPages(0, 10) {
				equal(w, fmt.Sprintf("%s after %v", name, c.act), got, hers)
			}
			equal(w, fmt.Sprintf("link after %v", c.act), w.linkPages(0, 10), hers)
			for _, key := range []string{"public", "tag", "link"} {
				if n := len(w.listed(key)); n != 30 {
					w.Errorf("after %v, %d statuses are kept in the %s timeline", c.act, n, key)
				}
			}
			w.check()
			w.did(w.moderate(linnet.Operator(), eve, c.back))
			w.drain()
			pages := w.publicPages(0, 40)
			pages["link"] = w.linkPages(0, 40)
			for name, got := range pages {
				if len(got) != len(all) {
					w.Errorf("after %v, %s shows %d of %d", c.back, name, len(got), len(all))
				}
			}
			w.check()
		}
	})
}

// listed reads the stored entries of a public timeline, including hidden statuses.
func (w *world) listed(name string) []linnet.ID {
	w.Helper()
	sp := db.Span{Limit: 1000}
	switch name {
	case "tag":
		return must(w.store.Statuses.Tagged(w.ctx, []string{"tag"}, sp))(w)
	case "link":
		return must(w.store.Statuses.Links.Statuses(w.ctx, trendingLink, sp))(w)
	}
	return must(w.store.Statuses.Global(w.ctx, sp))(w)
}

// TestPostsWhileSilenced checks that new statuses of a silenced author are not added to public
// timelines until the measure ends.
func TestPostsWhileSilenced(t *testing.T) {
	w := memWorld(t)
	eve := w.person("eve")
	w.did(w.moderate(linnet.Operator(), eve, linnet.Silence))
	w.drain()
	id := w.post(eve, "#tag").ID
	w.drain()
	for _, name := range []string{"public", "tag"} {
		equal(w, name, w.listed(name), nil)
	}
	w.check()
	w.did(w.moderate(linnet.Operator(), eve, linnet.Unsilence))
	w.drain()
	for _, name := range []string{"public", "tag"} {
		equal(w, name, w.listed(name), []linnet.ID{id})
	}
	w.check()
}

// TestPagesPastManyHiddenEntries checks that pages are full as long as visible entries exist,
// behind any number of hidden ones: in public timelines, home, lists and profiles.
func TestPagesPastManyHiddenEntries(t *testing.T) {
	onEngines(t, func(w *world) {
		ann, eve, me := w.person("ann"), w.person("eve"), w.person("me")
		w.follow(me, eve)
		w.follow(me, ann)
		list := w.list(me, linnet.ListChange{})
		w.addTo(me, list, ann)
		w.addTo(me, list, eve)
		var hers []linnet.ID
		for i := range 25 {
			hers = append([]linnet.ID{w.post(ann, "#tag %d", i).ID}, hers...)
		}
		old := w.post(eve, "old").ID
		const many = 900
		for i := range many {
			w.post(eve, "#tag %d", i)
		}
		w.drain()
		must(w.Social.Mute(w.ctx, me, eve, linnet.MuteOptions{}))(w)
		for _, limit := range []int{1, 20, 40} {
			for name, got := range w.publicPages(me, limit) {
				equal(w, fmt.Sprint(name, " of a muter by ", limit), got, hers)
			}
			equal(w, fmt.Sprint("home of a muter by ", limit), ids(w.home(me, limit)), hers)
			equal(w, fmt.Sprint("list of a muter by ", limit), ids(w.pages(limit, func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
				return w.Feeds.ListTimeline(w.ctx, me, list, p)
			})), hers)
		}
		stranger := w.person("stranger")
		for i, v := range []linnet.Visibility{linnet.Private, linnet.Direct} {
			for range many {
				w.draft(ann, linnet.Draft{Text: "hidden", Visibility: &v})
			}
			hers = append([]linnet.ID{w.post(ann, "after %d", i).ID}, hers...)
		}
		w.drain()
		for _, viewer := range []linnet.ID{0, stranger} {
			for _, limit := range []int{1, 20} {
				got := w.pages(limit, func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
					s, err := w.Reading.Profile(w.ctx, viewer, ann, linnet.ProfileFilter{}, p)
					if err == nil && len(s.Items) < limit && s.Last != "" {
						w.Errorf("%d of %d on a page before the end", len(s.Items), limit)
					}
					return s, err
				})
				equal(w, fmt.Sprint("profile for ", viewer, " by ", limit), ids(got), hers)
			}
		}
		if got := must(w.Reading.Profile(w.ctx, me, eve, linnet.ProfileFilter{}, linnet.Page{Max: linnet.CursorOf(old + 1), Limit: 1}))(w); len(got.Items) != 1 {
			w.Errorf("a muted author's profile: %v", got.Items)
		}
	})
}

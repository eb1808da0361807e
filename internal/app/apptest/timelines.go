package apptest

import (
	"fmt"
	"slices"

	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// Town creates a reader who follows some authors with some statuses each, posted in turn.
func (w *World) Town(authors, statuses int) (reader linnet.ID, by []linnet.ID, m *Model) {
	w.Helper()
	reader, m = w.Person("reader"), NewModel()
	by = w.People(authors)
	for _, a := range by {
		w.Follow(reader, a)
		m.Follows[[2]linnet.ID{reader, a}] = true
	}
	for i := range statuses {
		for _, a := range by {
			m.Add(w.Post(a, "%d", i))
		}
	}
	w.Drain()
	return reader, by, m
}

// ForgetFeeds deletes the stored home feeds of users, so that the next read rebuilds them.
func ForgetFeeds(w *World, readers ...linnet.ID) {
	w.Helper()
	for _, id := range readers {
		if err := w.Store.Feeds.ForgetFeeds(w.Ctx, record.HomeKey(id)); err != nil {
			w.Fatal(err)
		}
	}
}

// Ranks reads a ranking to its end, in pages of limit entries.
func (w *World) Ranks(limit int, read func(linnet.RankPage) (linnet.Ranking, error)) (all []linnet.Ranked) {
	w.Helper()
	for p := (linnet.RankPage{Limit: limit}); ; {
		page := Must(read(p))(w)
		all = append(all, page.Items...)
		if page.Next == "" {
			return all
		}
		if len(page.Items) > limit || len(all) > linnet.RankingEntries {
			w.Fatalf("%d on a page of %d, %d together", len(page.Items), limit, len(all))
		}
		p.After = page.Next
	}
}

// CatchUp reads the most important posts since the last visit.
func (w *World) CatchUp(me linnet.ID) []linnet.Ranked {
	w.Helper()
	return w.Ranks(2, func(p linnet.RankPage) (linnet.Ranking, error) { return w.Feeds.CatchUp(w.Ctx, me, p) })
}

// RankedTexts returns the texts of ranked posts.
func RankedTexts(all []linnet.Ranked) []string {
	views := make([]linnet.StatusView, len(all))
	for i := range all {
		views[i] = all[i].StatusView
	}
	return Texts(views)
}

// Top reads the first page of the promoted posts.
func (w *World) Top(me linnet.ID) []linnet.StatusView {
	w.Helper()
	return w.Pages(2, func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
		return w.Feeds.ListTimeline(w.Ctx, me, linnet.TopList, p)
	})
}

// TrendingLink is the link whose timeline linkPages reads.
const TrendingLink = "https://news.test/bird"

// Listed reads the stored entries of a public timeline, including hidden statuses.
func (w *World) Listed(name string) []linnet.ID {
	w.Helper()
	sp := db.Span{Limit: 1000}
	switch name {
	case "tag":
		return Must(w.Store.Statuses.Tagged(w.Ctx, []string{"tag"}, sp))(w)
	case "link":
		return Must(w.Store.Statuses.Links.Statuses(w.Ctx, TrendingLink, sp))(w)
	}
	return Must(w.Store.Statuses.Global(w.Ctx, sp))(w)
}

// Filter creates a filter for some keywords.
func (w *World) Filter(me linnet.ID, at linnet.FilterContext, keywords ...string) linnet.Filter {
	w.Helper()
	c := linnet.FilterChange{Title: new("T"), Context: &at}
	for _, k := range keywords {
		c.Keywords = append(c.Keywords, linnet.KeywordChange{Keyword: new(k)})
	}
	return Must(w.Reading.CreateFilter(w.Ctx, me, c))(w)
}

// Found returns the keywords by which filters match the statuses at home.
func (w *World) Found(me linnet.ID) string {
	w.Helper()
	out := ""
	for _, v := range w.Home(me, 20) {
		if v.Filtered == nil {
			out += "-"
			continue
		}
		for _, r := range *v.Filtered {
			out += fmt.Sprint(r.Keywords)
		}
	}
	return out
}

// Seen returns all events so far.
func (e *Listener) Seen() []linnet.StreamEvent {
	e.Mu.Lock()
	defer e.Mu.Unlock()
	return append([]linnet.StreamEvent(nil), e.All...)
}

// TryReads tries to see a status on every page.
func (w *World) TryReads(me, list, author, root linnet.ID, s linnet.StatusView) map[string]bool {
	w.Helper()
	in := func(vs []linnet.StatusView) bool {
		return slices.ContainsFunc(vs, func(v linnet.StatusView) bool { return v.ID == s.ID || v.Repost != nil && v.Repost.ID == s.ID })
	}
	th := Must(w.Reading.Thread(w.Ctx, me, root, linnet.ThreadQuery{}))(w)
	_, one := w.View.Status(w.Ctx, me, s.ID)
	_, down := w.Reading.Thread(w.Ctx, me, s.ID, linnet.ThreadQuery{})
	_, fav := w.Posting.Marks.FavouritedBy(w.Ctx, me, s.ID, linnet.Page{})
	_, rep := w.Posting.Marks.RepostedBy(w.Ctx, me, s.ID, linnet.Page{})
	ways := map[string]bool{
		"status": one == nil, "its thread": down == nil, "who favourited it": fav == nil, "who reposted it": rep == nil,
		"thread": in(th.Descendants), "statuses": in(Must(w.View.Statuses(w.Ctx, me, []linnet.ID{s.ID}))(w)),
		"profile": in(w.Pages(3, func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
			return w.Reading.Profile(w.Ctx, me, author, linnet.ProfileFilter{}, p)
		})),
		"public": in(w.Pages(3, func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
			return w.Reading.Public(w.Ctx, me, linnet.PublicQuery{}, p)
		})),
		"tag":     in(Must(w.Reading.Tag(w.Ctx, me, linnet.TagQuery{Tag: "tag"}, linnet.Page{}))(w).Items),
		"address": in(Must(w.Discovery.SearchStatuses(w.Ctx, me, SearchFor(s.URL)))(w).Statuses),
	}
	if me == 0 {
		return ways
	}
	ways["home"] = in(w.Home(me, 3))
	ways["list"] = in(w.Pages(3, func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
		return w.Feeds.ListTimeline(w.Ctx, me, list, p)
	}))
	ways["search"] = in(Must(w.Discovery.SearchStatuses(w.Ctx, me, SearchFor("words")))(w).Statuses)
	ways["mentions"] = in(Must(w.Reading.Mentions(w.Ctx, me, linnet.Page{}))(w).Items)
	ways["direct timeline"] = in(Must(w.Posting.Conversations.Directs(w.Ctx, me, linnet.Page{}))(w).Items)
	for _, c := range w.Conversations(me, 3) {
		ways["conversations"] = ways["conversations"] || in([]linnet.StatusView{*c.Status})
		ways["conversation"] = ways["conversation"] || in(Must(w.Posting.Conversations.Statuses(w.Ctx, me, c.ID, linnet.Page{}))(w).Items)
	}
	ways["bookmarks"] = in(Must(w.Posting.Marks.Bookmarks(w.Ctx, me, linnet.Page{}))(w).Items)
	ways["favourites"] = in(Must(w.Posting.Marks.Favourites(w.Ctx, me, linnet.Page{}))(w).Items)
	for _, n := range w.NoticesOf(me, linnet.NotificationFilter{}, 40) {
		ways["notifications"] = ways["notifications"] || n.Status != nil && in([]linnet.StatusView{*n.Status})
	}
	return ways
}

// TryActs tries to act on a status.
func (w *World) TryActs(me, s linnet.ID) map[string]error {
	if me == 0 {
		return nil
	}
	_, fav := w.Posting.Marks.Favourite(w.Ctx, me, s)
	_, mark := w.Posting.Marks.Bookmark(w.Ctx, me, s)
	_, rep := w.Posting.Repost(w.Ctx, me, s, nil)
	_, ans := w.Posting.Post(w.Ctx, me, linnet.Draft{Text: "answer", InReplyTo: s})
	_, del := w.Posting.Delete(w.Ctx, me, s)
	return map[string]error{"favourite": fav, "bookmark": mark, "repost": rep, "answer": ans, "delete": del}
}

package apptest

import (
	"linnet/internal/linnet"
	"slices"
)

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

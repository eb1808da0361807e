package app_test

import (
	"fmt"
	"slices"
	"testing"

	"linnet/internal/linnet"
)

// looker is a viewer who tries every way to a status.
type looker struct {
	name string
	id   linnet.ID
}

// TestVisibilityMatrix checks that each viewer sees the right statuses on every page.
func TestVisibilityMatrix(t *testing.T) { onEngines(t, visibilityMatrix) }

func visibilityMatrix(w *world) {
	author := w.person("author")
	lookers := []looker{{"nobody", 0}, {"author", author}, {"follower", w.person("follower")}, {"mentioned", w.person("mentioned")},
		{"stranger", w.person("stranger")}, {"left", w.person("left")}}
	for _, l := range lookers {
		if l.name == "follower" || l.name == "left" {
			w.follow(l.id, author)
		}
	}
	lists := map[string]linnet.ID{}
	for _, l := range lookers[1:] {
		lists[l.name] = w.list(l.id, linnet.ListChange{})
		w.addTo(l.id, lists[l.name], author)
	}
	root := w.post(author, "root")
	may := map[linnet.Visibility][]string{
		linnet.Public: {"nobody", "author", "follower", "mentioned", "stranger", "left"}, linnet.Unlisted: {"nobody", "author", "follower", "mentioned", "stranger", "left"},
		linnet.Private: {"author", "follower", "mentioned"}, linnet.Direct: {"author", "mentioned"},
	}
	made := map[linnet.Visibility]linnet.StatusView{}
	for v := linnet.Public; v <= linnet.Direct; v++ {
		made[v] = w.draft(author, linnet.Draft{Text: fmt.Sprintf("%v @mentioned #tag words", v), Visibility: &v, InReplyTo: root.ID})
	}
	left := lookers[5].id
	for _, s := range made { // the viewer marked it while it was visible
		if s.Visibility <= linnet.Private {
			must(w.Posting.Marks.Bookmark(w.ctx, left, s.ID))(w)
			must(w.Posting.Marks.Favourite(w.ctx, left, s.ID))(w)
		}
	}
	must(w.Posting.Repost(w.ctx, author, made[linnet.Private].ID, nil))(w)
	must(w.Social.Unfollow(w.ctx, left, author))(w)
	w.drain()
	for v, s := range made {
		for _, l := range lookers {
			want := slices.Contains(may[v], l.name)
			for way, shown := range w.ways(l.id, lists[l.name], author, root.ID, s) {
				if shown && !want {
					w.Errorf("%s sees what is %v by %s", l.name, v, way)
				}
				if direct := slices.Contains([]string{"direct timeline", "conversations", "conversation"}, way); direct && shown != (v == linnet.Direct && want) {
					w.Errorf("%s sees what is %v by %s: %v", l.name, v, way, shown)
				}
				if !shown && want && slices.Contains([]string{"status", "thread", "profile", "statuses", "its thread"}, way) {
					w.Errorf("%s does not see what is %v by %s", l.name, v, way)
				}
			}
			if want {
				continue
			}
			for act, err := range w.acts(l.id, s.ID) {
				if linnet.KindOf(err) != linnet.NotFound {
					w.Errorf("%s may %s what is %v: %v", l.name, act, v, err)
				}
			}
		}
	}
	w.check()
}

// ways tries to see a status on every page.
func (w *world) ways(me, list, author, root linnet.ID, s linnet.StatusView) map[string]bool {
	w.Helper()
	in := func(vs []linnet.StatusView) bool {
		return slices.ContainsFunc(vs, func(v linnet.StatusView) bool { return v.ID == s.ID || v.Repost != nil && v.Repost.ID == s.ID })
	}
	th := must(w.Reading.Thread(w.ctx, me, root, linnet.ThreadQuery{}))(w)
	_, one := w.View.Status(w.ctx, me, s.ID)
	_, down := w.Reading.Thread(w.ctx, me, s.ID, linnet.ThreadQuery{})
	_, fav := w.Posting.Marks.FavouritedBy(w.ctx, me, s.ID, linnet.Page{})
	_, rep := w.Posting.Marks.RepostedBy(w.ctx, me, s.ID, linnet.Page{})
	ways := map[string]bool{
		"status": one == nil, "its thread": down == nil, "who favourited it": fav == nil, "who reposted it": rep == nil,
		"thread": in(th.Descendants), "statuses": in(must(w.View.Statuses(w.ctx, me, []linnet.ID{s.ID}))(w)),
		"profile": in(w.pages(3, func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
			return w.Reading.Profile(w.ctx, me, author, linnet.ProfileFilter{}, p)
		})),
		"public": in(w.pages(3, func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
			return w.Reading.Public(w.ctx, me, linnet.PublicQuery{}, p)
		})),
		"tag":     in(must(w.Reading.Tag(w.ctx, me, linnet.TagQuery{Tag: "tag"}, linnet.Page{}))(w).Items),
		"address": in(must(w.Discovery.SearchStatuses(w.ctx, me, searchFor(s.URL)))(w).Statuses),
	}
	if me == 0 {
		return ways
	}
	ways["home"] = in(w.home(me, 3))
	ways["list"] = in(w.pages(3, func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
		return w.Feeds.ListTimeline(w.ctx, me, list, p)
	}))
	ways["search"] = in(must(w.Discovery.SearchStatuses(w.ctx, me, searchFor("words")))(w).Statuses)
	ways["mentions"] = in(must(w.Reading.Mentions(w.ctx, me, linnet.Page{}))(w).Items)
	ways["direct timeline"] = in(must(w.Posting.Conversations.Directs(w.ctx, me, linnet.Page{}))(w).Items)
	for _, c := range w.conversations(me, 3) {
		ways["conversations"] = ways["conversations"] || in([]linnet.StatusView{*c.Status})
		ways["conversation"] = ways["conversation"] || in(must(w.Posting.Conversations.Statuses(w.ctx, me, c.ID, linnet.Page{}))(w).Items)
	}
	ways["bookmarks"] = in(must(w.Posting.Marks.Bookmarks(w.ctx, me, linnet.Page{}))(w).Items)
	ways["favourites"] = in(must(w.Posting.Marks.Favourites(w.ctx, me, linnet.Page{}))(w).Items)
	for _, n := range w.noticesOf(me, linnet.NotificationFilter{}, 40) {
		ways["notifications"] = ways["notifications"] || n.Status != nil && in([]linnet.StatusView{*n.Status})
	}
	return ways
}

// acts tries to act on a status.
func (w *world) acts(me, s linnet.ID) map[string]error {
	if me == 0 {
		return nil
	}
	_, fav := w.Posting.Marks.Favourite(w.ctx, me, s)
	_, mark := w.Posting.Marks.Bookmark(w.ctx, me, s)
	_, rep := w.Posting.Repost(w.ctx, me, s, nil)
	_, ans := w.Posting.Post(w.ctx, me, linnet.Draft{Text: "answer", InReplyTo: s})
	_, del := w.Posting.Delete(w.ctx, me, s)
	return map[string]error{"favourite": fav, "bookmark": mark, "repost": rep, "answer": ans, "delete": del}
}

package mastodon

import (
	"strings"

	"linnet/internal/discovery"
	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
	"linnet/internal/posting"
	"linnet/internal/reading"
)

// timelineHandler handles timelines of statuses in the order of time.
// https://docs.joinmastodon.org/methods/timelines/
type timelineHandler struct {
	reading *reading.Service
	posting *posting.Service
	feeds   *discovery.Feeds
}

func (h *timelineHandler) routes() []request.Route {
	return []request.Route{
		request.Handle("GET /api/v1/accounts/{id}/statuses", request.Anyone("read:statuses"), h.profile),
		request.Handle("GET /api/v1/favourites", request.User("read:favourites"), h.favourites),
		request.Handle("GET /api/v1/bookmarks", request.User("read:bookmarks"), h.bookmarks),
		request.Handle("GET /api/v1/timelines/home", request.User("read:statuses"), h.home),
		request.Handle("GET /api/v1/timelines/public", request.Anyone("read:statuses"), h.public),
		request.Handle("GET /api/v1/timelines/tag/{tag}", request.Anyone("read:statuses"), h.tag),
		request.Handle("GET /api/v1/timelines/direct", request.User("read:statuses"), h.direct),
		request.Handle("GET /api/v1/linnet/timelines/mentions", request.User("read:statuses"), h.mentions),
		request.Handle("GET /api/v1/timelines/list/{id}", request.User("read:lists"), h.list),
	}
}

func (h *timelineHandler) profile(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	f := linnet.ProfileFilter{
		ExcludeReplies: r.In.Flag("exclude_replies"), ExcludeReposts: r.In.Flag("exclude_reblogs"), ExcludeDirect: r.In.Flag("exclude_direct"),
		OnlyMedia: r.In.Flag("only_media"), Tag: strings.TrimPrefix(r.In.String("tagged"), "#"),
	}
	pinned := r.In.Flag("pinned")
	p := request.TimelinePage(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	read := h.reading.Profile
	if pinned {
		read = h.posting.Marks.PinnedPage
	}
	s, err := read(r.Context(), r.Viewer(), id, f, p)
	return request.Statuses(r, s, err)
}

// direct was removed in Mastodon 3.0, but some clients still use it.
func (h *timelineHandler) direct(r *request.Request) (any, error) {
	p := request.TimelinePage(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	s, err := h.posting.Conversations.Directs(r.Context(), r.Viewer(), p)
	return request.Statuses(r, s, err)
}

func (h *timelineHandler) home(r *request.Request) (any, error) {
	p := request.TimelinePage(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	s, err := h.reading.Home(r.Context(), r.Viewer(), p)
	return request.Statuses(r, s, err)
}

func (h *timelineHandler) public(r *request.Request) (any, error) {
	q := linnet.PublicQuery{Remote: r.In.Flag("remote"), OnlyMedia: r.In.Flag("only_media")}
	p := request.TimelinePage(r.In)
	r.In.Flag("local") // all statuses are local
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	s, err := h.reading.Public(r.Context(), r.Viewer(), q, p)
	return request.Statuses(r, s, err)
}

func (h *timelineHandler) tag(r *request.Request) (any, error) {
	q := linnet.TagQuery{
		Tag: strings.TrimPrefix(r.PathValue("tag"), "#"),
		Any: tagNames(r.In, "any"), All: tagNames(r.In, "all"), None: tagNames(r.In, "none"),
		OnlyMedia: r.In.Flag("only_media"),
	}
	remote := r.In.Flag("remote")
	p := request.TimelinePage(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	if remote {
		return wire.StatusList{}, nil // without federation there are no remote statuses
	}
	s, err := h.reading.Tag(r.Context(), r.Viewer(), q, p)
	return request.Statuses(r, s, err)
}

func tagNames(in *request.Input, name string) []string {
	names := in.Strings(name)
	for i := range names {
		names[i] = strings.TrimPrefix(names[i], "#")
	}
	return names
}

func (h *timelineHandler) list(r *request.Request) (any, error) {
	id, err := r.ListID()
	if err != nil {
		return nil, err
	}
	p := request.TimelinePage(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	s, err := h.feeds.ListTimeline(r.Context(), r.Viewer(), id, p)
	return request.Statuses(r, s, err)
}

// mentions returns the statuses that mention the viewer, even if their notifications were
// dismissed. It is Linnet's own, and docs/own-api.md describes it.
func (h *timelineHandler) mentions(r *request.Request) (any, error) {
	p := request.TimelinePage(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	s, err := h.reading.Mentions(r.Context(), r.Viewer(), p)
	return request.Statuses(r, s, err)
}

func (h *timelineHandler) favourites(r *request.Request) (any, error) {
	p := request.TimelinePage(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	s, err := h.posting.Marks.Favourites(r.Context(), r.Viewer(), p)
	return request.Statuses(r, s, err)
}

func (h *timelineHandler) bookmarks(r *request.Request) (any, error) {
	p := request.TimelinePage(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	s, err := h.posting.Marks.Bookmarks(r.Context(), r.Viewer(), p)
	return request.Statuses(r, s, err)
}

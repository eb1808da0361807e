package mastodon

import (
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/wire"
)

// timelinePage reads the page parameters of timelines.
func timelinePage(in *input) linnet.Page { return in.page(linnet.DefaultPage, linnet.MaxPage) }

// statuses answers with a page of statuses.
func (a *API) statuses(r *request, s linnet.Slice[linnet.StatusView], err error) (any, error) {
	if err != nil {
		return nil, err
	}
	setLink(r, s.First, s.Next())
	return wire.StatusList{Viewer: r.me(), Views: s.Items}, nil
}

func (a *API) home(r *request) (any, error) {
	p := timelinePage(r.in)
	if err := r.in.err(); err != nil {
		return nil, err
	}
	s, err := a.svc.Reading.Home(r.Context(), r.me(), p)
	return a.statuses(r, s, err)
}

func (a *API) publicTimeline(r *request) (any, error) {
	q := linnet.PublicQuery{Remote: r.in.flag("remote"), OnlyMedia: r.in.flag("only_media")}
	p := timelinePage(r.in)
	r.in.flag("local") // everything is local
	if err := r.in.err(); err != nil {
		return nil, err
	}
	s, err := a.svc.Reading.Public(r.Context(), r.me(), q, p)
	return a.statuses(r, s, err)
}

func (a *API) tagTimeline(r *request) (any, error) {
	q := linnet.TagQuery{
		Tag: strings.TrimPrefix(r.PathValue("tag"), "#"),
		Any: tagNames(r.in, "any"), All: tagNames(r.in, "all"), None: tagNames(r.in, "none"),
		OnlyMedia: r.in.flag("only_media"),
	}
	remote := r.in.flag("remote")
	p := timelinePage(r.in)
	if err := r.in.err(); err != nil {
		return nil, err
	}
	if remote {
		return wire.StatusList{}, nil // this installation has no remote statuses
	}
	s, err := a.svc.Reading.Tag(r.Context(), r.me(), q, p)
	return a.statuses(r, s, err)
}

func tagNames(in *input, name string) []string {
	names := in.texts(name)
	for i := range names {
		names[i] = strings.TrimPrefix(names[i], "#")
	}
	return names
}

func (a *API) listTimeline(r *request) (any, error) {
	id, err := r.listID()
	if err != nil {
		return nil, err
	}
	p := timelinePage(r.in)
	if err := r.in.err(); err != nil {
		return nil, err
	}
	s, err := a.svc.Lists.ListTimeline(r.Context(), r.me(), id, p)
	return a.statuses(r, s, err)
}

func (a *API) favourites(r *request) (any, error) {
	p := timelinePage(r.in)
	if err := r.in.err(); err != nil {
		return nil, err
	}
	s, err := a.svc.Posting.Favourites(r.Context(), r.me(), p)
	return a.statuses(r, s, err)
}

func (a *API) bookmarks(r *request) (any, error) {
	p := timelinePage(r.in)
	if err := r.in.err(); err != nil {
		return nil, err
	}
	s, err := a.svc.Posting.Bookmarks(r.Context(), r.me(), p)
	return a.statuses(r, s, err)
}

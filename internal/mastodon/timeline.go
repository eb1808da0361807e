package mastodon

import (
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
)

// statuses answers with a page of statuses.
func (a *API) statuses(r *request.Request, s linnet.Slice[linnet.StatusView], err error) (any, error) {
	if err != nil {
		return nil, err
	}
	request.SetLink(r, s.First, s.Next())
	return wire.StatusList{Viewer: r.Viewer(), Views: s.Items}, nil
}

func (a *API) home(r *request.Request) (any, error) {
	p := request.TimelinePage(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	s, err := a.svc.Reading.Home(r.Context(), r.Viewer(), p)
	return a.statuses(r, s, err)
}

func (a *API) publicTimeline(r *request.Request) (any, error) {
	q := linnet.PublicQuery{Remote: r.In.Flag("remote"), OnlyMedia: r.In.Flag("only_media")}
	p := request.TimelinePage(r.In)
	r.In.Flag("local") // everything is local
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	s, err := a.svc.Reading.Public(r.Context(), r.Viewer(), q, p)
	return a.statuses(r, s, err)
}

func (a *API) tagTimeline(r *request.Request) (any, error) {
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
		return wire.StatusList{}, nil // this installation has no remote statuses
	}
	s, err := a.svc.Reading.Tag(r.Context(), r.Viewer(), q, p)
	return a.statuses(r, s, err)
}

func tagNames(in *request.Input, name string) []string {
	names := in.Strings(name)
	for i := range names {
		names[i] = strings.TrimPrefix(names[i], "#")
	}
	return names
}

func (a *API) listTimeline(r *request.Request) (any, error) {
	id, err := r.ListID()
	if err != nil {
		return nil, err
	}
	p := request.TimelinePage(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	s, err := a.svc.Lists.ListTimeline(r.Context(), r.Viewer(), id, p)
	return a.statuses(r, s, err)
}

func (a *API) favourites(r *request.Request) (any, error) {
	p := request.TimelinePage(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	s, err := a.svc.Posting.Favourites(r.Context(), r.Viewer(), p)
	return a.statuses(r, s, err)
}

func (a *API) bookmarks(r *request.Request) (any, error) {
	p := request.TimelinePage(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	s, err := a.svc.Posting.Bookmarks(r.Context(), r.Viewer(), p)
	return a.statuses(r, s, err)
}

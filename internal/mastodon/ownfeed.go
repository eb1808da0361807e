package mastodon

import (
	"strconv"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
)

func (a *API) ownFeeds(r *request.Request) (any, error) {
	feeds, err := a.svc.Discovery.OwnFeeds(r.Context(), r.Viewer())
	return wire.Each(feeds, wire.CustomFeedOf), err
}

func (a *API) createOwnFeed(r *request.Request) (any, error) {
	c := ownFeedChange(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	f, err := a.svc.Discovery.CreateOwnFeed(r.Context(), r.Viewer(), c)
	return wire.CustomFeedOf(&f), err
}

func (a *API) getOwnFeed(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	f, err := a.svc.Discovery.OwnFeed(r.Context(), r.Viewer(), id)
	return wire.CustomFeedOf(&f), err
}

func (a *API) updateOwnFeed(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	c := ownFeedChange(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	f, err := a.svc.Discovery.UpdateOwnFeed(r.Context(), r.Viewer(), id, c)
	return wire.CustomFeedOf(&f), err
}

func (a *API) deleteOwnFeed(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	return wire.Empty{}, a.svc.Discovery.DeleteOwnFeed(r.Context(), r.Viewer(), id)
}

func (a *API) ownFeedTimeline(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	p := rankPage(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	page, err := a.svc.Discovery.OwnFeedTimeline(r.Context(), r.Viewer(), id, p)
	return rankingPage(r, page, err)
}

func ownFeedChange(in *request.Input) linnet.OwnFeedChange {
	w := in.Object("weights")
	c := linnet.OwnFeedChange{Title: in.OptString("title"), Favourites: w.Decimal("favourites"), Reposts: w.Decimal("reblogs"),
		Replies: w.Decimal("replies"), HalfLife: w.Seconds("half_life"), Window: in.Seconds("window"),
		ExcludeReplies: in.OptFlag("exclude_replies"), ExcludeReposts: in.OptFlag("exclude_reblogs"), OnlyMedia: in.OptFlag("only_media")}
	if order := in.OptString("order"); order != nil {
		c.Order = (*linnet.FeedOrder)(order)
	}
	if !in.Has("sources") {
		return c
	}
	sources := []linnet.FeedSource{}
	for i, v := range in.Items("sources") {
		src := in.Within("sources["+strconv.Itoa(i)+"]", v)
		one := linnet.FeedSource{Kind: linnet.FeedSourceKind(src.String("type")), Tag: src.String("tag"), Weight: 1}
		one.ID, _ = src.ID("id") // what can be none is none that there is
		if x := src.Decimal("weight"); x != nil {
			one.Weight = *x
		}
		sources = append(sources, one)
	}
	c.Sources = &sources
	return c
}

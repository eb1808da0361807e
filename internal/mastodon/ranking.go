package mastodon

import (
	"strconv"

	"linnet/internal/discovery"
	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
)

// rankingHandler handles timelines in the order of scores, which are Linnet's own.
// docs/own-api.md describes them.
type rankingHandler struct {
	feeds *discovery.Feeds
}

func (h *rankingHandler) routes() []request.Route {
	return []request.Route{
		request.Handle("GET /api/v1/linnet/timelines/catch_up", request.User("read:statuses"), h.catchUp),
		request.Handle("POST /api/v1/linnet/timelines/catch_up", request.User("write:statuses"), h.renewCatchUp),
		request.Handle("GET /api/v1/linnet/feeds", request.User("read:lists"), h.list),
		request.Handle("POST /api/v1/linnet/feeds", request.User("write:lists"), h.create),
		request.Handle("GET /api/v1/linnet/feeds/{id}", request.User("read:lists"), h.get),
		request.Handle("PUT /api/v1/linnet/feeds/{id}", request.User("write:lists"), h.update),
		request.Handle("DELETE /api/v1/linnet/feeds/{id}", request.User("write:lists"), h.delete),
		request.Handle("GET /api/v1/linnet/timelines/feed/{id}", request.User("read:lists"), h.timeline),
	}
}

func (h *rankingHandler) catchUp(r *request.Request) (any, error) {
	p := rankPage(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	page, err := h.feeds.CatchUp(r.Context(), r.Viewer(), p)
	return rankingPage(r, page, err)
}

// renewCatchUp starts a new catch-up. With read_up_to it also moves the home marker, and starts
// after that status.
func (h *rankingHandler) renewCatchUp(r *request.Request) (any, error) {
	upTo, ok := r.In.ID("read_up_to")
	if !ok {
		r.In.Fault("read_up_to", "must be the newest_id of the catch-up")
	}
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	if upTo != 0 {
		return wire.Empty{}, h.feeds.CaughtUp(r.Context(), r.Viewer(), upTo)
	}
	return wire.Empty{}, h.feeds.RenewCatchUp(r.Context(), r.Viewer())
}

func (h *rankingHandler) list(r *request.Request) (any, error) {
	feeds, err := h.feeds.OwnFeeds(r.Context(), r.Viewer())
	return wire.Each(feeds, wire.CustomFeedOf), err
}

func (h *rankingHandler) create(r *request.Request) (any, error) {
	c := customFeedChange(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	f, err := h.feeds.CreateOwnFeed(r.Context(), r.Viewer(), c)
	return wire.CustomFeedOf(&f), err
}

func (h *rankingHandler) get(r *request.Request) (any, error) {
	return request.ByID(r, h.feeds.OwnFeed, wire.CustomFeedOf)
}

func (h *rankingHandler) update(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	c := customFeedChange(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	f, err := h.feeds.UpdateOwnFeed(r.Context(), r.Viewer(), id, c)
	return wire.CustomFeedOf(&f), err
}

func (h *rankingHandler) delete(r *request.Request) (any, error) {
	return request.DoByID(r, h.feeds.DeleteOwnFeed)
}

func (h *rankingHandler) timeline(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	p := rankPage(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	page, err := h.feeds.OwnFeedTimeline(r.Context(), r.Viewer(), id, p)
	return rankingPage(r, page, err)
}

func customFeedChange(in *request.Input) linnet.OwnFeedChange {
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
		one.ID, _ = src.ID("id") // an invalid id matches nothing
		if x := src.Decimal("weight"); x != nil {
			one.Weight = *x
		}
		sources = append(sources, one)
	}
	c.Sources = &sources
	return c
}

// rankPage reads the paging parameters of a ranking.
func rankPage(in *request.Input) linnet.RankPage {
	return linnet.RankPage{After: linnet.RankCursor(in.String("cursor")), Limit: request.TimelinePage(in).Limit}
}

// rankingPage returns a page of a ranking, and sets the Link header.
func rankingPage(r *request.Request, page linnet.Ranking, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	if page.Next != "" {
		r.SetNextLink(string(page.Next))
	}
	return wire.Ranking{Viewer: r.Viewer(), Page: page}, nil
}

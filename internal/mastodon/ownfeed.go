package mastodon

import (
	"math"
	"strconv"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/wire"
)

func (a *API) ownFeeds(r *request) (any, error) {
	feeds, err := a.svc.Discovery.OwnFeeds(r.Context(), r.me())
	return wire.Each(feeds, wire.CustomFeedOf), err
}

func (a *API) createOwnFeed(r *request) (any, error) {
	c := ownFeedChange(r.in)
	if err := r.in.err(); err != nil {
		return nil, err
	}
	f, err := a.svc.Discovery.CreateOwnFeed(r.Context(), r.me(), c)
	return wire.CustomFeedOf(&f), err
}

func (a *API) getOwnFeed(r *request) (any, error) {
	id, err := r.pathID()
	if err != nil {
		return nil, err
	}
	f, err := a.svc.Discovery.OwnFeed(r.Context(), r.me(), id)
	return wire.CustomFeedOf(&f), err
}

func (a *API) updateOwnFeed(r *request) (any, error) {
	id, err := r.pathID()
	if err != nil {
		return nil, err
	}
	c := ownFeedChange(r.in)
	if err := r.in.err(); err != nil {
		return nil, err
	}
	f, err := a.svc.Discovery.UpdateOwnFeed(r.Context(), r.me(), id, c)
	return wire.CustomFeedOf(&f), err
}

func (a *API) deleteOwnFeed(r *request) (any, error) {
	id, err := r.pathID()
	if err != nil {
		return nil, err
	}
	return wire.Empty{}, a.svc.Discovery.DeleteOwnFeed(r.Context(), r.me(), id)
}

func (a *API) ownFeedTimeline(r *request) (any, error) {
	id, err := r.pathID()
	if err != nil {
		return nil, err
	}
	p := rankPage(r.in)
	if err := r.in.err(); err != nil {
		return nil, err
	}
	page, err := a.svc.Discovery.OwnFeedTimeline(r.Context(), r.me(), id, p)
	return rankingPage(r, page, err)
}

func ownFeedChange(in *input) linnet.OwnFeedChange {
	w := in.object("weights")
	c := linnet.OwnFeedChange{Title: in.optText("title"), Favourites: w.decimal("favourites"), Reposts: w.decimal("reblogs"),
		Replies: w.decimal("replies"), HalfLife: w.seconds("half_life"), Window: in.seconds("window"),
		ExcludeReplies: in.optFlag("exclude_replies"), ExcludeReposts: in.optFlag("exclude_reblogs"), OnlyMedia: in.optFlag("only_media")}
	if order := in.optText("order"); order != nil {
		c.Order = (*linnet.FeedOrder)(order)
	}
	if !in.has("sources") {
		return c
	}
	sources := []linnet.FeedSource{}
	for i, v := range in.items("sources") {
		src := in.within("sources["+strconv.Itoa(i)+"]", v)
		one := linnet.FeedSource{Kind: linnet.FeedSourceKind(src.text("type")), Tag: src.text("tag"), Weight: 1}
		one.ID, _ = src.id("id") // what can be none is none that there is
		if x := src.decimal("weight"); x != nil {
			one.Weight = *x
		}
		sources = append(sources, one)
	}
	c.Sources = &sources
	return c
}

// decimal returns a number, nil if it is absent or empty.
func (in *input) decimal(name string) *float64 {
	v := in.get(name)
	if v == nil || v.text == "" && v.kind == kindText {
		return nil
	}
	x, err := strconv.ParseFloat(v.text, 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) || v.kind != kindText && v.kind != kindNumber {
		in.fault(name, "must be a number")
		return nil
	}
	return &x
}

// seconds returns a whole number of them, nil if it is absent or empty.
func (in *input) seconds(name string) *time.Duration {
	v := in.get(name)
	if v == nil || v.text == "" && v.kind == kindText {
		return nil
	}
	d := time.Duration(in.number(name)) * time.Second
	return &d
}

package explore

import (
	"linnet/internal/discovery"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
)

// trendHandler handles trending tags, links and statuses.
// https://docs.joinmastodon.org/methods/trends/
type trendHandler struct {
	enc    *wire.Encoder
	trends *discovery.Trends
	tags   *Tags
}

func (h *trendHandler) routes() []request.Route {
	return []request.Route{
		request.Handle("GET /api/v1/timelines/link", request.Anyone("read:statuses"), h.linkTimeline),
		request.Handle("GET /api/v1/trends", request.Anyone("read"), h.tagsTrending), // before Mastodon 3.5
		request.Handle("GET /api/v1/trends/tags", request.Anyone("read"), h.tagsTrending),
		request.Handle("GET /api/v1/trends/links", request.Anyone("read"), h.links),
		request.Handle("GET /api/v1/trends/statuses", request.Anyone("read:statuses"), h.statuses),
	}
}

// TrendLink encodes a trending link.
func TrendLink(enc *wire.Encoder, v *discovery.LinkView) wire.TrendLink {
	return wire.TrendLink{PreviewCard: *enc.PreviewCard(&v.Card), History: historyOf(v.Days)}
}

func historyOf(days []discovery.TagDay) []wire.HistoryDay {
	return wire.Each(days, func(d *discovery.TagDay) wire.HistoryDay { return wire.HistoryDayOf(d.Day, d.Users, d.Uses) })
}

// TrendQuery reads the paging parameters of trends.
func TrendQuery(in *request.Input) (discovery.TrendQuery, error) {
	q := discovery.TrendQuery{Offset: in.Number("offset"), Limit: in.Limit()}
	return q, in.Err()
}

func (h *trendHandler) tagsTrending(r *request.Request) (any, error) {
	q, err := TrendQuery(r.In)
	if err != nil {
		return nil, err
	}
	vs, err := h.trends.Tags(r.Context(), q)
	if err != nil {
		return nil, err
	}
	return h.tags.Encode(r, vs)
}

func (h *trendHandler) links(r *request.Request) (any, error) {
	q, err := TrendQuery(r.In)
	if err != nil {
		return nil, err
	}
	vs, err := h.trends.Links(r.Context(), q)
	if err != nil {
		return nil, err
	}
	return wire.Each(vs, func(v *discovery.LinkView) wire.TrendLink { return TrendLink(h.enc, v) }), nil
}

// linkTimeline returns the statuses that contain a trending link.
// https://docs.joinmastodon.org/methods/timelines/#link
func (h *trendHandler) linkTimeline(r *request.Request) (any, error) {
	link := r.In.String("url")
	p := request.TimelinePage(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	s, err := h.trends.LinkTimeline(r.Context(), r.Viewer(), link, p)
	return request.Statuses(r, s, err)
}

func (h *trendHandler) statuses(r *request.Request) (any, error) {
	q, err := TrendQuery(r.In)
	if err != nil {
		return nil, err
	}
	vs, err := h.trends.Statuses(r.Context(), r.Viewer(), q)
	return wire.StatusList{Viewer: r.Viewer(), Views: vs}, err
}

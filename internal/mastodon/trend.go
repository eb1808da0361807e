package mastodon

import (
	"strconv"

	"linnet/internal/discovery"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
)

func (a *API) trendLink(v *discovery.LinkView) wire.TrendLink {
	return wire.TrendLink{PreviewCard: *a.enc.PreviewCard(&v.Card), History: historyOf(v.Days)}
}

func historyOf(days []discovery.TagDay) []wire.TagHistory {
	out := make([]wire.TagHistory, len(days))
	for i, d := range days {
		out[i] = wire.TagHistory{Day: strconv.FormatInt(d.Day.Unix(), 10), Accounts: strconv.FormatInt(d.Users, 10), Uses: strconv.FormatInt(d.Uses, 10)}
	}
	return out
}

func trendQuery(in *request.Input) (discovery.TrendQuery, error) {
	q := discovery.TrendQuery{Offset: in.Number("offset"), Limit: in.Limit()}
	return q, in.Err()
}

func (a *API) trendingTags(r *request.Request) (any, error) {
	q, err := trendQuery(r.In)
	if err != nil {
		return nil, err
	}
	vs, err := a.svc.Discovery.TrendingTags(r.Context(), q)
	if err != nil {
		return nil, err
	}
	return a.tags(r, vs)
}

func (a *API) trendingLinks(r *request.Request) (any, error) {
	q, err := trendQuery(r.In)
	if err != nil {
		return nil, err
	}
	vs, err := a.svc.Discovery.TrendingLinks(r.Context(), q)
	if err != nil {
		return nil, err
	}
	return wire.Each(vs, a.trendLink), nil
}

// linkTimeline shows what is said about a link that trends.
// https://docs.joinmastodon.org/methods/timelines/#link
func (a *API) linkTimeline(r *request.Request) (any, error) {
	link := r.In.String("url")
	p := request.TimelinePage(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	s, err := a.svc.Discovery.LinkTimeline(r.Context(), r.Viewer(), link, p)
	return a.statuses(r, s, err)
}

func (a *API) trendingStatuses(r *request.Request) (any, error) {
	q, err := trendQuery(r.In)
	if err != nil {
		return nil, err
	}
	vs, err := a.svc.Discovery.TrendingStatuses(r.Context(), r.Viewer(), q)
	return wire.StatusList{Viewer: r.Viewer(), Views: vs}, err
}

package mastodon

import (
	"strconv"

	"linnet/internal/discovery"
)

// trendLink is the entity Trends::Link. What is behind a link is not fetched, so
// that most of it is empty.
// https://docs.joinmastodon.org/entities/PreviewCard/#trends-link
type trendLink struct {
	URL              string   `json:"url"`
	Title            string   `json:"title"`
	Description      string   `json:"description"`
	Language         *string  `json:"language"`
	Type             string   `json:"type"`
	AuthorName       string   `json:"author_name"`
	AuthorURL        string   `json:"author_url"`
	Authors          []none   `json:"authors"`
	ProviderName     string   `json:"provider_name"`
	ProviderURL      string   `json:"provider_url"`
	HTML             string   `json:"html"`
	Width            int      `json:"width"`
	Height           int      `json:"height"`
	Image            *string  `json:"image"`
	ImageDescription string   `json:"image_description"`
	EmbedURL         string   `json:"embed_url"`
	Blurhash         *string  `json:"blurhash"`
	PublishedAt      *string  `json:"published_at"`
	History          []tagUse `json:"history"`
}

func (a *API) trendLink(v *discovery.LinkView) trendLink {
	return trendLink{URL: v.URL, Title: v.Title, Type: "link", ProviderName: v.Host, Authors: []none{}, History: historyOf(v.Days)}
}

func historyOf(days []discovery.TagDay) []tagUse {
	out := make([]tagUse, len(days))
	for i, d := range days {
		out[i] = tagUse{strconv.FormatInt(d.Day.Unix(), 10), strconv.FormatInt(d.Users, 10), strconv.FormatInt(d.Uses, 10)}
	}
	return out
}

func trendQuery(in *input) (discovery.TrendQuery, error) {
	q := discovery.TrendQuery{Offset: in.number("offset"), Limit: in.number("limit")}
	return q, in.err()
}

func (a *API) trendingTags(r *request) (any, error) {
	q, err := trendQuery(r.in)
	if err != nil {
		return nil, err
	}
	vs, err := a.svc.Discovery.TrendingTags(r.Context(), q)
	if err != nil {
		return nil, err
	}
	return a.tags(r, vs)
}

func (a *API) trendingLinks(r *request) (any, error) {
	q, err := trendQuery(r.in)
	if err != nil {
		return nil, err
	}
	vs, err := a.svc.Discovery.TrendingLinks(r.Context(), q)
	if err != nil {
		return nil, err
	}
	return each(vs, a.trendLink), nil
}

func (a *API) trendingStatuses(r *request) (any, error) {
	q, err := trendQuery(r.in)
	if err != nil {
		return nil, err
	}
	vs, err := a.svc.Discovery.TrendingStatuses(r.Context(), r.me(), q)
	return statusList{r.me(), vs}, err
}

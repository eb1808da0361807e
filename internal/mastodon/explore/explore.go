package explore

import (
	"slices"

	"linnet/internal/discovery"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
	"linnet/internal/outsidefeed"
	"linnet/internal/social"
	"linnet/internal/view"
)

// Routes returns the routes of hashtags, trends, search and suggestions.
func Routes(enc *wire.Encoder, s *social.Service, t *discovery.Trends, d *discovery.Service, v *view.Service, o *outsidefeed.Service) []request.Route {
	tags := NewTags(enc, s, d)
	return slices.Concat(
		tags.routes(),
		(&trendHandler{enc: enc, trends: t, tags: tags}).routes(),
		(&searchHandler{enc: enc, discovery: d, view: v, outside: o, tags: tags}).routes(),
		(&suggestionHandler{enc: enc, discovery: d}).routes(),
	)
}

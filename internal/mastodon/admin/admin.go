package admin

import (
	"slices"

	"linnet/internal/core"
	"linnet/internal/discovery"
	"linnet/internal/mastodon/explore"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
	"linnet/internal/moderation"
	"linnet/internal/social"
	"linnet/internal/view"
)

// Options are the services of the handlers. All fields are required.
type Options struct {
	Encoder    *wire.Encoder
	Core       *core.Service
	Moderation *moderation.Service
	Discovery  *discovery.Service
	Trends     *discovery.Trends
	View       *view.Service
	Social     *social.Service
	Release    string // version of Linnet
	Version    string // version that clients read
}

// Routes returns the routes of reports and of staff.
func Routes(o Options) []request.Route {
	tags := explore.NewTags(o.Encoder, o.Social, o.Discovery)
	return slices.Concat(
		(&reportHandler{enc: o.Encoder, moderation: o.Moderation}).routes(),
		(&accountHandler{enc: o.Encoder, core: o.Core, moderation: o.Moderation}).routes(),
		(&strikeHandler{enc: o.Encoder, core: o.Core, moderation: o.Moderation}).routes(),
		(&statisticsHandler{release: o.Release, version: o.Version, core: o.Core, moderation: o.Moderation}).routes(),
		(&blockHandler{core: o.Core, moderation: o.Moderation}).routes(),
		(&trendHandler{enc: o.Encoder, view: o.View, trends: o.Trends, core: o.Core, tags: tags}).routes(),
	)
}

package admin

import (
	"cmp"
	"slices"

	"linnet/internal/core"
	"linnet/internal/discovery"
	"linnet/internal/linnet"
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

// idPage returns the requested page of a list that is read as a whole, the highest id first.
func idPage[T any](r *request.Request, all []T, id func(*T) linnet.ID) ([]T, error) {
	p := adminPage(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	var bounds [3]linnet.ID
	for i, c := range []linnet.Cursor{p.Max, p.Since, p.Min} {
		var err error
		if bounds[i], err = c.ID(); err != nil {
			return nil, err
		}
	}
	all = slices.DeleteFunc(slices.Clone(all), func(x T) bool {
		return bounds[0] != 0 && id(&x) >= bounds[0] || id(&x) <= max(bounds[1], bounds[2])
	})
	slices.SortFunc(all, func(a, b T) int { return cmp.Compare(id(&b), id(&a)) })
	all = linnet.CutPage(all, p)
	if len(all) > 0 {
		request.SetLink(r, linnet.CursorOf(id(&all[0])), linnet.CursorOf(id(&all[len(all)-1])))
	}
	return all, nil
}

// Routes returns the routes of reports and of staff.
func Routes(o Options) []request.Route {
	tags := explore.NewTags(o.Encoder, o.Social, o.Discovery)
	trends := &trendHandler{enc: o.Encoder, view: o.View, trends: o.Trends, core: o.Core, tags: tags}
	return slices.Concat(
		(&reportHandler{enc: o.Encoder, moderation: o.Moderation}).routes(),
		(&accountHandler{enc: o.Encoder, core: o.Core, moderation: o.Moderation}).routes(),
		(&strikeHandler{enc: o.Encoder, core: o.Core, moderation: o.Moderation}).routes(),
		(&statisticsHandler{release: o.Release, version: o.Version, core: o.Core, moderation: o.Moderation}).routes(),
		(&blockHandler{core: o.Core, moderation: o.Moderation}).routes(),
		trends.routes(),
		(&tagHandler{trendHandler: trends, discovery: o.Discovery}).routes(),
	)
}

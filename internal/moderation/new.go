package moderation

import (
	"linnet/internal/core"
	"linnet/internal/discovery"
	"linnet/internal/identity"
	"linnet/internal/live"
	"linnet/internal/notify"
	"linnet/internal/social"
	"linnet/internal/timeline"
	"linnet/internal/uploads"
	"linnet/internal/view"
)

// New returns a Service. day collects the events of the Observer.
func New(b core.Base, day *dailyStatistics, c *core.Service, t *timeline.Service, v *view.Service, n *notify.Service, i *identity.Service,
	p *social.Service, l *live.Service, d *discovery.Service, u *uploads.Service) *Service {
	return &Service{st: b.Store, opt: b.Options, tasks: b.Tasks, facts: b.Facts, state: b.State, day: day, core: c, timeline: t, view: v, notify: n, identity: i, social: p, live: l, discovery: d, uploads: u}
}

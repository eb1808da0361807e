package moderation

import (
	"linnet/internal/core"
	"linnet/internal/discovery"
	"linnet/internal/identity"
	"linnet/internal/notify"
	"linnet/internal/social"
	"linnet/internal/timeline"
	"linnet/internal/uploads"
	"linnet/internal/view"
)

// New returns a Service.
func New(b core.Base, c *core.Service, t *timeline.Service, v *view.Service, n *notify.Service, i *identity.Service, settings *identity.Settings,
	p *social.Service, trends *discovery.Trends, u *uploads.Service) *Service {
	return &Service{st: b.Store, opt: b.Options, tasks: b.Tasks, facts: b.Facts, state: b.State, day: &dailyStatistics{}, core: c, timeline: t, view: v, notify: n, identity: i, settings: settings, social: p, trends: trends, uploads: u}
}

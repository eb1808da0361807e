package posting

import (
	"linnet/internal/core"
	"linnet/internal/notify"
	"linnet/internal/reading"
	"linnet/internal/social"
	"linnet/internal/timeline"
	"linnet/internal/view"
)

// New makes the storey of statuses, and lets that of people use it.
func New(b core.Base, c *core.Service, t *timeline.Service, v *view.Service, r *reading.Service, n *notify.Service, p *social.Service) *Service {
	s := &Service{st: b.Store, opt: b.Options, tasks: b.Tasks, core: c, timeline: t, view: v, reading: r, notify: n, social: p,
		talks: newUnreadTalks(b.Options.Exclusive)}
	p.UsePosts(s)
	return s
}

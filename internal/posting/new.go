package posting

import (
	"linnet/internal/cards"
	"linnet/internal/core"
	"linnet/internal/notify"
	"linnet/internal/reading"
	"linnet/internal/social"
	"linnet/internal/timeline"
	"linnet/internal/uploads"
	"linnet/internal/view"
)

// New returns a Service.
func New(b core.Base, c *core.Service, u *uploads.Service, k *cards.Service, t *timeline.Service, v *view.Service, r *reading.Service, n *notify.Service, p *social.Service, g *social.Groups, e *Eraser) *Service {
	s := &Service{st: b.Store, opt: b.Options, tasks: b.Tasks, facts: b.Facts, meter: b.Meter, core: c, uploads: u, cards: k, timeline: t, view: v, reading: r, notify: n, social: p, groups: g, eraser: e,
		unread: newUnreadConversations(b.Options.Exclusive)}
	s.fanout, s.schedule, s.drafts, s.deletion, s.Old = s.fanoutTable(), schedule{s}, drafts{s}, deletion{s}, OldPosts{s}
	return s
}

// Close ends what cleans up the caches; they answer as before.
func (s *Service) Close() { s.unread.counts.Close() }

package discovery

import (
	"linnet/internal/cache"
	"linnet/internal/cards"
	"linnet/internal/core"
	"linnet/internal/identity"
	"linnet/internal/linnet"
	"linnet/internal/reading"
	"linnet/internal/social"
	"linnet/internal/timeline"
	"linnet/internal/view"
)

// New returns a Service.
func New(b core.Base, c *core.Service, t *timeline.Service, v *view.Service, r *reading.Service, i *identity.Settings, p *social.Service, l *social.Lists, cs *cards.Service) *Service {
	return &Service{st: b.Store, opt: b.Options, tasks: b.Tasks, core: c, timeline: t, view: v, reading: r, settings: i, social: p, lists: l, cards: cs,
		trendWindow: &trendWindow{full: make(chan struct{}, 1)},
		search:      newSearchIndex(b.Store, b.Options),
		suggestions: cache.New(cache.Options[linnet.ID, []suggested]{Max: 10_000,
			TTL: suggestAge})}
}

// Close ends what cleans up the caches; they answer as before.
func (s *Service) Close() { s.suggestions.Close() }

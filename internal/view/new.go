package view

import (
	"linnet/internal/cache"
	"linnet/internal/core"
	"linnet/internal/linnet"
)

// New returns a Service with empty caches. Statuses get half of their memory, users a quarter, and
// texts and profiles an eighth each.
func New(b core.Base, c *core.Service) *Service {
	bytes := uint64(b.Options.Rendered)
	return &Service{st: b.Store, opt: b.Options, core: c,
		html: cache.New(cache.Options[linnet.ID, written]{Max: bytes / 8,
			Weigh: func(_ linnet.ID, w written) uint32 { return uint32(len(w.html)) + 108 }}),
		views:    cache.New(cache.Options[linnet.ID, *rendered]{Max: bytes / 2, Weigh: renderedWeight}),
		people:   cache.New(cache.Options[linnet.ID, *shownUser]{Max: bytes / 4, Weigh: shownUserWeight}),
		profiles: cache.New(cache.Options[linnet.ID, *profile]{Max: bytes / 8, Weigh: profileWeight}),

		announcements: cache.New(cache.Options[linnet.ID, *shownAnnouncement]{Max: 2 * linnet.MaxAnnouncements}),
	}
}

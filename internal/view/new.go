package view

import (
	"github.com/maypok86/otter/v2"

	"linnet/internal/core"
	"linnet/internal/linnet"
)

// New makes the storey of views, with empty caches: of what they may take together half is
// for statuses, a quarter for people, and an eighth each for texts and for profiles.
func New(b core.Base, c *core.Service) *Service {
	bytes := uint64(b.Options.Rendered)
	return &Service{st: b.Store, opt: b.Options, core: c,
		html: otter.Must(&otter.Options[linnet.ID, written]{MaximumWeight: bytes / 8,
			Weigher: func(_ linnet.ID, w written) uint32 { return uint32(len(w.html)) + 108 }}),
		views:    otter.Must(&otter.Options[linnet.ID, *rendered]{MaximumWeight: bytes / 2, Weigher: renderedWeight}),
		people:   otter.Must(&otter.Options[linnet.ID, *shownUser]{MaximumWeight: bytes / 4, Weigher: shownUserWeight}),
		profiles: otter.Must(&otter.Options[linnet.ID, *profile]{MaximumWeight: bytes / 8, Weigher: profileWeight}),

		announcements: otter.Must(&otter.Options[linnet.ID, *shownAnnouncement]{MaximumSize: 2 * linnet.MaxAnnouncements}),
	}
}

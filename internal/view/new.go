package view

import (
	"github.com/maypok86/otter/v2"

	"linnet/internal/core"
	"linnet/internal/linnet"
)

// New makes the storey of views, with empty caches.
func New(b core.Base, c *core.Service) *Service {
	return &Service{st: b.Store, opt: b.Options, core: c,
		html: otter.Must(&otter.Options[linnet.ID, string]{MaximumWeight: 32 << 20,
			Weigher: func(_ linnet.ID, h string) uint32 { return uint32(len(h)) + 100 }}),
		views:    otter.Must(&otter.Options[linnet.ID, *rendered]{MaximumWeight: 64 << 20, Weigher: renderedWeight}),
		people:   otter.Must(&otter.Options[linnet.ID, *shownUser]{MaximumWeight: 32 << 20, Weigher: shownUserWeight}),
		profiles: otter.Must(&otter.Options[linnet.ID, *profile]{MaximumSize: 50_000}),
	}
}

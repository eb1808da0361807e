package reading

import (
	"linnet/internal/core"
	"linnet/internal/timeline"
	"linnet/internal/view"
)

// New returns a Service.
func New(b core.Base, c *core.Service, t *timeline.Service, v *view.Service) *Service {
	return &Service{st: b.Store, core: c, timeline: t, view: v}
}

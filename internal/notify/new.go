package notify

import (
	"linnet/internal/core"
	"linnet/internal/view"
)

// New returns a Service with its Pusher.
func New(b core.Base, c *core.Service, v *view.Service) *Service {
	s := &Service{st: b.Store, tasks: b.Tasks, core: c, view: v}
	s.pusher = newPusher(b, c, s)
	return s
}

// Pusher returns the part of the service that sends notifications to devices.
func (s *Service) Pusher() *Pusher { return s.pusher }

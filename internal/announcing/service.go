package announcing

import (
	"linnet/internal/core"
	"linnet/internal/store"
	"linnet/internal/store/staff"
	"linnet/internal/task"
	"linnet/internal/view"
)

// Service manages announcements. It is safe for concurrent use.
type Service struct {
	st    *store.Store
	tasks *task.Queue
	core  *core.Service
	view  *view.Service
}

// New returns a Service.
func New(b core.Base, c *core.Service, v *view.Service) *Service {
	return &Service{st: b.Store, tasks: b.Tasks, core: c, view: v}
}

// Handlers returns the handlers of the tasks of this package.
func (s *Service) Handlers() map[string]task.Handler {
	return map[string]task.Handler{staff.TaskAnnounce: core.TaskHandler(s.announce)}
}

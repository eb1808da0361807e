package groups

import (
	"linnet/internal/core"
	"linnet/internal/event"
	"linnet/internal/social"
	"linnet/internal/store"
	"linnet/internal/task"
	"linnet/internal/view"
)

// Service manages groups. It is safe for concurrent use.
type Service struct {
	st    *store.Store
	tasks *task.Queue
	facts *event.Facts

	core   *core.Service
	view   *view.Service
	social *social.Service
}

// New returns a Service and registers its rules with p.
func New(b core.Base, c *core.Service, v *view.Service, p *social.Service) *Service {
	s := &Service{st: b.Store, tasks: b.Tasks, facts: b.Facts, core: c, view: v, social: p}
	p.UseMembership(social.Membership{Wanted: s.wanted, StepDown: s.stepDown, Joined: s.joined, Left: s.left, EndRole: s.withoutRole})
	return s
}

// Kinds of tasks. Their names and arguments are stored, so a change of the arguments needs a new
// name.
const (
	TaskFound      = "found-group"
	taskListGroups = "list-groups"
)

// Handlers do the tasks of these kinds.
func (s *Service) Handlers() map[string]task.Handler {
	return map[string]task.Handler{TaskFound: core.TaskHandler(s.found), taskListGroups: core.TaskHandler(s.listGroups)}
}

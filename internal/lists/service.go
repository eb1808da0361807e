package lists

import (
	"linnet/internal/core"
	"linnet/internal/groups"
	"linnet/internal/reading"
	"linnet/internal/social"
	"linnet/internal/store"
	"linnet/internal/task"
	"linnet/internal/timeline"
	"linnet/internal/view"
)

// Service manages lists. It is safe for concurrent use.
type Service struct {
	st    *store.Store
	tasks *task.Queue

	core     *core.Service
	timeline *timeline.Service
	view     *view.Service
	reading  *reading.Service
	social   *social.Service
	groups   *groups.Service
}

// New returns a Service and registers its rules with p.
func New(b core.Base, c *core.Service, t *timeline.Service, v *view.Service, r *reading.Service, p *social.Service, g *groups.Service) *Service {
	s := &Service{st: b.Store, tasks: b.Tasks, core: c, timeline: t, view: v, reading: r, social: p, groups: g}
	p.UseListing(social.Listing{Part: s.part, Forget: s.forgetListsOf})
	return s
}

// TaskForgetList is the kind of task that deletes the members of a deleted list. Its name and
// arguments are stored, so a change of the arguments needs a new name.
const TaskForgetList = "forget-list"

// Handlers do the tasks of these kinds.
func (s *Service) Handlers() map[string]task.Handler {
	return map[string]task.Handler{TaskForgetList: core.TaskHandler(s.forgetList)}
}

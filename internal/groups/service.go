package groups

import (
	"context"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/social"
	"linnet/internal/store"
	"linnet/internal/task"
	"linnet/internal/view"
)

// Service manages groups. It is safe for concurrent use.
type Service struct {
	st    *store.Store
	tasks *task.Queue

	core   *core.Service
	view   *view.Service
	social *social.Service

	tellOffer func(ctx context.Context, group *linnet.User, by, who linnet.ID) error // see TellBy
}

// New returns a Service and registers its rules with p. TellBy must be called before it is used.
func New(b core.Base, c *core.Service, v *view.Service, p *social.Service) *Service {
	s := &Service{st: b.Store, tasks: b.Tasks, core: c, view: v, social: p}
	p.UseMembership(social.Membership{Wanted: s.wanted, StepDown: s.stepDown, Joined: s.joined, Left: s.left, EndRole: s.withoutRole})
	return s
}

// TellBy sets the functions that send the notifications of groups. request notifies the staff of a
// group of a request to join, at most once an hour per user. offer notifies a user of an
// invitation.
func (s *Service) TellBy(request func(ctx context.Context, group *linnet.User, from linnet.ID) error,
	offer func(ctx context.Context, group *linnet.User, by, who linnet.ID) error) {
	s.social.OnGroupRequest(request)
	s.tellOffer = offer
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

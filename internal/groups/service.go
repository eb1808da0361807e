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

// Service is the storey of groups. It is safe for concurrent use.
type Service struct {
	st    *store.Store
	tasks *task.Queue

	core   *core.Service
	view   *view.Service
	social *social.Service

	tellOffer func(ctx context.Context, group *linnet.User, by, who linnet.ID) error // see TellBy
}

// New makes the storey of groups, and lets that of people ask it about memberships.
// Before anything is done there, TellBy must have been called.
func New(b core.Base, c *core.Service, v *view.Service, p *social.Service) *Service {
	s := &Service{st: b.Store, tasks: b.Tasks, core: c, view: v, social: p}
	p.UseMembership(social.Membership{Wanted: s.wanted, StepDown: s.stepDown, Joined: s.joined, Left: s.left, EndRole: s.withoutRole})
	return s
}

// TellBy sets who writes the messages of groups: request tells those who run a group
// that somebody asks to be let in, once an hour however often they ask, and offer tells
// somebody that they are invited.
func (s *Service) TellBy(request func(ctx context.Context, group *linnet.User, from linnet.ID) error,
	offer func(ctx context.Context, group *linnet.User, by, who linnet.ID) error) {
	s.social.OnGroupRequest(request)
	s.tellOffer = offer
}

// The kinds of task that are done here. Their names and arguments lie in stores: a
// change needs a new name.
const (
	TaskFound      = "found-group"
	taskListGroups = "list-groups"
)

// Handlers do the tasks of these kinds.
func (s *Service) Handlers() map[string]task.Handler {
	return map[string]task.Handler{TaskFound: core.TaskHandler(s.found), taskListGroups: core.TaskHandler(s.listGroups)}
}

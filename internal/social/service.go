package social

import (
	"linnet/internal/cards"
	"linnet/internal/core"
	"linnet/internal/event"
	"linnet/internal/identity"
	"linnet/internal/linnet"
	"linnet/internal/notify"
	"linnet/internal/store"
	"linnet/internal/task"
	"linnet/internal/timeline"
	"linnet/internal/uploads"
	"linnet/internal/view"
)

// Service manages relations, profiles and the deletion of accounts. It is safe for concurrent use.
type Service struct {
	st    *store.Store
	opt   core.Options
	tasks *task.Queue
	facts *event.Facts

	core     *core.Service
	uploads  *uploads.Service
	cards    *cards.Service
	timeline *timeline.Service
	view     *view.Service
	notify   *notify.Service
	identity *identity.Service
	eraser   Eraser

	// Registered by other services, see register.go.
	membership Membership
	listing    Listing
}

// New returns a Service. The functions in register.go must be called before it is used.
func New(b core.Base, c *core.Service, u *uploads.Service, cs *cards.Service, t *timeline.Service, v *view.Service, n *notify.Service, i *identity.Service, e Eraser) *Service {
	return &Service{st: b.Store, opt: b.Options, tasks: b.Tasks, facts: b.Facts, core: c, uploads: u, cards: cs, timeline: t, view: v, notify: n, identity: i, eraser: e}
}

// Kinds of tasks. Their names and arguments are stored, so a change of the arguments needs a new
// name.
const (
	TaskEdge       = "edge"
	TaskIndex      = "index-user"
	TaskForgetUser = "forget-user"
	taskAccept     = "accept-requests"

	// TaskIndexStatuses adds the posts of a user who has become searchable to the search index.
	// Package discovery handles it.
	TaskIndexStatuses = "index-statuses"
)

// IndexStatusesArgs are the arguments of TaskIndexStatuses.
type IndexStatusesArgs struct {
	User  linnet.ID `json:"user"`
	Below linnet.ID `json:"below,omitempty"` // posts with this id or a later one are done
}

// Handlers returns the handlers of these kinds.
func (s *Service) Handlers() map[string]task.Handler {
	return map[string]task.Handler{
		TaskEdge:       core.TaskHandler(s.copyEdge),
		TaskIndex:      core.TaskHandler(s.indexUser),
		TaskForgetUser: core.TaskHandler(s.forgetUser),
		taskAccept:     core.TaskHandler(s.acceptAll),
	}
}

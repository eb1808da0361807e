package social

import (
	"context"

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

// Service manages the relations of accounts. Its fields manage profiles, the deletion of
// accounts, followed tags, groups, lists and collections. All are safe for concurrent use.
type Service struct {
	Profiles *Profiles
	Deletion *Deletion
	Tags     *FollowedTags
	Groups   *Groups
	Lists    *Lists

	Collections *Collections

	st    *store.Store
	tasks *task.Queue
	facts *event.Facts

	core     *core.Service
	timeline *timeline.Service
	view     *view.Service
	notify   *notify.Service
	eraser   Eraser
}

// Eraser deletes statuses.
type Eraser interface {
	// Erase deletes a status and starts the task that cleans up after it. It returns false if the
	// status was already deleted.
	Erase(ctx context.Context, st *linnet.Status, start func(task.Task)) (bool, error)
}

// New returns a Service.
func New(b core.Base, c *core.Service, u *uploads.Service, cs *cards.Service, t *timeline.Service, v *view.Service, n *notify.Service, i *identity.Service, e Eraser) *Service {
	s := &Service{st: b.Store, tasks: b.Tasks, facts: b.Facts, core: c, timeline: t, view: v, notify: n, eraser: e}
	s.Profiles = &Profiles{st: b.Store, tasks: b.Tasks, uploads: u, cards: cs, view: v}
	s.Tags = &FollowedTags{st: b.Store, core: c}
	s.Groups = &Groups{st: b.Store, tasks: b.Tasks, facts: b.Facts, core: c, view: v, social: s}
	s.Lists = &Lists{st: b.Store, tasks: b.Tasks, core: c, timeline: t, view: v, social: s}
	s.Collections = &Collections{st: b.Store, tasks: b.Tasks, core: c, view: v, notify: n, social: s}
	s.Deletion = &Deletion{st: b.Store, log: b.Options.Log, tasks: b.Tasks, core: c, uploads: u, identity: i, eraser: e, social: s}
	return s
}

// Kinds of tasks. Their names and arguments are stored, so a change of the arguments needs a new
// name.
const (
	TaskRelation   = "edge"
	TaskIndex      = "index-user"
	TaskForgetUser = "forget-user"
	TaskFound      = "found-group"
	TaskForgetList = "forget-list" // deletes the members of a deleted list
	TaskCollection = "collection"  // updates the copies of a collection, and notifies its accounts
	taskAccept     = "accept-requests"
	taskListGroups = "list-groups"

	// TaskIndexStatuses adds the posts of a user who has become searchable to the search index.
	// Package discovery handles it.
	TaskIndexStatuses = "index-statuses"

	// TaskEndHub ends the subscription of a deleted external feed at its hub. Package outsidefeed
	// handles it.
	TaskEndHub = "end-hub"
)

// IndexStatusesArgs are the arguments of TaskIndexStatuses.
type IndexStatusesArgs struct {
	User  linnet.ID `json:"user"`
	Below linnet.ID `json:"below,omitempty"` // posts with this id or a later one are done
}

// EndHubArgs are the arguments of TaskEndHub.
type EndHubArgs struct {
	Feed  linnet.ID `json:"feed"`
	Hub   string    `json:"hub"`
	Topic string    `json:"topic"`
}

// Handlers returns the handlers of these kinds.
func (s *Service) Handlers() map[string]task.Handler {
	return map[string]task.Handler{
		TaskRelation:   core.TaskHandler(s.copyRelation),
		TaskIndex:      core.TaskHandler(s.Profiles.index),
		TaskForgetUser: core.TaskHandler(s.Deletion.batch),
		taskAccept:     core.TaskHandler(s.acceptAll),
		TaskFound:      core.TaskHandler(s.Groups.found),
		taskListGroups: core.TaskHandler(s.Groups.listGroups),
		TaskForgetList: core.TaskHandler(s.Lists.forgetList),
		TaskCollection: core.TaskHandler(s.Collections.copy),
	}
}

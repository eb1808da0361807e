package social

import (
	"context"

	"linnet/internal/core"
	"linnet/internal/identity"
	"linnet/internal/linnet"
	"linnet/internal/notify"
	"linnet/internal/reading"
	"linnet/internal/timeline"
	"linnet/internal/view"
)

// New makes the storey of people and groups. Before anything is done there, UsePosts
// must have been called.
func New(b core.Base, c *core.Service, t *timeline.Service, v *view.Service, r *reading.Service, n *notify.Service, i *identity.Service) *Service {
	return &Service{st: b.Store, opt: b.Options, tasks: b.Tasks, core: c, timeline: t, view: v, reading: r, notify: n, identity: i,
		made: map[linnet.ListKind]MadeTimeline{}}
}

// UsePosts sets who writes and deletes statuses.
func (s *Service) UsePosts(p Posts) { s.posts = p }

// OnAction sets who is told of what people do.
func (s *Service) OnAction(f func(context.Context, Action) error) { s.onAction = f }

// ShowList sets what shows the lists of a kind that the server makes.
func (s *Service) ShowList(kind linnet.ListKind, show MadeTimeline) { s.made[kind] = show }

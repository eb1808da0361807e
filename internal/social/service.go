package social

import (
	"context"

	"linnet/internal/core"
	"linnet/internal/identity"
	"linnet/internal/linnet"
	"linnet/internal/notify"
	"linnet/internal/reading"
	"linnet/internal/store"
	"linnet/internal/task"
	"linnet/internal/timeline"
	"linnet/internal/view"
)

// Service is the storey of people and groups. It is safe for concurrent use.
type Service struct {
	st    *store.Store
	opt   core.Options
	tasks *task.Queue

	core     *core.Service
	timeline *timeline.Service
	view     *view.Service
	reading  *reading.Service
	notify   *notify.Service
	identity *identity.Service

	posts    Posts                               // see UsePosts
	onAction func(context.Context, Action) error // is told what people do
	made     map[linnet.ListKind]MadeTimeline    // the lists that the server makes
}

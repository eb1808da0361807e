package notify

import (
	"linnet/internal/core"
	"linnet/internal/store"
	"linnet/internal/task"
	"linnet/internal/view"
)

// Service manages notifications. It is safe for concurrent use.
type Service struct {
	st    *store.Store
	tasks *task.Queue

	core *core.Service
	view *view.Service

	pusher *Pusher
}

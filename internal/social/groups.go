package social

import (
	"linnet/internal/core"
	"linnet/internal/event"
	"linnet/internal/store"
	"linnet/internal/task"
	"linnet/internal/view"
)

// Groups manages groups and their members. It is safe for concurrent use.
type Groups struct {
	st    *store.Store
	tasks *task.Queue
	facts *event.Facts

	core   *core.Service
	view   *view.Service
	social *Service
}

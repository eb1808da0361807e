package social

import (
	"linnet/internal/core"
	"linnet/internal/store"
	"linnet/internal/task"
	"linnet/internal/timeline"
	"linnet/internal/view"
)

// Lists manages the lists of users. It is safe for concurrent use.
type Lists struct {
	st    *store.Store
	tasks *task.Queue

	core     *core.Service
	timeline *timeline.Service
	view     *view.Service
	social   *Service
}

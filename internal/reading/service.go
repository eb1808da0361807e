package reading

import (
	"linnet/internal/core"
	"linnet/internal/store"
	"linnet/internal/timeline"
	"linnet/internal/view"
)

// Service returns pages of statuses. It is safe for concurrent use.
type Service struct {
	st *store.Store

	core     *core.Service
	timeline *timeline.Service
	view     *view.Service
}

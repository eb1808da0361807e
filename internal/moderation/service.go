package moderation

import (
	"linnet/internal/core"
	"linnet/internal/discovery"
	"linnet/internal/event"
	"linnet/internal/identity"
	"linnet/internal/kv"
	"linnet/internal/notify"
	"linnet/internal/social"
	"linnet/internal/store"
	"linnet/internal/task"
	"linnet/internal/timeline"
	"linnet/internal/uploads"
	"linnet/internal/view"
)

// Service provides the actions of staff: reports, moderation, roles, tasks and statistics. It is
// safe for concurrent use.
type Service struct {
	st    *store.Store
	opt   core.Options
	tasks *task.Queue
	facts *event.Facts
	state kv.State

	core     *core.Service
	timeline *timeline.Service
	view     *view.Service
	notify   *notify.Service
	identity *identity.Service
	settings *identity.Settings
	social   *social.Service
	uploads  *uploads.Service

	trends *discovery.Trends

	day *dailyStatistics
}

package discovery

import (
	"sync/atomic"

	"linnet/internal/cache"
	"linnet/internal/cards"
	"linnet/internal/core"
	"linnet/internal/identity"
	"linnet/internal/linnet"
	"linnet/internal/reading"
	"linnet/internal/social"
	"linnet/internal/store"
	"linnet/internal/task"
	"linnet/internal/timeline"
	"linnet/internal/view"
)

// Service provides promotions, trends, suggestions, search, catch-up and custom feeds. It is safe
// for concurrent use.
type Service struct {
	st    *store.Store
	opt   core.Options
	tasks *task.Queue

	core     *core.Service
	timeline *timeline.Service
	view     *view.Service
	reading  *reading.Service
	settings *identity.Settings
	social   *social.Service
	lists    *social.Lists
	cards    *cards.Service

	firstLevel  atomic.Pointer[placeLevel]
	trendWindow *trendWindow
	search      *searchIndex
	popular     atomic.Pointer[popular]
	trendBoard  trendBoard
	suggestions *cache.Cache[linnet.ID, []suggested] // by user
}

package view

import (
	"sync"

	"linnet/internal/cache"
	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// Service loads statuses and users for viewers and caches the rendered ones. It is safe for
// concurrent use.
type Service struct {
	st  *store.Store
	opt core.Options

	core *core.Service

	html     *cache.Cache[linnet.ID, written]    // of statuses
	views    *cache.Cache[linnet.ID, *rendered]  // of statuses, by state
	people   *cache.Cache[linnet.ID, *shownUser] // of users, by state
	loaders  sync.Pool                           // *loader
	profiles *cache.Cache[linnet.ID, *profile]   // rendered parts of users, by version

	announcements *cache.Cache[linnet.ID, *shownAnnouncement]
}

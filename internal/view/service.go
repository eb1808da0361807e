package view

import (
	"sync"

	"github.com/maypok86/otter/v2"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// Service is the storey of views, with the caches of what is rendered. It is safe for concurrent use.
type Service struct {
	st  *store.Store
	opt core.Options

	core *core.Service

	html     *otter.Cache[linnet.ID, written]    // of statuses
	views    *otter.Cache[linnet.ID, *rendered]  // of statuses, by state
	people   *otter.Cache[linnet.ID, *shownUser] // of users, by state
	loaders  sync.Pool                           // *loader
	profiles *otter.Cache[linnet.ID, *profile]   // rendered parts of users, by version

	announcements *otter.Cache[linnet.ID, *shownAnnouncement]
}

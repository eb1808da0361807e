package timeline

import (
	"sync/atomic"

	"linnet/internal/cache"
	"linnet/internal/core"
	"linnet/internal/store"
)

// Service manages feeds and timelines. It is safe for concurrent use.
type Service struct {
	st  *store.Store
	opt core.Options

	pulled    atomic.Pointer[pulledSet]
	continued *cache.Cache[string, continuation]
	Backlog   backlog
}

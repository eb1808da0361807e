package timeline

import (
	"sync/atomic"

	"linnet/internal/core"
	"linnet/internal/store"
)

// Service performs the acts. It is safe for concurrent use.
type Service struct {
	st  *store.Store
	opt core.Options

	pulled  atomic.Pointer[pulledSet]
	Backlog backlog
}

package timeline

import (
	"sync/atomic"

	"github.com/maypok86/otter/v2"

	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/store"
)

// Service is the storey of feeds. It is safe for concurrent use.
type Service struct {
	st  *store.Store
	opt core.Options

	pulled    atomic.Pointer[pulledSet]
	continued *otter.Cache[kv.Key, continuation]
	Backlog   backlog
}

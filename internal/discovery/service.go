package discovery

import (
	"context"
	"sync/atomic"
	"time"

	"linnet/internal/cache"
	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/social"
	"linnet/internal/store"
	"linnet/internal/task"
	"linnet/internal/view"
)

// Service finds users, tags and statuses: by search, in the directory and as suggestions. It is
// safe for concurrent use.
type Service struct {
	st  *store.Store
	opt core.Options

	core   *core.Service
	view   *view.Service
	social *social.Service
	trends *Trends

	search      *searchIndex
	popular     atomic.Pointer[popular]
	suggestions *cache.Cache[linnet.ID, []suggested] // by user
}

// New returns a Service.
func New(b core.Base, c *core.Service, v *view.Service, p *social.Service, t *Trends) *Service {
	return &Service{st: b.Store, opt: b.Options, core: c, view: v, social: p, trends: t, search: newSearchIndex(b),
		suggestions: cache.New(cache.Options[linnet.ID, []suggested]{Max: 10_000, TTL: suggestAge})}
}

// Handlers returns the handlers of tasks.
func (s *Service) Handlers() map[string]task.Handler {
	return map[string]task.Handler{social.TaskIndexStatuses: core.TaskHandler(s.search.indexStatuses)}
}

// Run maintains the search index until ctx ends.
func (s *Service) Run(ctx context.Context) {
	t := time.NewTicker(indexEvery)
	defer t.Stop()
	stale := time.Duration(0)
	for {
		more, err := s.search.maintain(ctx, stale)
		if err != nil && ctx.Err() == nil {
			s.opt.Log.Debug("cannot update search index", "err", err)
		}
		if more {
			// Between two steps of a longer task the queue isn't read each time. It is full then,
			// and reading it would cost more than the step.
			stale = indexStale
			continue
		}
		stale = 0
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
	}
}

// Close stops the cleanup of caches. The Service still handles requests.
func (s *Service) Close() { s.suggestions.Close() }

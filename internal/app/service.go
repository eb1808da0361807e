package app

import (
	"context"
	"sync"

	"linnet/internal/core"
	"linnet/internal/discovery"
	"linnet/internal/identity"
	"linnet/internal/live"
	"linnet/internal/moderation"
	"linnet/internal/notify"
	"linnet/internal/posting"
	"linnet/internal/reading"
	"linnet/internal/social"
	"linnet/internal/store"
	"linnet/internal/task"
	"linnet/internal/timeline"
	"linnet/internal/view"
)

// App performs the acts. It is safe for concurrent use.
type App struct {
	st    *store.Store
	opt   core.Options
	tasks *task.Queue

	Core       *core.Service
	Timeline   *timeline.Service
	View       *view.Service
	Reading    *reading.Service
	Notify     *notify.Service
	Identity   *identity.Service
	Social     *social.Service
	Posting    *posting.Service
	Live       *live.Service
	Discovery  *discovery.Service
	Moderation *moderation.Service
}

// Run works on tasks, keeps the clock and carries streams until ctx ends; when it
// returns, nothing of it is left running.
func (s *App) Run(ctx context.Context) {
	if err := s.Core.SyncClock(ctx); err != nil && ctx.Err() == nil {
		s.opt.Log.Warn("clock of the store", "err", err)
	}
	s.Timeline.RefreshPulled(ctx)
	var beside sync.WaitGroup
	for _, run := range []func(context.Context){s.Core.Run, s.Timeline.Run, s.Live.Run, s.Discovery.Run, s.Moderation.Run} {
		beside.Go(func() { run(ctx) })
	}
	s.tasks.Serve(ctx)
	beside.Wait()
}

// Reload reads at once what every server has to know of the whole, which Run
// does at intervals: which authors are pulled.
func (s *App) Reload(ctx context.Context) error { return core.StoreError(s.Timeline.LoadPulled(ctx)) }

// Idle reports whether this server holds no task.
func (s *App) Idle() bool { return s.tasks.Idle() }

// Store is the store below, for commands that work beside serving.
func (s *App) Store() *store.Store { return s.st }

// Options of an App.
type Options = core.Options

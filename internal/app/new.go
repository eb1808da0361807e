package app

import (
	"maps"

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

// New makes all storeys over a store. Call Run to let them work.
func New(st *store.Store, opt Options) (*App, error) {
	day := moderation.NewDailyStatistics()
	opt = opt.Complete()
	opt.Observe = day.Watch(opt.Observe)
	handlers := map[string]task.Handler{}
	b := core.Base{Store: st, Options: opt, Tasks: task.NewQueue(st.Engine(), handlers, task.Options{
		Now: st.Now, Log: opt.Log, Exclusive: opt.Exclusive, HandOver: opt.HandOver, Workers: opt.Workers, Name: opt.Name,
		Ended: opt.Observe.NoteTaskEnded})}
	c, err := core.New(b)
	if err != nil {
		return nil, err
	}
	a := &App{st: st, opt: opt, tasks: b.Tasks, Core: c, Timeline: timeline.New(b)}
	a.View = view.New(b, c)
	a.Reading = reading.New(b, c, a.Timeline, a.View)
	a.Notify = notify.New(b, c, a.View, a.Reading)
	a.Identity = identity.New(b, c, a.View, a.Notify)
	a.Social = social.New(b, c, a.Timeline, a.View, a.Reading, a.Notify, a.Identity)
	a.Posting = posting.New(b, c, a.Timeline, a.View, a.Reading, a.Notify, a.Social)
	a.Live = live.New(b, c, a.View, a.Notify, a.Identity, a.Social, a.Posting)
	a.Discovery = discovery.New(b, c, a.Timeline, a.View, a.Reading, a.Identity, a.Social)
	a.Moderation = moderation.New(b, day, c, a.Timeline, a.View, a.Notify, a.Identity, a.Social, a.Live)
	for _, owned := range []map[string]task.Handler{a.Notify.Handlers(), a.Identity.Handlers(), a.Social.Handlers(), a.Posting.Handlers(),
		a.Discovery.Handlers(), a.Moderation.Handlers()} {
		maps.Copy(handlers, owned)
	}
	return a, nil
}

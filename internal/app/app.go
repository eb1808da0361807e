package app

import (
	"context"
	"errors"
	"maps"
	"sync"

	"linnet/internal/announcing"
	"linnet/internal/archives"
	"linnet/internal/blob"
	"linnet/internal/cards"
	"linnet/internal/core"
	"linnet/internal/discovery"
	"linnet/internal/event"
	"linnet/internal/identity"
	"linnet/internal/live"
	"linnet/internal/mailing"
	"linnet/internal/moderation"
	"linnet/internal/notify"
	"linnet/internal/outsidefeed"
	"linnet/internal/posting"
	"linnet/internal/reading"
	"linnet/internal/social"
	"linnet/internal/store"
	"linnet/internal/task"
	"linnet/internal/timeline"
	"linnet/internal/translation"
	"linnet/internal/uploads"
	"linnet/internal/view"
)

// Options of an App.
type Options = core.Options

// App connects all services of a server. It is safe for concurrent use.
type App struct {
	st    *store.Store
	opt   core.Options
	tasks *task.Queue
	facts *event.Facts

	Core        *core.Service
	Mailing     *mailing.Service
	Uploads     *uploads.Service
	Cards       *cards.Service
	Timeline    *timeline.Service
	View        *view.Service
	Reading     *reading.Service
	Notify      *notify.Service
	Push        *notify.Pusher
	Settings    *identity.Settings
	Emojis      *identity.Emojis
	Invites     *identity.Invites
	Identity    *identity.Service
	Apps        *identity.Apps
	Emails      *identity.Emails
	Security    *identity.Security
	Announcing  *announcing.Service
	Translation *translation.Service
	Social      *social.Service
	Groups      *social.Groups
	Lists       *social.Lists
	Posting     *posting.Service
	Outside     *outsidefeed.Service
	Archives    *archives.Service
	Live        *live.Service
	Trends      *discovery.Trends
	Promotions  *discovery.Promotions
	Feeds       *discovery.Feeds
	Discovery   *discovery.Service
	Moderation  *moderation.Service
}

// New creates all services over a store. Call Run to start their background work.
func New(st *store.Store, opt Options) (*App, error) {
	opt = opt.Complete()
	handlers, mails := map[string]task.Handler{}, map[string]mailing.Kind{} // filled below
	engine := st.Engine()
	facts := &event.Facts{}
	b := core.Base{Store: st, Options: opt, Facts: facts, Bus: engine, Meter: engine, State: engine, Tasks: task.NewQueue(engine, handlers, task.Options{
		Now: st.Now, Log: opt.Log, Exclusive: opt.Exclusive, Delegate: opt.Delegate, Workers: opt.Workers, Name: opt.Name, Version: opt.Version,
		Begins: opt.Observe.NoteTaskBegins, Ended: opt.Observe.NoteTaskEnded})}
	c, err := core.New(b)
	if err != nil {
		return nil, err
	}
	a := &App{st: st, opt: opt, tasks: b.Tasks, facts: facts, Core: c, Timeline: timeline.New(b)}
	a.Mailing = mailing.New(b, c, mails)
	a.Uploads = uploads.New(b)
	a.Cards = cards.New(b, c, a.Uploads)
	a.View = view.New(b, c)
	a.Reading = reading.New(b, c, a.Timeline, a.View)
	a.Notify = notify.New(b, c, a.View)
	a.Push = a.Notify.Pusher()
	a.Settings = identity.NewSettings(b, c, a.Uploads, a.View)
	a.Emojis = identity.NewEmojis(b, c, a.Uploads)
	a.Invites = identity.NewInvites(b, c, a.Settings)
	a.Identity = identity.New(b, c, a.Settings, a.Invites, a.Mailing, a.Notify.Unseen)
	a.Apps = identity.NewApps(b, c, a.Identity)
	a.Emails = a.Identity.Emails()
	maps.Copy(mails, a.Emails.Kinds())
	a.Security = a.Identity.Security()
	a.Announcing = announcing.New(b, c, a.View)
	a.Translation = translation.New(b, c, a.View)
	eraser := posting.NewEraser(b, a.Uploads, a.View)
	a.Social = social.New(b, c, a.Uploads, a.Cards, a.Timeline, a.View, a.Notify, a.Identity, eraser)
	a.Groups = a.Social.Groups
	a.Lists = a.Social.Lists
	a.Posting = posting.New(b, c, a.Uploads, a.Cards, a.Timeline, a.View, a.Reading, a.Notify, a.Social, eraser)
	a.Outside = outsidefeed.New(b, c, a.Uploads, a.View, a.Social, a.Posting)
	a.Archives = archives.New(b, c, a.Uploads, a.View, a.Social, a.Lists, a.Posting, a.Outside, eraser)
	a.Live = live.New(b, c, a.View, a.Notify, a.Identity, a.Announcing, a.Lists, a.Posting.Conversations)
	a.Trends = discovery.NewTrends(b, c, a.View, a.Reading, a.Cards)
	a.Promotions = discovery.NewPromotions(b, c, a.Timeline, a.Reading, a.Settings)
	a.Feeds = discovery.NewFeeds(b, a.Timeline, a.Reading, a.Social, a.Lists, a.Promotions)
	a.Discovery = discovery.New(b, c, a.View, a.Social, a.Trends)
	a.Moderation = moderation.New(b, c, a.Timeline, a.View, a.Notify, a.Identity, a.Settings, a.Social, a.Posting, a.Trends, a.Uploads)
	a.listen()
	for _, owned := range []map[string]task.Handler{a.Mailing.Handlers(), a.Uploads.Handlers(), a.Cards.Handlers(), a.Notify.Handlers(), a.Identity.Handlers(), a.Announcing.Handlers(), a.Social.Handlers(),
		a.Posting.Handlers(), a.Outside.Handlers(), a.Archives.Handlers(), a.Promotions.Handlers(), a.Discovery.Handlers(), a.Moderation.Handlers()} {
		maps.Copy(handlers, owned)
	}
	return a, nil
}

// Run works on tasks, compares the clock, and serves streams until ctx ends. It returns after
// everything it started has stopped.
func (s *App) Run(ctx context.Context) {
	if err := s.Core.SyncClock(ctx); err != nil && ctx.Err() == nil {
		s.opt.Log.Warn("cannot read the store's clock", "err", err)
	}
	s.Timeline.RefreshPulled(ctx)
	var running sync.WaitGroup
	for _, run := range []func(context.Context){s.Core.Run, s.Timeline.Run, s.Security.Run, s.Live.Run, s.Trends.Run, s.Discovery.Run, s.Moderation.Statistics.Run, s.Push.Run, s.Mailing.Run, s.Cards.Run, s.Outside.Run} {
		running.Go(func() { run(ctx) })
	}
	s.ServeTasks(ctx)
	running.Wait()
	s.Close()
}

// ServeTasks runs tasks until ctx ends, without the other background work of Run.
func (s *App) ServeTasks(ctx context.Context) { s.tasks.Serve(ctx) }

// Close stops the background work that services have started outside of Run. Run calls it before it
// returns. The App still handles requests afterwards.
func (s *App) Close() {
	for _, end := range []func(){s.Timeline.Close, s.Identity.Close, s.Posting.Close, s.Translation.Close, s.Discovery.Close} {
		end()
	}
}

// Reload immediately reloads the list of pulled authors, which Run reloads periodically.
func (s *App) Reload(ctx context.Context) error { return core.StoreError(s.Timeline.LoadPulled(ctx)) }

// Upgrade starts the tasks that bring a store of an earlier release up to date, each once per
// store. Call it whenever a server starts.
func (s *App) Upgrade(ctx context.Context) error {
	return errors.Join(s.Groups.Upgrade(ctx), s.Moderation.Upgrade(ctx))
}

// Idle reports whether this server holds no task.
func (s *App) Idle() bool { return s.tasks.Idle() }

// Files returns the media storage, or nil if uploads are disabled.
func (s *App) Files() blob.Store { return s.opt.Files }

// Store returns the underlying store, for commands that run while the server is serving.
func (s *App) Store() *store.Store { return s.st }

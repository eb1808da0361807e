package backend

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"linnet/internal/admin"
	"linnet/internal/app"
	"linnet/internal/blob"
	"linnet/internal/config"
	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/kv/fencekv"
	"linnet/internal/kv/watchkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
	"linnet/internal/store/instance"
	"linnet/internal/version"
)

// replicasTimeout limits how long Open waits for Redis replicas that are still loading.
const replicasTimeout = time.Minute

// Backend is an open store with its services.
type Backend struct {
	Config    *config.Config
	Engine    kv.Engine
	Fence     *fencekv.Engine // the engine without the wrappers of Engine
	Files     blob.Store
	Store     *store.Store
	App       *app.App
	scheduler *admin.BackupScheduler // runs scheduled backups; nil: none

	PublicURL string // public address of the instance

	run     context.Context // of the services; ends with stop
	stop    context.CancelFunc
	stopped chan struct{}
}

// Options adjust what a process does with the store.
type Options struct {
	PublicURL string
	Log       *slog.Logger
	Server    *ServerOptions // nil: a command, which runs no backups and reports no metrics
}

// ServerOptions are the parts of Options that only a server needs.
type ServerOptions struct {
	Call     func(context.Context, watchkv.Call) // observes each call of the engine
	Observer *core.Observer
	// Examine returns the findings that the administration shows.
	Examine func(context.Context, *Backend) []core.Finding
}

// Open opens the store and the media storage that c names, and starts the services. The caller must
// call Close.
func Open(ctx context.Context, c *config.Config, opt Options) (*Backend, error) {
	engine, err := OpenEngine(ctx, c, opt.Log)
	if err != nil {
		return nil, err
	}
	// The services run until Close and not until ctx ends: requests that are in progress when the
	// server stops still need them.
	run, stop := context.WithCancel(context.WithoutCancel(ctx))
	b := &Backend{Config: c, Engine: engine, Fence: engine, run: run, stop: stop, stopped: make(chan struct{}), PublicURL: opt.PublicURL}
	if err := b.start(ctx, opt); err != nil {
		stop()
		engine.Close()
		return nil, err
	}
	return b, nil
}

func (b *Backend) start(ctx context.Context, o Options) (err error) {
	c := b.Config
	opt := app.Options{PublicURL: b.PublicURL, Log: o.Log, Exclusive: c.Embedded(), Delegate: c.Role == config.RoleWeb,
		LimitNew: !c.NoRateLimits, Rates: c.Rates, Rendered: recordMemory(c)}
	if c.NoRateLimits {
		opt.Rates = core.Unlimited()
	}
	if b.Files, err = OpenFiles(ctx, c); err != nil {
		return err
	}
	opt.Files = b.Files
	if opt.Mail, err = c.MailServer(); err != nil {
		return err
	}
	opt.Reach, opt.Translate, opt.MaxArchive, opt.MaxImport = c.Reach, c.Translate, c.ArchiveLimit, c.ImportLimit
	opt.Pictures, opt.Receiving = mediaWorker(c), c.Data // not the system's directory, which can be in memory
	if o.Server != nil {
		opt.Name, opt.Version, opt.Observe = c.ServerName(), version.Version, o.Server.Observer
		opt.Examine = func(ctx context.Context) []core.Finding { return o.Server.Examine(ctx, b) }
		b.Engine = watchkv.New(b.Engine, o.Server.Call)
		if b.scheduler, err = b.newScheduler(c, o.Log); err != nil {
			return err
		}
		if b.scheduler != nil {
			opt.Backups = &core.Backups{To: c.Backup.To, Start: b.scheduler.Start, Next: c.Backup.Schedule.Next}
		}
	}
	b.Store = store.New(b.Engine, store.Options{Now: c.Now, Shared: !c.Embedded(), CacheBytes: recordMemory(c)})
	if err := b.Store.Follow(b.run); err != nil {
		return storeError(c, "cannot subscribe to changes of the store", err)
	}
	if _, err := b.Store.SyncClock(ctx); err != nil {
		return storeError(c, "cannot read the clock of the store", err)
	}
	if err := b.Store.Instance.CheckFormat(ctx); err != nil {
		return storeError(c, "cannot use the store", err)
	}
	b.App, err = app.New(b.Store, opt)
	if err != nil {
		return fmt.Errorf("set up the service: %w", err)
	}
	if o.Server != nil {
		b.prepare(ctx, o.Log)
	}
	go func() {
		defer close(b.stopped)
		var background sync.WaitGroup
		if b.scheduler != nil && c.Role != config.RoleWeb { // web servers run no background work
			background.Go(b.scheduler.Run)
		}
		b.App.Run(b.run)
		if background.Wait(); b.scheduler != nil {
			b.scheduler.Wait()
		}
	}()
	return nil
}

// prepare upgrades the store and checks the media storage. It only logs errors, because a full
// store can still serve its posts.
func (b *Backend) prepare(ctx context.Context, log *slog.Logger) {
	if err := b.App.Upgrade(ctx); err != nil {
		log.Warn("cannot upgrade the store; will retry at the next start", "err", err)
	}
	b.checkMedia(ctx, log)
	if _, err := b.App.Push.PublicKey(ctx); err != nil {
		log.Warn("cannot create the key for push services; will retry at the first push", "err", err)
	}
}

// Close finishes or hands back background tasks, and closes the store.
func (b *Backend) Close() error {
	b.stop()
	<-b.stopped
	if err := b.Engine.Close(); err != nil {
		return fmt.Errorf("close the store: %w", err)
	}
	return nil
}

// WaitIdle waits up to ten seconds until this process has no background tasks. The next server runs
// the rest.
func (b *Backend) WaitIdle(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	for !b.App.Idle() && ctx.Err() == nil {
		time.Sleep(5 * time.Millisecond)
	}
}

// newScheduler creates the scheduler of backups. It returns nil if no backups are configured.
func (b *Backend) newScheduler(c *config.Config, log *slog.Logger) (*admin.BackupScheduler, error) {
	if c.Backup.To == "" {
		return nil, nil
	}
	to, err := c.NewBackupTarget(c.Backup.To)
	if err != nil {
		return nil, err
	}
	opt := admin.BackupOptions{To: to, Recipients: c.Backup.Recipients, Scratch: c.TempDir(), Program: version.Version, Keep: c.Backup.Keep}
	return admin.NewBackupScheduler(b.run, admin.Source{Engine: b.Engine, Files: b.Files},
		admin.SchedulerOptions{Backup: opt, Schedule: c.Backup.Schedule, Name: c.ServerName(), Log: log}), nil
}

// WatchMove polls the fence of the store, so that writes need not read it. It returns an error when
// the store was moved to another, and nil when ctx ends.
func (b *Backend) WatchMove(ctx context.Context) error {
	tick := time.NewTicker(fencekv.LookEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		look, cancel := context.WithTimeout(ctx, fencekv.LookEvery)
		err := b.Fence.Look(look)
		if cancel(); errors.As(err, new(instance.ErrMoved)) {
			return err
		}
	}
}

// SetupToken creates a token for the set-up page. It returns "" if there is an administrator
// already, or if the store is full, so that the server can serve the posts that are there.
func (b *Backend) SetupToken(ctx context.Context, log *slog.Logger) (token string, expires time.Time, err error) {
	token, expires, err = b.App.Moderation.Setup.NewToken(ctx)
	switch {
	case err == nil:
		return token, expires, nil
	case linnet.KindOf(err) == linnet.Full:
		log.Warn("cannot create a setup link: the store is read-only; free some disk space and restart the server", "err", err)
		return "", expires, nil
	case linnet.KindOf(err) == linnet.Conflict:
		return "", expires, nil
	}
	return "", expires, storeError(b.Config, "cannot create the setup link", err)
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"linnet/internal/admin"
	"linnet/internal/app"
	"linnet/internal/blob"
	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/kv/diskkv"
	"linnet/internal/kv/fencekv"
	"linnet/internal/kv/rediskv"
	"linnet/internal/kv/watchkv"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/store/accounts"
)

// replicasWithin is how long a start waits for replicas that are still being
// filled, if they are waited for.
const replicasWithin = time.Minute

// backend is an open store with the service over it.
type backend struct {
	cfg    *config
	engine kv.Engine
	fence  *fencekv.Engine // the same, if nothing else is around it
	files  blob.Store
	store  *store.Store
	svc    *app.App
	keeper *admin.Keeper // of a server that makes backups; nil else

	publicURL string // under which people reach it

	run     context.Context // of the service; ends with stop
	stop    context.CancelFunc
	stopped chan struct{}
}

// openBackend opens the store that the configuration names and starts the
// service: tasks, clock and streams. m may be nil. close must be called.
func openBackend(ctx context.Context, c *config, publicURL string, log *slog.Logger, m *metrics) (*backend, error) {
	engine, err := openEngine(ctx, c, log)
	if err != nil {
		return nil, err
	}
	// The service and its cache end when close says so and not with ctx: requests
	// that are under way when the server is asked to stop still need them.
	run, stop := context.WithCancel(context.WithoutCancel(ctx))
	b := &backend{cfg: c, engine: engine, fence: engine, run: run, stop: stop, stopped: make(chan struct{}), publicURL: publicURL}
	if err := b.start(ctx, c, log, m); err != nil {
		stop()
		engine.Close()
		return nil, err
	}
	return b, nil
}

func (b *backend) start(ctx context.Context, c *config, log *slog.Logger, m *metrics) (err error) {
	opt := app.Options{PublicURL: b.publicURL, Log: log, Exclusive: c.embedded(), HandOver: c.Role == roleWeb,
		LimitNew: !c.NoRateLimits, Rates: c.rates(), Rendered: c.recordMemory()}
	if b.files, err = openFiles(ctx, c); err != nil {
		return err
	}
	opt.Files = b.files
	if opt.Mail, err = c.mailServer(); err != nil {
		return err
	}
	opt.Reach, opt.Translate, opt.MaxArchive, opt.MaxImport = c.Reach, c.Translate, c.ArchiveLimit, c.ImportLimit
	opt.Pictures, opt.Receiving = c.pictureWorker(), c.Data // and not in the system's, which may lie in memory
	if m != nil {                                           // a server, and not a command beside servers
		opt.Name, opt.Version, opt.Examine = serverName(c), release, b.examine
		b.engine, opt.Observe = watchkv.New(b.engine, m.call), m.observer()
		if b.keeper, err = b.newKeeper(c, log); err != nil {
			return err
		}
		if b.keeper != nil {
			opt.Backups = &core.Backups{To: c.Backup.To, Start: b.keeper.Start, Next: c.Backup.Schedule.Next}
		}
	}
	b.store = store.New(b.engine, store.Options{Now: c.now, Shared: !c.embedded(), CacheBytes: c.recordMemory()})
	if err := b.store.Follow(b.run); err != nil {
		return c.storeFault("cannot subscribe to changes of the store", err)
	}
	if _, err := b.store.SyncClock(ctx); err != nil {
		return c.storeFault("cannot read the clock of the store", err)
	}
	if err := b.store.Accounts.CheckFormat(ctx); err != nil {
		return c.storeFault("cannot use the store", err)
	}
	b.svc, err = app.New(b.store, opt)
	if err != nil {
		return fmt.Errorf("set up the service: %w", err)
	}
	if m != nil {
		m.watch(b.svc)
		b.prepare(ctx, log)
	}
	go func() {
		defer close(b.stopped)
		var beside sync.WaitGroup
		if b.keeper != nil && c.Role != roleWeb { // which only answers people
			beside.Go(b.keeper.Run)
		}
		b.svc.Run(b.run)
		if beside.Wait(); b.keeper != nil {
			b.keeper.Wait()
		}
	}()
	return nil
}

// prepare brings the store up to date, and looks at what else a server needs. It serves whatever
// comes of that: a full store still serves what it holds.
func (b *backend) prepare(ctx context.Context, log *slog.Logger) {
	if err := b.svc.Upgrade(ctx); err != nil {
		log.Warn("cannot upgrade the store; the next start retries", "err", err)
	}
	b.knowPlace(ctx, log)
	if b.cfg.embedded() {
		b.lookAtClock(ctx, time.Now(), log)
	}
	if _, err := b.svc.Push.PublicKey(ctx); err != nil {
		log.Warn("cannot create the key for push services; the first push retries", "err", err)
	}
}

// serverName tells this server from others on the same store. It stays when it is
// started again in the same place.
func serverName(c *config) string {
	host, err := os.Hostname()
	if err != nil {
		return "" // it has another name each time
	}
	return host + " " + c.Addr
}

// close lets deferred work come to its end or hands it back, and closes the
// store.
func (b *backend) close() error {
	b.stop()
	<-b.stopped
	if err := b.engine.Close(); err != nil {
		return fmt.Errorf("close the store: %w", err)
	}
	return nil
}

// settle waits until the deferred work of this process is done, but not for
// long: what is left is done by the next server.
func (b *backend) settle(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	for !b.svc.Idle() && ctx.Err() == nil {
		time.Sleep(5 * time.Millisecond)
	}
}

// scratchDir is where files lie that are needed for a while: in the data directory, if there
// is one, and not in the system's, which may lie in memory.
func (c *config) scratchDir() string {
	if info, err := os.Stat(c.Data); err == nil && info.IsDir() {
		return c.Data
	}
	return ""
}

func (c *config) embedded() bool { return c.Store == "embedded" }

// storeDir is where the embedded store lies.
func (c *config) storeDir() string { return filepath.Join(c.Data, "store") }

// openEngine opens the engine that the configuration names, behind the fence that is closed
// when the store is moved to another.
func openEngine(ctx context.Context, c *config, log *slog.Logger) (*fencekv.Engine, error) {
	e, err := openUnfenced(ctx, c, log)
	if err != nil {
		return nil, err
	}
	return fencekv.New(e, fencekv.Options{Key: record.FenceKey(), Judge: accounts.Writable, Free: accounts.Unfenced(), Alone: c.embedded()}), nil
}

func openUnfenced(ctx context.Context, c *config, log *slog.Logger) (kv.Engine, error) {
	if !c.embedded() {
		ctx, cancel := context.WithTimeout(ctx, 10*time.Second+replicasWithin)
		defer cancel()
		e, err := rediskv.Open(ctx, c.Store, rediskv.Options{
			Prefix: c.RedisPrefix, WaitReplicas: c.RedisReplicas, ReplicasWithin: replicasWithin, FeedTTL: c.FeedTTL, Guard: true, Logger: log})
		if err != nil {
			return nil, c.storeFault("cannot use the store "+maskURL(c.Store), err)
		}
		return e, nil
	}
	opts := diskkv.Options{Sync: diskkv.SyncInterval, Reserve: c.Reserve, FeedTTL: c.FeedTTL, Logger: log, Now: c.now}
	if c.SyncAlways {
		opts.Sync = diskkv.SyncAlways
	}
	c.shareMemory(&opts)
	if opts.Reserve == 0 {
		opts.Reserve = -1 // to the engine 0 means its default
	}
	e, err := diskkv.Open(c.storeDir(), opts)
	if err != nil {
		return nil, c.storeFault("cannot use the data directory "+c.Data, err)
	}
	return e, nil
}

// storeFault tells why the store cannot be used. A Redis that does not answer
// may come back, and who has locked a directory ends; one that is damaged or of a newer format
// stays so until somebody acts.
func (c *config) storeFault(what string, err error) error {
	f, another := &fault{code: exitFailed, what: what, cause: err, from: c.from("store")}, "another with --store"
	if c.embedded() {
		f.from, another = c.from("data"), "another with --data DIR"
	}
	if c.storeFrom != "" {
		f.from, another = "argument "+c.storeFrom, "another as "+c.storeFrom
	}
	var format accounts.ErrFormat
	var moved accounts.ErrMoved
	var filling accounts.ErrFilling
	switch {
	case errors.As(err, &moved), errors.As(err, &filling):
		f.code = exitState
	case errors.Is(err, kv.ErrMoving):
		f.code = exitTemporary
		f.advice = "Start again in a few seconds."
	case errors.Is(err, rediskv.ErrFewReplicas):
		f.code = exitTemporary
		f.advice = "INFO replication on the Redis lists the replicas that are online. Without them no write can be acknowledged."
	case errors.Is(err, kv.ErrFull):
		f.code = exitTemporary
		f.advice = "Free some disk space: creating a store requires writing."
		if c.embedded() {
			f.advice = "Free some space on this disk, or set a lower --reserve."
		}
	case errors.Is(err, diskkv.ErrInUse): // a command ends; a service that starts meanwhile must not stay down
		f.code = exitTemporary
		f.advice = "A server (see linnet status) or another command uses it. Try again when it has stopped."
	case errors.Is(err, rediskv.ErrDenied):
		f.code = exitTemporary
		f.advice = "The Redis refuses this user: correct the user and password in --store (redis://USER:PASSWORD@HOST), or grant the user the permissions listed in docs/admin/redis.md."
	case errors.Is(err, kv.ErrUnavailable), errors.Is(err, context.DeadlineExceeded):
		f.code = exitTemporary
		f.advice = "Is it running? Start it, or name " + another + "."
	case errors.As(err, &format), errors.Is(err, accounts.ErrRestoring):
		f.code = exitState
	case errors.Is(err, fs.ErrPermission):
		f.advice = "Grant this user access to it, or name " + another + "."
	case c.embedded():
		f.code = exitState
	}
	return f
}

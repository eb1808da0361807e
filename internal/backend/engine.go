package backend

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"time"

	"linnet/internal/config"
	"linnet/internal/exit"
	"linnet/internal/kv"
	"linnet/internal/kv/diskkv"
	"linnet/internal/kv/fencekv"
	"linnet/internal/kv/rediskv"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/store/instance"
)

// OpenEngine opens the engine that c names, behind a fence that closes when the store is moved.
func OpenEngine(ctx context.Context, c *config.Config, log *slog.Logger) (*fencekv.Engine, error) {
	e, err := OpenUnfenced(ctx, c, log)
	if err != nil {
		return nil, err
	}
	return fencekv.New(e, fencekv.Options{Key: record.FenceKey(), Judge: instance.Writable, Free: instance.Unfenced(), Alone: c.Embedded()}), nil
}

// OpenUnfenced opens the engine that c names, without a fence.
func OpenUnfenced(ctx context.Context, c *config.Config, log *slog.Logger) (kv.Engine, error) {
	if !c.Embedded() {
		ctx, cancel := context.WithTimeout(ctx, 10*time.Second+replicasTimeout)
		defer cancel()
		e, err := rediskv.Open(ctx, c.Store, rediskv.Options{
			Prefix: c.RedisPrefix, WaitReplicas: c.RedisReplicas, ReplicasWithin: replicasTimeout, FeedTTL: c.FeedTTL, Guard: true, Logger: log})
		if err != nil {
			return nil, storeError(c, "cannot use the store "+config.MaskURL(c.Store), err)
		}
		return e, nil
	}
	opts := diskkv.Options{Sync: diskkv.SyncInterval, Reserve: c.Reserve, FeedTTL: c.FeedTTL, Logger: log, Now: c.Now}
	if c.SyncAlways {
		opts.Sync = diskkv.SyncAlways
	}
	// The rest of the memory is for records, memtables and the garbage collector.
	opts.FeedMemory, opts.Cache = c.Memory/4, c.Memory/16
	if opts.Reserve == 0 {
		opts.Reserve = -1 // the engine uses its default for 0
	}
	e, err := diskkv.Open(c.StoreDir(), opts)
	if err != nil {
		return nil, storeError(c, "cannot use the data directory "+c.Data, err)
	}
	return e, nil
}

// storeError explains why the store cannot be used. Its exit code tells service managers whether a
// retry can help.
func storeError(c *config.Config, what string, err error) error {
	f, another := &exit.Error{Code: exit.Failed, What: what, Cause: err, Source: c.Source("store")}, "another with --store"
	if c.Embedded() {
		f.Source, another = c.Source("data"), "another with --data DIR"
	}
	if c.StoreArgument != "" {
		f.Source, another = "argument "+c.StoreArgument, "another as "+c.StoreArgument
	}
	var format instance.ErrFormat
	var moved instance.ErrMoved
	var filling instance.ErrFilling
	switch {
	case errors.As(err, &moved), errors.As(err, &filling):
		f.Code = exit.State
	case errors.Is(err, kv.ErrMoving):
		f.Code = exit.Temporary
		f.Advice = "Run the command again in a few seconds."
	case errors.Is(err, rediskv.ErrFewReplicas):
		f.Code = exit.Temporary
		f.Advice = "Start the replicas: without them Redis cannot acknowledge writes. INFO replication lists the connected ones."
	case errors.Is(err, kv.ErrFull):
		f.Code = exit.Temporary
		f.Advice = "Free up memory in Redis, or raise maxmemory."
		if c.Embedded() {
			f.Advice = "Free some space on this disk, or set a lower --reserve."
		}
	case errors.Is(err, diskkv.ErrInUse): // temporary, because a command may use the store for a moment
		f.Code = exit.Temporary
		f.Advice = "Another linnet process is using the store (see linnet status). Try again when that process has stopped."
	case errors.Is(err, rediskv.ErrDenied):
		f.Code = exit.Temporary
		f.Advice = "The Redis server rejected this user: correct the user and password in --store (redis://USER:PASSWORD@HOST), or grant the user the permissions listed in docs/admin/redis.md."
	case errors.Is(err, kv.ErrUnavailable), errors.Is(err, context.DeadlineExceeded):
		f.Code = exit.Temporary
		f.Advice = "Check whether the store is running and start it, or choose " + another + "."
	case errors.As(err, &format), errors.Is(err, instance.ErrRestoring):
		f.Code = exit.State
	case errors.Is(err, fs.ErrPermission):
		f.Advice = "Give this user access to the data directory, or choose " + another + "."
	case c.Embedded():
		f.Code = exit.State
	}
	return f
}

// recordMemory returns the size of the record cache, and of the cache of rendered records. It is an
// eighth of the memory limit, or a quarter with Redis, which stores the feeds.
func recordMemory(c *config.Config) int64 {
	if c.Embedded() {
		return c.Memory / 8
	}
	return c.Memory / 4
}

// noStoreError returns the error of a diagnosis of a Redis that contains no store.
func noStoreError(c *config.Config) error {
	return &exit.Error{Code: exit.Failed, What: "no store found in " + c.StoreLocation() + ": this Redis server is new, was emptied, or is not the one that the servers use", Source: c.Source("store"),
		Advice: "Correct --store or --redis.prefix. If Redis was emptied, stop every server and restore a backup (linnet help restore)."}
}

// OpenAlone opens the engine and the files without the services, so that nothing changes in the
// store meanwhile.
func OpenAlone(ctx context.Context, c *config.Config, log *slog.Logger) (*Backend, error) {
	engine, err := OpenEngine(ctx, c, log)
	if err != nil {
		return nil, err
	}
	b := &Backend{Config: c, Engine: engine, Fence: engine, stop: func() {}, stopped: make(chan struct{})}
	close(b.stopped) // no services run
	if err = store.New(engine, store.Options{}).Instance.CheckFormat(ctx); err != nil {
		err = storeError(c, "cannot use the store", err)
	} else {
		b.Files, err = OpenFiles(ctx, c)
	}
	if err != nil {
		engine.Close()
		return nil, err
	}
	return b, nil
}

package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"linnet/internal/app"
	"linnet/internal/kv"
	"linnet/internal/kv/rediskv"
	"linnet/internal/store"
)

// observeWithin limits how long a diagnosis waits for a Redis.
const observeWithin = 10 * time.Second

// errObserving is returned by writes of a process that only observes.
var errObserving = errors.New("this command writes nothing to the store")

// observed is an engine to which nothing is written.
type observed struct{ kv.Engine }

// Txn implements kv.Store.
func (observed) Txn(context.Context, []kv.Cond, ...kv.Op) (int, error) { return -1, errObserving }

// Apply implements kv.Store.
func (observed) Apply(context.Context, ...kv.Op) error { return errObserving }

// openObserver opens a Redis for a diagnosis. Nothing is written to it, and no task is run.
func openObserver(ctx context.Context, c *config, log *slog.Logger) (*backend, error) {
	opening, cancel := context.WithTimeout(ctx, observeWithin)
	defer cancel()
	e, err := rediskv.Open(opening, c.Store, rediskv.Options{
		Prefix: c.RedisPrefix, WaitReplicas: c.RedisReplicas, FeedTTL: c.FeedTTL, Guard: true, Observe: true, Logger: log})
	if errors.Is(err, rediskv.ErrUnmarked) {
		return nil, c.noStore()
	}
	if err != nil {
		return nil, c.storeFault("cannot use the store "+maskURL(c.Store), err)
	}
	b := &backend{cfg: c, engine: observed{e}, publicURL: c.publicURL(), stopped: make(chan struct{})}
	b.run, b.stop = context.WithCancel(context.WithoutCancel(ctx))
	close(b.stopped) // the service does not run
	if err := b.observe(opening, log); err != nil {
		return nil, errors.Join(err, b.close())
	}
	return b, nil
}

func (b *backend) observe(ctx context.Context, log *slog.Logger) (err error) {
	if b.files, err = openFiles(ctx, b.cfg); err != nil {
		return err
	}
	b.store = store.New(b.engine, store.Options{Now: b.cfg.now})
	if _, err := b.store.SyncClock(ctx); err != nil {
		return b.cfg.storeFault("cannot read the clock of the store", err)
	}
	format, err := b.store.Accounts.ReadFormat(ctx)
	if err != nil {
		return b.cfg.storeFault("cannot use the store", err)
	}
	if format == 0 {
		return b.cfg.noStore()
	}
	if b.svc, err = app.New(b.store, app.Options{PublicURL: b.publicURL, Log: log, Files: b.files}); err != nil {
		return fmt.Errorf("set up the service: %w", err)
	}
	return nil
}

// noStore is the error of a diagnosis of a Redis that holds no store.
func (c *config) noStore() error {
	return &fault{code: exitFailed, what: "there is no store in " + c.storePlace() + ": it is new, was emptied, or is not the Redis that the servers use", from: c.from("store"),
		advice: "Correct --store or --redis.prefix. If the Redis was emptied, stop every server and restore a backup (linnet help restore)."}
}

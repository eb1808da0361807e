package backend

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"linnet/internal/config"

	"linnet/internal/app"
	"linnet/internal/kv"
	"linnet/internal/kv/rediskv"
	"linnet/internal/store"
)

// observeWithin limits how long a diagnosis waits for Redis.
const observeWithin = 10 * time.Second

// errObserving is the error of writes by a diagnosis.
var errObserving = errors.New("this command writes nothing to the store")

// observed is an engine that rejects writes.
type observed struct{ kv.Engine }

// Txn implements kv.Store.
func (observed) Txn(context.Context, []kv.Cond, ...kv.Op) (int, error) { return -1, errObserving }

// Apply implements kv.Store.
func (observed) Apply(context.Context, ...kv.Op) error { return errObserving }

// OpenObserver opens Redis for a diagnosis. It writes nothing and runs no tasks.
func OpenObserver(ctx context.Context, c *config.Config, log *slog.Logger) (*Backend, error) {
	opening, cancel := context.WithTimeout(ctx, observeWithin)
	defer cancel()
	e, err := rediskv.Open(opening, c.Store, rediskv.Options{
		Prefix: c.RedisPrefix, WaitReplicas: c.RedisReplicas, FeedTTL: c.FeedTTL, Guard: true, Observe: true, Logger: log})
	if errors.Is(err, rediskv.ErrUnmarked) {
		return nil, noStore(c)
	}
	if err != nil {
		return nil, storeFault(c, "cannot use the store "+config.MaskURL(c.Store), err)
	}
	b := &Backend{Config: c, Engine: observed{e}, PublicURL: c.BaseURL(), stopped: make(chan struct{})}
	b.run, b.stop = context.WithCancel(context.WithoutCancel(ctx))
	close(b.stopped) // no services run
	if err := b.observe(opening, log); err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return b, nil
}

func (b *Backend) observe(ctx context.Context, log *slog.Logger) (err error) {
	if b.Files, err = OpenFiles(ctx, b.Config); err != nil {
		return err
	}
	b.Store = store.New(b.Engine, store.Options{Now: b.Config.Now})
	if _, err := b.Store.SyncClock(ctx); err != nil {
		return storeFault(b.Config, "cannot read the clock of the store", err)
	}
	format, err := b.Store.Accounts.ReadFormat(ctx)
	if err != nil {
		return storeFault(b.Config, "cannot use the store", err)
	}
	if format == 0 {
		return noStore(b.Config)
	}
	if b.App, err = app.New(b.Store, app.Options{PublicURL: b.PublicURL, Log: log, Files: b.Files}); err != nil {
		return fmt.Errorf("set up the service: %w", err)
	}
	return nil
}

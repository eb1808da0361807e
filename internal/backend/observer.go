package backend

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"linnet/internal/app"
	"linnet/internal/config"
	"linnet/internal/kv"
	"linnet/internal/kv/rediskv"
	"linnet/internal/store"
)

// observeTimeout limits how long a diagnosis waits for Redis.
const observeTimeout = 10 * time.Second

// errReadOnly is the error of writes by a diagnosis.
var errReadOnly = errors.New("this command cannot write to the store")

// readOnly is an engine that rejects writes.
type readOnly struct{ kv.Engine }

// Txn implements kv.Store.
func (readOnly) Txn(context.Context, []kv.Cond, ...kv.Op) (int, error) { return -1, errReadOnly }

// Apply implements kv.Store.
func (readOnly) Apply(context.Context, ...kv.Op) error { return errReadOnly }

// OpenObserver opens Redis for a diagnosis. It writes nothing and runs no tasks.
func OpenObserver(ctx context.Context, c *config.Config, log *slog.Logger) (*Backend, error) {
	opening, cancel := context.WithTimeout(ctx, observeTimeout)
	defer cancel()
	e, err := rediskv.Open(opening, c.Store, rediskv.Options{
		Prefix: c.RedisPrefix, WaitReplicas: c.RedisReplicas, FeedTTL: c.FeedTTL, Guard: true, Observe: true, Logger: log})
	if errors.Is(err, rediskv.ErrUnmarked) {
		return nil, noStoreError(c)
	}
	if err != nil {
		return nil, storeError(c, "cannot use the store "+config.MaskURL(c.Store), err)
	}
	b := &Backend{Config: c, Engine: readOnly{e}, PublicURL: c.BaseURL(), stopped: make(chan struct{})}
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
		return storeError(b.Config, "cannot read the clock of the store", err)
	}
	format, err := b.Store.Instance.ReadFormat(ctx)
	if err != nil {
		return storeError(b.Config, "cannot use the store", err)
	}
	if format == 0 {
		return noStoreError(b.Config)
	}
	if b.App, err = app.New(b.Store, app.Options{PublicURL: b.PublicURL, Log: log, Files: b.Files}); err != nil {
		return fmt.Errorf("set up the service: %w", err)
	}
	return nil
}

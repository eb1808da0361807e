package seed

import (
	"context"
	"errors"
	"log/slog"

	"linnet/internal/backend"
	"linnet/internal/config"
)

// FillStore opens a store, fills it and closes it. The store is configured by flags, without their
// dashes, and the environment of linnet. No other process may have it open if it is an embedded
// one.
func FillStore(ctx context.Context, flags map[string]string, env config.Environment, opt Options) (Result, error) {
	c, err := config.Resolve(flags, env)
	if err != nil {
		return Result{}, err
	}
	b, err := backend.Open(ctx, c, backend.Options{PublicURL: c.BaseURL(), Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return Result{}, err
	}
	did, err := Fill(ctx, b.App, opt)
	b.WaitIdle(ctx)
	return did, errors.Join(err, b.Close())
}

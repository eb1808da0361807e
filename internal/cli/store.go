package cli

import (
	"cmp"
	"context"
	"errors"
	"log/slog"

	"linnet/internal/backend"
	"linnet/internal/server"
)

// runOnStore executes a command that needs the store: in the server that runs
// on the data directory, or else here. A Redis is opened beside its servers,
// unless it is only the server at hand that knows of it.
func runOnStore(ctx context.Context, c *call) (err error) {
	if c.line.cmd.password {
		if c.secret, err = c.password(ctx); err != nil {
			return err
		}
	}
	if c.line.cmd.file {
		if c.sent, err = c.readSent(); err != nil {
			return err
		}
	}
	if c.cfg.Embedded() {
		err := server.Send(ctx, c.cfg.Data, server.Command{Args: c.line.forwarded(), Password: c.secret, File: c.sent, Stream: c.stream}, c.stdout, c.stderr)
		if !errors.Is(err, server.ErrNotRunning) {
			return err
		}
	}
	log := newLogger(c.cfg, c.stderr)
	if c.cfg.Source("log-level") == "default" {
		// What a server reports as it goes is no news to whoever typed a command.
		log = slog.New(levelled{log.Handler(), slog.LevelWarn})
	}
	if c.line.cmd.alone {
		return runAlone(ctx, c, log)
	}
	b, err := openFor(ctx, c, log)
	if err != nil {
		return err
	}
	err = c.line.cmd.act(ctx, c, b)
	b.Settle(ctx)
	return errors.Join(err, b.Close())
}

// openFor opens the store as a command needs it.
func openFor(ctx context.Context, c *call, log *slog.Logger) (*backend.Backend, error) {
	if c.line.cmd.observes && !c.cfg.Embedded() {
		return backend.OpenObserver(ctx, c.cfg, log)
	}
	return backend.Open(ctx, c.cfg, backend.Options{PublicURL: c.cfg.BaseURL(), Log: log})
}

// runAlone executes a command over the engine alone.
func runAlone(ctx context.Context, c *call, log *slog.Logger) error {
	b, err := backend.OpenAlone(ctx, c.cfg, log)
	if err != nil {
		return err
	}
	err = c.line.cmd.act(ctx, c, b)
	return cmp.Or(err, b.Close())
}

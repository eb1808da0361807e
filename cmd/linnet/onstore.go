package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"linnet/internal/store"
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
	if c.cfg.embedded() {
		err := sendOrder(ctx, c, order{Args: c.line.forwarded(), Password: c.secret, File: c.sent})
		if !errors.Is(err, errNoServer) {
			return err
		}
	}
	log := newLogger(c.cfg, c.stderr)
	if c.cfg.settings["log-level"].source == "default" {
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
	b.settle(ctx)
	return errors.Join(err, b.close())
}

// openFor opens the store as a command needs it.
func openFor(ctx context.Context, c *call, log *slog.Logger) (*backend, error) {
	if c.line.cmd.observes && !c.cfg.embedded() {
		return openObserver(ctx, c.cfg, log)
	}
	return openBackend(ctx, c.cfg, c.cfg.publicURL(), log, nil)
}

// runAlone executes a command over the engine alone.
func runAlone(ctx context.Context, c *call, log *slog.Logger) error {
	engine, err := openEngine(ctx, c.cfg, log)
	if err != nil {
		return err
	}
	b := &backend{cfg: c.cfg, engine: engine, fence: engine}
	if err = store.New(engine, store.Options{}).Accounts.CheckFormat(ctx); err != nil {
		err = c.cfg.storeFault("cannot use the store", err)
	}
	if err == nil {
		b.files, err = openFiles(ctx, c.cfg)
	}
	if err == nil {
		err = c.line.cmd.act(ctx, c, b)
	}
	if closed := engine.Close(); err == nil && closed != nil {
		err = fmt.Errorf("close the store: %w", closed)
	}
	return err
}

// publicURL is the public address as far as it is known without a listener.
func (c *config) publicURL() string {
	if c.PublicURL != "" {
		return c.PublicURL
	}
	return "http://" + c.Addr
}

// levelled raises the level of a log.
type levelled struct {
	slog.Handler
	least slog.Level
}

func (l levelled) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= l.least && l.Handler.Enabled(ctx, level)
}

func (l levelled) WithAttrs(as []slog.Attr) slog.Handler {
	return levelled{l.Handler.WithAttrs(as), l.least}
}

func (l levelled) WithGroup(name string) slog.Handler {
	return levelled{l.Handler.WithGroup(name), l.least}
}

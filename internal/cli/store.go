package cli

import (
	"cmp"
	"context"
	"errors"

	"linnet/internal/backend"
	"linnet/internal/server"
)

// runOnStore executes a command on the store. With the embedded store it runs in the server that
// has the store, or else in this process. With Redis it runs in this process.
func runOnStore(ctx context.Context, c *call) (err error) {
	if c.line.cmd.password {
		if c.secret, err = c.password(ctx); err != nil {
			return err
		}
	}
	if c.line.cmd.file {
		if c.file, err = c.readFile(); err != nil {
			return err
		}
	}
	if c.cfg.Embedded() {
		err := server.Send(ctx, c.cfg.Data, server.Command{Args: c.line.forwarded(), Password: c.secret, File: c.file, Stream: c.stream}, c.stdout, c.stderr)
		if !errors.Is(err, server.ErrNotRunning) {
			return err
		}
	}
	log := newLogger(c.cfg, c.stderr)
	if c.cfg.Source("log-level") == "default" {
		// Information that a server logs does not interest the user of a command.
		log = warnings(log)
	}
	if c.line.cmd.alone {
		b, err := backend.OpenAlone(ctx, c.cfg, log)
		if err != nil {
			return err
		}
		err = c.line.cmd.act(ctx, c, b)
		return cmp.Or(err, b.Close())
	}
	var b *backend.Backend
	if c.line.cmd.observes && !c.cfg.Embedded() {
		b, err = backend.OpenObserver(ctx, c.cfg, log)
	} else {
		b, err = backend.Open(ctx, c.cfg, backend.Options{PublicURL: c.cfg.BaseURL(), Log: log})
	}
	if err != nil {
		return err
	}
	err = c.line.cmd.act(ctx, c, b)
	b.WaitIdle(ctx)
	return errors.Join(err, b.Close())
}

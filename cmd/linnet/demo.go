package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"linnet/internal/admin"
	"linnet/internal/linnet"
)

// runDemo serves a small world in a directory of its own, which goes when the
// server stops.
func runDemo(ctx context.Context, c *call) (err error) {
	for _, name := range []string{"data", "store"} {
		if from := c.cfg.from(name); from != "default" {
			return &fault{code: exitUsage, what: "the demo has its own store and does not accept --" + name, from: from,
				advice: "Leave it out, or run linnet serve instead."}
		}
	}
	dir, err := os.MkdirTemp("", "linnet-demo-")
	if err != nil {
		return fmt.Errorf("create a directory for the demo: %w", err)
	}
	defer os.RemoveAll(dir)
	cfg := *c.cfg
	cfg.Data = dir
	if err := fillDemo(ctx, cfg); err != nil {
		return err
	}
	fmt.Fprintf(c.stdout, "Demo     log in as %s (administrator), lizzy, ishmael or pepys; password: %s\n", admin.DemoKeeper, admin.DemoPassword)
	of := *c
	of.cfg = &cfg
	return serve(ctx, &of)
}

// fillDemo writes the world under a clock of its own, which ends at this moment.
func fillDemo(ctx context.Context, cfg config) error {
	if err := makeDataDir(&cfg); err != nil {
		return err
	}
	clock := admin.NewDemoClock(time.Now())
	cfg.now, cfg.SyncAlways, cfg.Reserve, cfg.NoRateLimits = clock.Now, false, 0, true
	b, err := openBackend(ctx, &cfg, cfg.publicURL(), slog.New(slog.DiscardHandler), nil)
	if err != nil {
		return err
	}
	if err = admin.Demo(ctx, b.svc, clock); err == nil {
		err = b.noteKeeper(ctx)
	}
	b.settle(ctx)
	return errors.Join(err, b.close())
}

// noteKeeper says that there is an administrator, so that no set-up is offered.
func (b *backend) noteKeeper(ctx context.Context) error {
	u, err := b.svc.Moderation.AccountNamed(ctx, linnet.Operator(), admin.DemoKeeper)
	if err != nil {
		return err
	}
	return b.noteAdmin(ctx, u.ID, u.Role)
}

package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"linnet/internal/admin"
	"linnet/internal/backend"
	"linnet/internal/config"
	"linnet/internal/exit"
	"linnet/internal/linnet"
)

// demo serves sample data from a temporary directory, which it deletes at the end.
func demo(ctx context.Context, c *call) (err error) {
	for _, name := range []string{"data", "store"} {
		if from := c.cfg.Source(name); from != "default" {
			return &exit.Error{Code: exit.Usage, What: "the demo has its own store and does not accept --" + name, Source: from,
				Advice: "Leave it out, or run linnet serve instead."}
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
	fmt.Fprintf(c.stdout, "Demo     log in as %s (administrator), lizzy, ishmael or pepys; password: %s\n", admin.DemoAdmin, admin.DemoPassword)
	of := *c
	of.cfg = &cfg
	return serve(ctx, &of)
}

// fillDemo writes the sample data. Its clock ends at the current time.
func fillDemo(ctx context.Context, cfg config.Config) error {
	if err := cfg.MakeDataDir(); err != nil {
		return err
	}
	clock := admin.NewDemoClock(time.Now())
	cfg.Program = "" // convert the pictures in this process, which is faster
	cfg.Now, cfg.SyncAlways, cfg.Reserve, cfg.NoRateLimits = clock.Now, false, 0, true
	b, err := backend.Open(ctx, &cfg, backend.Options{PublicURL: cfg.BaseURL(), Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	if err = admin.Demo(ctx, b.App, clock); err == nil {
		var u *linnet.User
		if u, err = b.App.Moderation.AccountNamed(ctx, linnet.Operator(), admin.DemoAdmin); err == nil {
			err = noteAdmin(ctx, b, u.ID, u.Role) // so that the server offers no setup link
		}
	}
	b.WaitIdle(ctx)
	return errors.Join(err, b.Close())
}

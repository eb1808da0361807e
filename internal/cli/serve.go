package cli

import (
	"context"
	"fmt"
	"io"
	"time"

	"linnet/internal/backend"
	"linnet/internal/config"
	"linnet/internal/exit"
	"linnet/internal/server"
)

// serve runs the server.
func serve(ctx context.Context, c *call) error {
	if err := c.cfg.Check(); err != nil {
		return err
	}
	if c.cfg.Role == config.RoleWorker && len(c.args()) > 0 {
		return exit.UsageError("a worker serves no requests and needs no certificate, so it does not accept a domain", "Leave out "+c.args()[0]+".")
	}
	opt := server.Options{Config: c.cfg, NotifySocket: c.env["NOTIFY_SOCKET"], Out: c.stdout, Log: newLogger(c.cfg, c.stderr)}
	if len(c.args()) > 0 {
		opt.Domain = c.args()[0]
	}
	opt.Open = func(ctx context.Context, publicURL string, m *server.Metrics) (*server.Backend, error) {
		b, err := backend.Open(ctx, c.cfg, backend.Options{PublicURL: publicURL, Log: opt.Log,
			Server: &backend.ServerOptions{Call: m.Call, Observer: m.Observer(), Examine: examine}})
		if err != nil {
			return nil, err
		}
		if c.cfg.Embedded() {
			warnClock(ctx, b, time.Now(), opt.Log)
		}
		return &server.Backend{App: b.App, Info: b.Engine.Info(), WatchMove: b.WatchMove, Close: b.Close,
			SetupToken: func(ctx context.Context) (string, time.Time, error) { return b.SetupToken(ctx, opt.Log) },
			Run: func(ctx context.Context, o server.Command, stdout, stderr io.Writer) error {
				l, err := parseLine(commands(), o.Args)
				if err != nil {
					return err
				}
				if l.cmd.act == nil || len(l.options) > 0 {
					return exit.UsageError(fmt.Sprintf("%s cannot run inside the server: stop the server and run the command again", l.cmd.name), "")
				}
				return l.cmd.act(ctx, &call{line: l, secret: o.Password, file: o.File, stream: o.Stream, stdout: stdout, stderr: stderr}, b)
			}}, nil
	}
	return server.Run(ctx, opt)
}

package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"linnet/internal/exit"
	"linnet/internal/server"
	"linnet/internal/version"
)

// status prints whether a server runs on the data directory.
func status(ctx context.Context, c *call) error {
	s, err := server.ReadStatus(ctx, c.cfg.Data)
	if errors.Is(err, server.ErrNotRunning) {
		return &exit.Error{Code: exit.NotFound, What: "no server is running with the data directory " + c.cfg.Data, Source: c.cfg.Source("data"),
			Advice: "Start a server with linnet, or name its data directory with --data."}
	}
	if err != nil {
		return err
	}
	if c.flag("json") {
		return printJSON(c.stdout, s)
	}
	_, err = fmt.Fprintf(c.stdout, "linnet %s is running (PID %d, since %s)\nWeb      %s\nStore    %s\nData     %s\n",
		s.Version, s.PID, s.Started.Local().Format(time.DateTime), s.Web, s.Store, s.Data)
	return err
}

func versionCommand(_ context.Context, c *call) error {
	v := version.Get()
	if c.flag("json") {
		return printJSON(c.stdout, v)
	}
	_, err := fmt.Fprintln(c.stdout, v)
	return err
}

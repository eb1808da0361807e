package main

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// status says whether a server runs on the data directory.
func status(ctx context.Context, c *call) error {
	s, err := askStatus(ctx, c.cfg.Data)
	if errors.Is(err, errNoServer) {
		return &fault{code: exitNotFound, what: "no server is running on " + c.cfg.Data, from: c.cfg.from("data"),
			advice: "Start one with linnet, or set its directory with --data."}
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

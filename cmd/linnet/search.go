package main

import (
	"context"
	"fmt"
	"time"
)

// searchShow says what the search index holds.
func searchShow(ctx context.Context, c *call, b *backend) error {
	r, err := b.svc.Discovery.IndexReport(ctx)
	if err != nil {
		return fmt.Errorf("cannot read the search index: %w", err)
	}
	if c.flag("json") {
		return printJSON(c.stdout, r)
	}
	state := "complete"
	switch {
	case r.Making:
		state = fmt.Sprintf("building, %d %% done", r.Percent)
	case r.Made.IsZero():
		state = "not built yet: a running server builds it"
	default:
		state += ", made " + r.Made.UTC().Format(time.DateTime)
	}
	_, err = fmt.Fprintf(c.stdout, "%s\n%d posts in %d segments of %d bytes, %d posts pending\n", state, r.Statuses, r.Segments, r.Bytes, r.Queued)
	return err
}

// searchRebuild has servers make the search index anew.
func searchRebuild(ctx context.Context, c *call, b *backend) error {
	if err := b.svc.Discovery.RebuildIndex(ctx); err != nil {
		return fmt.Errorf("cannot rebuild the search index: %w", err)
	}
	_, err := fmt.Fprintln(c.stdout, "Running servers rebuild the search index in the background and use the old index meanwhile. linnet search show shows the progress.")
	return err
}

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
		state = fmt.Sprintf("being made, %d %% done", r.Percent)
	case r.Made.IsZero():
		state = "not begun: a server does that when it runs"
	default:
		state += ", made " + r.Made.UTC().Format(time.DateTime)
	}
	_, err = fmt.Fprintf(c.stdout, "%s\n%d statuses in %d segments of %d bytes, and %d that are to come\n", state, r.Statuses, r.Segments, r.Bytes, r.Queued)
	return err
}

// searchRebuild has servers make the search index anew.
func searchRebuild(ctx context.Context, c *call, b *backend) error {
	if err := b.svc.Discovery.RebuildIndex(ctx); err != nil {
		return fmt.Errorf("cannot have the search index made anew: %w", err)
	}
	_, err := fmt.Fprintln(c.stdout, "The search index will be made anew while a server runs; what there is is used meanwhile. linnet search show says how far that is.")
	return err
}

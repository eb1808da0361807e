package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"linnet/internal/admin"
	"linnet/internal/audit"
	"linnet/internal/backend"
	"linnet/internal/exit"
	"linnet/internal/kv"
	"linnet/internal/record"
	"linnet/internal/text"
)

// defaultMembers is the default limit of printed members of a set.
const defaultMembers = 1000

// inspect prints a record as JSON, without secrets.
func inspect(ctx context.Context, c *call, b *backend.Backend) error {
	name := c.args()[0]
	if tag, ok := strings.CutPrefix(name, "tag:"); ok && !strings.HasPrefix(tag, "{") { // a tag as users write it
		name = "tag:" + text.FoldTag(strings.TrimPrefix(tag, "#"))
	}
	key, err := audit.FindKey(ctx, b.Store, name)
	switch {
	case errors.Is(err, audit.ErrNoKind):
		return unknownKind(key.Kind)
	case errors.Is(err, audit.ErrNoLogin):
		return &exit.Error{Code: exit.NotFound, What: fmt.Sprintf("there is no account %q", c.args()[0]), Advice: "See linnet user list."}
	case errors.Is(err, kv.ErrUnavailable):
		return fmt.Errorf("cannot find the record: %w", err)
	case err != nil:
		return exit.UsageError(err.Error(), "See linnet keys.")
	}
	limit := defaultMembers
	if most := c.line.flags["limit"]; most != "" {
		if limit, err = strconv.Atoi(most); err != nil || limit < 1 {
			return exit.UsageError(fmt.Sprintf("--limit must be a number of at least 1, not %q", most), "")
		}
	}
	in, ok, err := audit.Inspect(ctx, b.Engine, b.Store.Now(), key, limit)
	switch {
	case errors.Is(err, audit.ErrNoKind):
		return unknownKind(key.Kind)
	case err != nil:
		return fmt.Errorf("cannot print the record: %w", err)
	case !ok:
		return &exit.Error{Code: exit.NotFound, What: fmt.Sprintf("there is no record with key %v", key)}
	}
	return printJSON(c.stdout, in)
}

// unknownKind returns the error for an unknown kind of key.
func unknownKind(kind string) error {
	var kinds []string
	for _, d := range record.Keys() {
		kinds = append(kinds, d.Kind)
	}
	return exit.UsageError(fmt.Sprintf("unknown kind of key: %q", kind), exit.DidYouMean(kind, kinds, "", "See linnet keys."))
}

// keysList prints the kinds of key.
func keysList(_ context.Context, c *call) error {
	if c.flag("markdown") {
		return admin.PrintKeysMarkdown(c.stdout)
	}
	return admin.PrintKeys(c.stdout)
}

// searchShow prints the state of the search index.
func searchShow(ctx context.Context, c *call, b *backend.Backend) error {
	r, err := b.App.Discovery.IndexReport(ctx)
	if err != nil {
		return fmt.Errorf("cannot read the search index: %w", err)
	}
	if c.flag("json") {
		return printJSON(c.stdout, r)
	}
	state := "complete"
	switch {
	case r.Making:
		state = fmt.Sprintf("building, %d%% done", r.Percent)
	case r.Made.IsZero():
		state = "not built yet: a running server builds it"
	default:
		state += ", built " + r.Made.UTC().Format(time.DateTime)
	}
	_, err = fmt.Fprintf(c.stdout, "%s\n%d posts in %d segments of %d bytes, %d posts pending\n", state, r.Statuses, r.Segments, r.Bytes, r.Queued)
	return err
}

// searchRebuild makes servers rebuild the search index.
func searchRebuild(ctx context.Context, c *call, b *backend.Backend) error {
	if err := b.App.Discovery.RebuildIndex(ctx); err != nil {
		return fmt.Errorf("cannot rebuild the search index: %w", err)
	}
	_, err := fmt.Fprintln(c.stdout, "Running servers rebuild the search index in the background and use the old index meanwhile. linnet search show shows the progress.")
	return err
}

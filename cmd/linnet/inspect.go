package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"linnet/internal/admin"
	"linnet/internal/audit"
	"linnet/internal/kv"
	"linnet/internal/record"
	"linnet/internal/text"
)

// inspectMost is how many members of a set are printed unless told otherwise.
const inspectMost = 1000

// inspect prints a record as JSON, with its secrets masked.
func inspect(ctx context.Context, c *call, b *backend) error {
	name := c.args()[0]
	if tag, ok := strings.CutPrefix(name, "tag:"); ok && !strings.HasPrefix(tag, "{") { // as people write it
		name = "tag:" + text.FoldTag(strings.TrimPrefix(tag, "#"))
	}
	key, err := audit.FindKey(ctx, b.store, name)
	switch {
	case errors.Is(err, audit.ErrNoKind):
		return noKind(key.Kind)
	case errors.Is(err, audit.ErrNoLogin):
		return &fault{code: exitNotFound, what: fmt.Sprintf("there is no account %q", c.args()[0]), advice: "See linnet user list."}
	case errors.Is(err, kv.ErrUnavailable):
		return fmt.Errorf("cannot find the record: %w", err)
	case err != nil:
		return usage(err.Error(), "See linnet keys.")
	}
	limit := inspectMost
	if most := c.line.flags["limit"]; most != "" {
		if limit, err = strconv.Atoi(most); err != nil || limit < 1 {
			return usage(fmt.Sprintf("--limit is a number from 1, not %q", most), "")
		}
	}
	in, ok, err := audit.Inspect(ctx, b.engine, b.store.Now(), key, limit)
	switch {
	case errors.Is(err, audit.ErrNoKind):
		return noKind(key.Kind)
	case err != nil:
		return fmt.Errorf("cannot print the record: %w", err)
	case !ok:
		return &fault{code: exitNotFound, what: fmt.Sprintf("there is no record with key %v", key)}
	}
	return printJSON(c.stdout, in)
}

// noKind says that there is no such kind of key.
func noKind(kind string) error {
	var kinds []string
	for _, d := range record.Keys() {
		kinds = append(kinds, d.Kind)
	}
	return usage(fmt.Sprintf("unknown kind of key: %q", kind), didYouMean(kind, kinds, "", "See linnet keys."))
}

// keysList prints what kinds of key there are.
func keysList(_ context.Context, c *call) error {
	if c.flag("markdown") {
		return admin.PrintKeysMarkdown(c.stdout)
	}
	return admin.PrintKeys(c.stdout)
}

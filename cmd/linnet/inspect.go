package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"linnet/internal/admin"
	"linnet/internal/kv"
	"linnet/internal/store"
)

// inspectMost is how many members of a set are printed unless told otherwise.
const inspectMost = 1000

// inspect prints a record as JSON, with its secrets masked.
func inspect(ctx context.Context, c *call, b *backend) error {
	key, err := kv.ParseKey(c.args()[0])
	if err != nil {
		return usage(err.Error(), "See linnet keys.")
	}
	limit := inspectMost
	if text := c.line.flags["limit"]; text != "" {
		if limit, err = strconv.Atoi(text); err != nil || limit < 1 {
			return usage(fmt.Sprintf("--limit is a number from 1, not %q", text), "")
		}
	}
	in, ok, err := b.store.Inspect(ctx, key, limit)
	switch {
	case errors.Is(err, store.ErrNoKind):
		var kinds []string
		for _, d := range store.Keys() {
			kinds = append(kinds, d.Kind)
		}
		return usage(fmt.Sprintf("there is no kind of key %q", key.Kind), didYouMean(key.Kind, kinds, "", "See linnet keys."))
	case err != nil:
		return fmt.Errorf("cannot print the record: %w", err)
	case !ok:
		return &fault{code: exitNotFound, what: fmt.Sprintf("there is nothing under %v", key)}
	}
	return printJSON(c.stdout, in)
}

// keysList prints what kinds of key there are.
func keysList(_ context.Context, c *call) error {
	if c.flag("markdown") {
		return admin.PrintKeysMarkdown(c.stdout)
	}
	return admin.PrintKeys(c.stdout)
}

package main

import (
	"context"
	"fmt"

	"linnet/internal/admin"
)

// mediaUsage says which pictures there are, and removes those that nothing names if it
// is told to.
func mediaUsage(ctx context.Context, c *call, b *backend) error {
	r, err := admin.Media(ctx, b.svc, c.flag("clean"), c.progress())
	if err != nil {
		return fmt.Errorf("cannot look at the pictures: %w", err)
	}
	if c.flag("json") {
		err = printJSON(c.stdout, r)
	} else {
		err = r.Print(c.stdout)
	}
	if err == nil && r.Missing > 0 {
		return &fault{code: exitFailed, what: fmt.Sprintf("%d pictures are not there", r.Missing), advice: "linnet check names what they belong to."}
	}
	return err
}

package main

import (
	"context"
	"fmt"
	"strconv"

	"linnet/internal/admin"
	"linnet/internal/kv"
)

// digest prints what tells whether two stores hold the same.
func digest(ctx context.Context, c *call, b *backend) error {
	opt := admin.DigestOptions{Shard: -1, Dir: b.cfg.scratchDir(), Progress: c.progress()}
	if text := c.line.flags["shard"]; text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 || n >= kv.Shards {
			return usage(fmt.Sprintf("--shard is a number from 0 to %d, not %q", kv.Shards-1, text), "")
		}
		opt.Shard = n
	}
	d, err := admin.DigestOf(ctx, b.engine, opt)
	if err != nil {
		return fmt.Errorf("cannot compute the checksum of the store: %w", err)
	}
	if c.flag("json") {
		return printJSON(c.stdout, d)
	}
	return d.Print(c.stdout)
}

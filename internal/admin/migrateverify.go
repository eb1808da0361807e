package admin

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"linnet/internal/kv"
)

// comparison computes the digest of the new store while records are still written to it.
type comparison struct {
	mu      sync.Mutex
	on      bool             // verify has begun
	counted [kv.Shards]bool  // shards whose unchanged records are in rest
	rest    tally            // tally of the records that have not been written since
	written map[kv.Key]tally // tallies of the others
}

// tally is the digest and number of some entries.
type tally struct {
	digest  kv.Digest
	entries int64
}

func tallyOf(r movedRecord) (t tally) {
	for i := range r.entries {
		t.digest.Add(&r.entries[i])
	}
	t.entries = int64(len(r.entries))
	return t
}

func (t *tally) add(o tally) {
	t.digest.AddAll(&o.digest)
	t.entries += o.entries
}

func (t *tally) subtract(o tally) {
	t.digest.SubtractAll(&o.digest)
	t.entries -= o.entries
}

func (c *comparison) begin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.on = true
}

// change records that a record of the new store will be overwritten.
func (c *comparison) change(by, there movedRecord) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.on {
		return
	}
	if _, before := c.written[by.key]; !before && c.counted[by.key.Shard] {
		c.rest.subtract(tallyOf(there))
	}
	c.written[by.key] = tallyOf(by)
}

// shard counts the records of a shard that have not been written since verify has begun.
func (c *comparison) shard(shard uint16, records []movedRecord) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, r := range records {
		if _, ok := c.written[r.key]; !ok {
			c.rest.add(tallyOf(r))
		}
	}
	c.counted[shard] = true
}

// result returns the digest and the number of entries of the new store.
func (c *comparison) result() (digest string, entries int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := c.rest
	for _, t := range c.written {
		all.add(t)
	}
	return all.digest.String(), all.entries
}

// verify reads both stores again while writes continue. It copies records that differ like changed
// ones, and then requires that they are equal.
func (m *migration) verify(ctx context.Context) error {
	if err := m.slow(ctx, 0); err != nil {
		return err
	}
	m.compare.begin()
	read := make(chan time.Time)
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return m.followUntil(ctx, read) })
	g.Go(func() error {
		defer close(read)
		from, to, err := m.copies(ctx)
		if err != nil {
			return err
		}
		defer from.Close()
		defer to.Close()
		m.opt.Progress.start("shards compared", kv.Shards)
		for shard := range uint16(kv.Shards) {
			want, err := recordsOf(ctx, from, shard)
			if err != nil {
				return err
			}
			there, err := recordsOf(ctx, to, shard)
			if err != nil {
				return err
			}
			m.compare.shard(shard, there)
			var again []kv.Key
			for _, r := range differing(want, there) {
				again = append(again, r.key)
			}
			m.changes.add(again)
			m.opt.Progress.add(1)
		}
		m.opt.Progress.end()
		return nil
	})
	return g.Wait()
}

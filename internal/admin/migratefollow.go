package admin

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"linnet/internal/kv"
	"linnet/internal/record"
)

const (
	followFew     = 300                    // changes that can be copied while writes are stopped
	followPart    = 250                    // records that are read and written at once
	followWorkers = 4                      // such parts at a time
	followEvery   = 100 * time.Millisecond // between two rounds while something else is awaited
	followLimit   = 3 * time.Minute        // for changes to become few while writes are slowed down

	gapFirst = 2 * time.Millisecond
	gapMost  = 64 * time.Millisecond
	gapEvery = 1500 * time.Millisecond // between two longer gaps: servers notice each within a second
)

// trackedKinds are the kinds of key whose changes are heard: moved records, and barriers.
func trackedKinds() []string {
	return append(slices.Sorted(maps.Keys(record.KeptKinds())), record.KindMove)
}

// changes are the keys that changed in the source and were not brought over since.
type changes struct {
	mu      sync.Mutex
	heard   bool // changes are heard
	lost    bool // some were not, since they are
	keys    map[kv.Key]struct{}
	barrier string // the barriers that are waited for
	passed  map[uint16]bool
}

// hear receives changed keys.
func (c *changes) hear(keys []kv.Key, alive bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if alive && keys == nil {
		c.heard = true
	}
	c.lost = c.lost || !alive && c.heard
	if c.keys == nil {
		c.keys = map[kv.Key]struct{}{}
	}
	for _, k := range keys {
		switch {
		case k.Kind != record.KindMove:
			c.keys[k] = struct{}{}
		case k.ID == c.barrier:
			c.passed[k.Shard] = true
		}
	}
}

// begin waits until changes are heard.
func (c *changes) begin(ctx context.Context) error {
	return c.await(ctx, func() bool { return c.heard })
}

// await waits for something that is true sooner or later.
func (c *changes) await(ctx context.Context, done func() bool) error {
	for end := time.Now().Add(migrateHears); ; {
		c.mu.Lock()
		ok, lost := done(), c.lost
		c.mu.Unlock()
		switch {
		case ok:
			return nil
		case lost || time.Now().After(end):
			return errUnheard
		}
		if err := pause(ctx, 5*time.Millisecond); err != nil {
			return err
		}
	}
}

// heardAll waits until every change that was made before the call has been heard: a value is
// written in each shard, and changes of a shard are heard in their order.
func (c *changes) heardAll(ctx context.Context, e kv.Engine) error {
	id := rand.Text()
	c.mu.Lock()
	c.barrier, c.passed = record.BarrierKey(0, id).ID, map[uint16]bool{}
	c.mu.Unlock()
	var puts []kv.Op
	for shard := range uint16(kv.Shards) {
		puts = append(puts, kv.Put{Key: record.BarrierKey(shard, id), Version: 1, TTL: time.Minute})
	}
	if err := persist(ctx, func() error { return e.Apply(ctx, puts...) }); err != nil {
		return fmt.Errorf("read the list of changes: %w", err)
	}
	return c.await(ctx, func() bool { return len(c.passed) == kv.Shards })
}

func (c *changes) waiting() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.keys)
}

// take returns the keys that have changed, in order, and forgets them.
func (c *changes) take() ([]kv.Key, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lost || !c.heard {
		return nil, errUnheard
	}
	keys := slices.SortedFunc(maps.Keys(c.keys), func(a, b kv.Key) int {
		return cmp.Or(cmp.Compare(a.Shard, b.Shard), orderOf(a, b))
	})
	clear(c.keys)
	return keys, nil
}

// orderOf compares keys of a shard as copies have them.
func orderOf(a, b kv.Key) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.ID, b.ID)) }

// add has records compared and copied again.
func (c *changes) add(keys []kv.Key) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, k := range keys {
		c.keys[k] = struct{}{}
	}
}

// round copies the records that have changed and returns their number. It reports each part.
func (m *migration) round(ctx context.Context, report func(int)) (int, error) {
	keys, err := m.changes.take()
	if err != nil || len(keys) == 0 {
		return 0, err
	}
	m.report.Rounds++
	m.report.Changed += int64(len(keys))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(followWorkers)
	for part := range slices.Chunk(keys, followPart) {
		g.Go(func() error {
			defer report(len(part))
			return m.bring(ctx, part)
		})
	}
	return len(keys), g.Wait()
}

// unreported is for rounds during which the progress of something else is reported.
func unreported(int) {}

// follow copies changes in rounds until few are left. Where they do not become fewer, servers
// write more and more slowly, and at last it gives up.
func (m *migration) follow(ctx context.Context) error {
	m.opt.Progress.start("records that changed meanwhile", 0)
	began, raised := time.Now(), time.Now()
	var copied int
	for {
		n, err := m.round(ctx, m.opt.Progress.add)
		if err != nil {
			return err
		}
		copied += n
		left := m.changes.waiting()
		switch {
		case left <= followFew:
			m.opt.Progress.end()
			return nil
		case left < n*3/4 || time.Since(raised) < gapEvery:
		case m.gap < gapMost:
			if err := m.slow(ctx, max(2*m.gap, gapFirst)); err != nil {
				return err
			}
			raised = time.Now()
			m.opt.Progress.say(fmt.Sprintf("%s changed records are left and do not become fewer: each server now writes at most every %v", group(int64(left)), m.gap))
		case time.Since(began) > followLimit:
			return fmt.Errorf("%w: records change faster than they can be copied: %s were copied in %v and %s are left, although each server writes at most every %v. The old store continues; run the same command again when there is less traffic",
				kv.ErrUnavailable, group(int64(copied)), time.Since(began).Round(time.Second), group(int64(left)), m.gap)
		}
	}
}

// followUntil copies changes in rounds until a channel is readable.
func (m *migration) followUntil(ctx context.Context, done <-chan time.Time) error {
	tick := time.NewTicker(followEvery)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
			if _, err := m.round(ctx, unreported); err != nil {
				return err
			}
		}
	}
}

// slow has servers write less often.
func (m *migration) slow(ctx context.Context, gap time.Duration) error {
	if m.gap == gap {
		return nil
	}
	m.gap = gap
	return m.fence.set(ctx, func(f *record.Fence) { f.Gap = gap })
}

// bring copies records that differ. Databases of one Redis report each other's changes, so a write
// to the new store can appear as a change of the old one. It verifies the written records.
func (m *migration) bring(ctx context.Context, keys []kv.Key) error {
	want, err := recordsUnder(ctx, m.from.Engine, keys)
	if err != nil {
		return err
	}
	there, err := recordsUnder(ctx, m.to.Engine, keys)
	if err != nil {
		return err
	}
	var differ []movedRecord
	for i := range keys {
		if !want[i].same(there[i]) {
			differ = append(differ, want[i])
			m.compare.change(want[i], there[i])
		}
	}
	if len(differ) == 0 {
		return nil
	}
	if err := m.write(ctx, differ); err != nil {
		return err
	}
	var written []kv.Key
	for _, r := range differ {
		written = append(written, r.key)
	}
	now, err := recordsUnder(ctx, m.to.Engine, written)
	if err != nil {
		return err
	}
	for i, r := range now {
		if !differ[i].same(r) && (len(r.entries) > 0 || !differ[i].ends()) {
			return fmt.Errorf("%w: %v was written to the new store, but reads back differently; servers continue with the old store. Run the same command again", ErrDiffers, r.key)
		}
	}
	return nil
}

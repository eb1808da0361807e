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
	followPart    = 250                    // records per batch
	followWorkers = 4                      // concurrent batches
	followEvery   = 100 * time.Millisecond // delay between rounds during a wait
	followLimit   = 3 * time.Minute        // time limit for few changes to remain while writes are slowed down

	gapFirst = 2 * time.Millisecond
	gapMost  = 64 * time.Millisecond
	gapEvery = 1500 * time.Millisecond // interval of longer gaps, which servers notice within a second
)

// trackedKinds returns the tracked kinds of keys: moved records and barriers.
func trackedKinds() []string {
	return append(slices.Sorted(maps.Keys(record.BackupKinds())), record.KindMove)
}

// changes has the keys that have changed in the source and were not copied yet.
type changes struct {
	mu        sync.Mutex
	receiving bool // changes are being received
	lost      bool // some were missed in that time
	keys      map[kv.Key]struct{}
	barrier   string // id of the barriers to wait for
	passed    map[uint16]bool
}

// receive receives changed keys.
func (c *changes) receive(keys []kv.Key, alive bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if alive && keys == nil {
		c.receiving = true
	}
	c.lost = c.lost || !alive && c.receiving
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

// await waits until done returns true.
func (c *changes) await(ctx context.Context, done func() bool) error {
	for end := time.Now().Add(changeTimeout); ; {
		c.mu.Lock()
		ok, lost := done(), c.lost
		c.mu.Unlock()
		switch {
		case ok:
			return nil
		case lost || time.Now().After(end):
			return errMissedChanges
		}
		if err := pause(ctx, 5*time.Millisecond); err != nil {
			return err
		}
	}
}

// waitForAll waits until all changes before the call have been received. It writes a value into
// each shard, because changes of a shard arrive in order.
func (c *changes) waitForAll(ctx context.Context, e kv.Engine) error {
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

// take returns the changed keys in order, and clears them.
func (c *changes) take() ([]kv.Key, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lost || !c.receiving {
		return nil, errMissedChanges
	}
	keys := slices.SortedFunc(maps.Keys(c.keys), func(a, b kv.Key) int {
		return cmp.Or(cmp.Compare(a.Shard, b.Shard), orderOf(a, b))
	})
	clear(c.keys)
	return keys, nil
}

// orderOf compares keys of a shard in the order of copies.
func orderOf(a, b kv.Key) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.ID, b.ID)) }

// add queues records for another comparison and copy.
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
			return m.copyChanged(ctx, part)
		})
	}
	return len(keys), g.Wait()
}

// unreported ignores the progress of rounds in the background of another step.
func unreported(int) {}

// follow copies changes in rounds until few are left. If they don't become fewer it slows the
// servers' writes down, and finally gives up.
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
			m.opt.Progress.say(fmt.Sprintf("%s changed records remain, and their number does not decrease: each server now writes at most once every %v", group(int64(left)), m.gap))
		case time.Since(began) > followLimit:
			return fmt.Errorf("%w: records change faster than they can be copied: %s were copied in %v and %s remain, although each server writes at most once every %v. Servers continue with the old store. Run the same command again when there is less traffic",
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

// slow makes servers write less often.
func (m *migration) slow(ctx context.Context, gap time.Duration) error {
	if m.gap == gap {
		return nil
	}
	m.gap = gap
	return m.fence.set(ctx, func(f *record.Fence) { f.Gap = gap })
}

// copyChanged copies records that differ. Databases of one Redis report each other's changes, so a
// write to the new store can appear as a change of the old one. It verifies the written records.
func (m *migration) copyChanged(ctx context.Context, keys []kv.Key) error {
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
			return fmt.Errorf("%w: %v was written to the new store, but the data read back differs; servers continue with the old store. Run the same command again", ErrDiffers, r.key)
		}
	}
	return nil
}

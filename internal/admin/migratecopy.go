package admin

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"linnet/internal/blob"
	"linnet/internal/kv"
	"linnet/internal/record"
)

// trackedKinds are the kinds of key whose changes are heard: what is moved, and barriers.
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

// hear takes what is told.
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
		return fmt.Errorf("ask which changes were heard: %w", err)
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

// hold has a copy wait.
type hold struct {
	reached chan struct{} // closed when it waits
	free    chan struct{} // closed when it may go on
}

func newHold() *hold { return &hold{make(chan struct{}), make(chan struct{})} }

func (h *hold) wait(ctx context.Context) error {
	close(h.reached)
	select {
	case <-h.free:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// movedRecord is what lies under a key; nothing, if there are no entries.
type movedRecord struct {
	key     kv.Key
	entries []kv.Entry
}

// addTo adds an entry, which is copied, to records of which it continues the last or begins
// another.
func addTo(records []movedRecord, x *kv.Entry) []movedRecord {
	y := *x
	y.Data = slices.Clone(x.Data)
	if n := len(records) - 1; n >= 0 && records[n].key == x.Key {
		records[n].entries = append(records[n].entries, y)
		return records
	}
	return append(records, movedRecord{x.Key, []kv.Entry{y}})
}

// lifeGrain is by how much the ends of a value in two stores may differ: it is told to them
// as what is left of its life.
const lifeGrain = 5 * time.Second

// same says whether two records hold the same.
func (r movedRecord) same(o movedRecord) bool {
	return slices.EqualFunc(r.entries, o.entries, func(a, b kv.Entry) bool {
		return a.Shape == b.Shape && a.Name == b.Name && a.Number == b.Number && a.Version == b.Version && bytes.Equal(a.Data, b.Data) &&
			a.Until.IsZero() == b.Until.IsZero() && a.Until.Sub(b.Until).Abs() < lifeGrain
	})
}

// copy makes the new store hold what the old one does at a moment: all of it, or what
// differs if an earlier run, or an earlier move, has left something there.
func (m *migration) copy(ctx context.Context) error {
	from, err := copyOf(ctx, m.from.Engine, m.opt.Scratch, m.opt.Progress)
	if err != nil {
		return err
	}
	defer from.Close()
	m.opt.Progress.end()
	to, err := copyOf(ctx, m.to.Engine, m.opt.Scratch, m.opt.Progress)
	if err != nil {
		return err
	}
	defer to.Close()
	m.opt.Progress.end()
	m.opt.Progress.start("shards", kv.Shards)
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(restoreWorkers)
	for shard := range uint16(kv.Shards) {
		want, err := recordsOf(ctx, from, shard)
		if err != nil {
			return errors.Join(err, g.Wait())
		}
		there, err := recordsOf(ctx, to, shard)
		if err != nil {
			return errors.Join(err, g.Wait())
		}
		differ := differing(want, there)
		if m.marks.back {
			differ = append(differ, feedsBeside(want, there)...)
		}
		g.Go(func() error {
			defer m.opt.Progress.add(1)
			return m.write(ctx, differ)
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	m.opt.Progress.end()
	return nil
}

// feedsBeside are the feeds beside records, as records of which nothing is left: feeds that
// were made before the store was moved away have missed what came since.
func feedsBeside(all ...[]movedRecord) (out []movedRecord) {
	for _, r := range slices.Concat(all...) {
		for _, k := range record.FeedsOf(r.key) {
			out = append(out, movedRecord{key: k})
		}
	}
	return out
}

// recordsOf reads a shard of a copy.
func recordsOf(ctx context.Context, c kv.Copy, shard uint16) (out []movedRecord, err error) {
	err = c.Shard(ctx, shard, func(x *kv.Entry) error {
		out = addTo(out, x)
		return nil
	})
	return out, err
}

// differing returns what has to be written so that a shard holds what is wanted. Both are in
// order.
func differing(want, there []movedRecord) (out []movedRecord) {
	for len(want) > 0 || len(there) > 0 {
		switch {
		case len(there) == 0 || len(want) > 0 && orderOf(want[0].key, there[0].key) < 0:
			out, want = append(out, want[0]), want[1:]
		case len(want) == 0 || orderOf(want[0].key, there[0].key) > 0:
			out, there = append(out, movedRecord{key: there[0].key}), there[1:]
		default:
			if !want[0].same(there[0]) {
				out = append(out, want[0])
			}
			want, there = want[1:], there[1:]
		}
	}
	return out
}

// bring brings over what lies under keys now, as far as it differs: databases of one Redis
// tell of each other's changes, so that what was written here may be heard as if it were there.
func (m *migration) bring(ctx context.Context, keys []kv.Key) error {
	for part := range slices.Chunk(keys, migrateFew) {
		want, err := recordsUnder(ctx, m.from.Engine, part)
		if err != nil {
			return err
		}
		there, err := recordsUnder(ctx, m.to.Engine, part)
		if err != nil {
			return err
		}
		var differ []movedRecord
		for i := range part {
			if !want[i].same(there[i]) {
				differ = append(differ, want[i])
			}
		}
		if err := m.write(ctx, differ); err != nil {
			return err
		}
	}
	return nil
}

// recordsUnder reads what lies under each of some keys.
func recordsUnder(ctx context.Context, e kv.Engine, keys []kv.Key) ([]movedRecord, error) {
	var found []movedRecord
	err := persist(ctx, func() error {
		found = nil
		return e.Records(ctx, record.KeptKinds(), keys, func(x *kv.Entry) error {
			found = addTo(found, x)
			return nil
		})
	})
	if err != nil {
		return nil, fmt.Errorf("read what has changed: %w", err)
	}
	all := make([]movedRecord, len(keys))
	for i, k := range keys { // in the same order
		all[i].key = k
		if len(found) > 0 && found[0].key == k {
			all[i], found = found[0], found[1:]
		}
	}
	return all, nil
}

// write has the new store hold just these records under their keys.
func (m *migration) write(ctx context.Context, records []movedRecord) error {
	if len(records) == 0 {
		return nil
	}
	now, err := m.to.Engine.Now(ctx)
	if err != nil {
		return fmt.Errorf("read the clock of the new store: %w", err)
	}
	s := shardRestore{e: m.to.Engine, now: now}
	for _, r := range records {
		if len(r.entries) == 0 || r.entries[0].Shape == kv.SetShape {
			err = s.remove(ctx, r.key)
		}
		for i := 0; err == nil && i < len(r.entries); i++ {
			err = s.take(ctx, &r.entries[i])
		}
		if err != nil {
			return fmt.Errorf("write %v: %w", r.key, err)
		}
	}
	if err := s.flush(ctx); err != nil {
		return fmt.Errorf("write to the new store: %w", err)
	}
	return nil
}

// remove takes away what lies under a key; what is taken later comes after it.
func (s *shardRestore) remove(ctx context.Context, k kv.Key) error {
	if err := s.count(ctx); err != nil {
		return err
	}
	if s.ops = append(s.ops, kv.Delete{Key: k}); len(s.ops) >= restoreOps {
		return s.apply(ctx)
	}
	return nil
}

// compare holds that two copies hold the same in every shard.
func (m *migration) compare(ctx context.Context, from, to kv.Copy) error {
	var of [2][kv.Shards]kv.Digest
	var entries [2]int64
	m.opt.Progress.start("shards compared", kv.Shards)
	g, ctx := errgroup.WithContext(ctx)
	for i, c := range []kv.Copy{from, to} {
		g.Go(func() error {
			for shard := range uint16(kv.Shards) {
				d := &of[i][shard]
				err := c.Shard(ctx, shard, func(x *kv.Entry) error {
					d.Add(x)
					entries[i]++
					return nil
				})
				if err != nil {
					return fmt.Errorf("compare: %w", err)
				}
				if i == 0 {
					m.opt.Progress.add(1)
				}
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	m.opt.Progress.end()
	var sum kv.Digest
	var wrong []string
	for shard := range kv.Shards {
		if sum.AddAll(&of[0][shard]); !of[0][shard].Equal(&of[1][shard]) {
			wrong = append(wrong, fmt.Sprint(shard))
		}
	}
	m.report.Digest, m.report.Entries = sum.String(), entries[0]
	if len(wrong) > 0 {
		return fmt.Errorf("%w: %d shards differ, among them %s; nothing was moved, and servers go on with the old store. Run the same command again",
			ErrDiffers, len(wrong), strings.Join(wrong[:min(len(wrong), 10)], ", "))
	}
	return nil
}

// files copies the pictures that the new place does not have.
func (m *migration) files(ctx context.Context) error {
	if m.from.Files == nil || m.to.Files == nil {
		return nil
	}
	there := map[string]int64{}
	err := m.to.Files.Walk(ctx, func(i blob.Info) error {
		there[i.Name] = i.Bytes
		return nil
	})
	if err != nil {
		return fmt.Errorf("list the files of the new place: %w", err)
	}
	if !m.stopped() {
		m.opt.Progress.start("files", 0)
		defer m.opt.Progress.end()
	}
	return m.from.Files.Walk(ctx, func(i blob.Info) error {
		if size, ok := there[i.Name]; ok && size == i.Bytes {
			return nil
		}
		err := m.file(ctx, i.Name)
		if errors.Is(err, blob.ErrAbsent) {
			return nil // it was deleted meanwhile
		}
		if err != nil {
			return fmt.Errorf("copy file %s: %w", i.Name, err)
		}
		m.report.Files++
		m.opt.Progress.add(1)
		return nil
	})
}

func (m *migration) file(ctx context.Context, name string) error {
	in, err := m.from.Files.Open(ctx, name)
	if err != nil {
		return err
	}
	defer in.Close()
	whole, err := os.CreateTemp(m.opt.Scratch, ".linnet-migrate-*")
	if err != nil {
		return fmt.Errorf("make a file for what is on its way: %w", err)
	}
	defer func() { _ = errors.Join(whole.Close(), os.Remove(whole.Name())) }()
	if _, err := io.Copy(whole, in); err != nil {
		return err
	}
	kind := cmp.Or(mime.TypeByExtension(path.Ext(name)), "application/octet-stream")
	return m.to.Files.Put(ctx, name, kind, whole)
}

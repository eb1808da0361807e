package admin

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"os"
	"path"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"linnet/internal/blob"
	"linnet/internal/kv"
	"linnet/internal/record"
)

// movedRecord has the entries under a key; none if it doesn't exist.
type movedRecord struct {
	key     kv.Key
	entries []kv.Entry
}

// addTo appends a copy of an entry to the records. It belongs to the last record or begins a new
// one.
func addTo(records []movedRecord, x *kv.Entry) []movedRecord {
	y := *x
	y.Data = slices.Clone(x.Data)
	if n := len(records) - 1; n >= 0 && records[n].key == x.Key {
		records[n].entries = append(records[n].entries, y)
		return records
	}
	return append(records, movedRecord{x.Key, []kv.Entry{y}})
}

// lifeGrain is the tolerated difference of expiry times in two stores, because they are written as
// remaining lifetimes.
const lifeGrain = 5 * time.Second

// same reports whether two records have the same content.
func (r movedRecord) same(o movedRecord) bool {
	return slices.EqualFunc(r.entries, o.entries, func(a, b kv.Entry) bool {
		return a.Shape == b.Shape && a.Name == b.Name && a.Number == b.Number && a.Version == b.Version && bytes.Equal(a.Data, b.Data) &&
			a.Until.IsZero() == b.Until.IsZero() && a.Until.Sub(b.Until).Abs() < lifeGrain
	})
}

// ends reports whether a record is a value that expires.
func (r movedRecord) ends() bool { return len(r.entries) == 1 && !r.entries[0].Until.IsZero() }

// copy makes the new store equal to the old one at one point in time. It copies only the
// differences if an earlier run or move has left data.
func (m *migration) copy(ctx context.Context) error {
	from, to, err := m.copies(ctx)
	if err != nil {
		return err
	}
	defer from.Close()
	defer to.Close()
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
			differ = append(differ, deletedFeeds(want, there)...)
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

// copies starts consistent copies of both stores.
func (m *migration) copies(ctx context.Context) (from, to kv.Copy, err error) {
	if from, err = copyOf(ctx, m.from.Engine, m.opt.Scratch, m.opt.Progress); err != nil {
		return nil, nil, err
	}
	m.opt.Progress.end()
	if to, err = copyOf(ctx, m.to.Engine, m.opt.Scratch, m.opt.Progress); err != nil {
		return nil, nil, errors.Join(err, from.Close())
	}
	m.opt.Progress.end()
	return from, to, nil
}

// deletedFeeds returns the feeds of the records as deleted ones: feeds from before a store was
// moved away lack later statuses.
func deletedFeeds(all ...[]movedRecord) (out []movedRecord) {
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

// differing returns the records to write to make a shard equal to want. Both slices are sorted.
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

// recordsUnder reads the records under some keys.
func recordsUnder(ctx context.Context, e kv.Engine, keys []kv.Key) ([]movedRecord, error) {
	var found []movedRecord
	err := persist(ctx, func() error {
		found = nil
		return e.Records(ctx, record.BackupKinds(), keys, func(x *kv.Entry) error {
			found = addTo(found, x)
			return nil
		})
	})
	if err != nil {
		return nil, fmt.Errorf("read changes: %w", err)
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

// write replaces the records under their keys in the new store by exactly these.
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

// remove deletes the record under a key. Later writes of s come after it.
func (s *shardRestore) remove(ctx context.Context, k kv.Key) error {
	if err := s.count(ctx); err != nil {
		return err
	}
	if s.ops = append(s.ops, kv.Delete{Key: k}); len(s.ops) >= restoreOps {
		return s.apply(ctx)
	}
	return nil
}

// files copies the files that the new location does not have.
func (m *migration) files(ctx context.Context) error {
	if m.from.Files == nil || m.to.Files == nil {
		return nil
	}
	if m.there == nil {
		there := map[string]blob.Info{}
		err := m.to.Files.Walk(ctx, func(i blob.Info) error {
			there[i.Name] = i
			return nil
		})
		if err != nil {
			return fmt.Errorf("list the files of the new location: %w", err)
		}
		m.there = there
	}
	if !m.stopped() {
		m.opt.Progress.start("files", 0)
		defer m.opt.Progress.end()
	}
	return m.from.Files.Walk(ctx, func(i blob.Info) error {
		was, ok := m.there[i.Name]
		if !ok || was.Bytes != i.Bytes {
			err := m.file(ctx, i.Name)
			if errors.Is(err, blob.ErrAbsent) {
				return nil // deleted in the meantime
			}
			if err != nil {
				return fmt.Errorf("copy file %s: %w", i.Name, err)
			}
			was.Withheld = false
			m.report.Files++
			m.opt.Progress.add(1)
		}
		if err := agree(ctx, m.to.Files, i.Name, was.Withheld, i.Withheld); err != nil {
			return err
		}
		m.there[i.Name] = i
		return nil
	})
}

// agree makes a file withheld or public, as in the source.
func agree(ctx context.Context, files blob.Store, name string, was, want bool) error {
	switch {
	case want && !was:
		return files.Withhold(ctx, name)
	case was && !want:
		return files.Release(ctx, name)
	}
	return nil
}

func (m *migration) file(ctx context.Context, name string) error {
	in, err := m.from.Files.Open(ctx, name)
	if err != nil {
		return err
	}
	defer in.Close()
	whole, err := os.CreateTemp(m.opt.Scratch, ".linnet-migrate-*")
	if err != nil {
		return fmt.Errorf("create a temporary file: %w", err)
	}
	defer func() { _ = errors.Join(whole.Close(), os.Remove(whole.Name())) }()
	if _, err := io.Copy(whole, in); err != nil {
		return err
	}
	kind := cmp.Or(mime.TypeByExtension(path.Ext(name)), "application/octet-stream")
	return m.to.Files.Put(ctx, name, kind, whole)
}

package diskkv

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/cockroachdb/pebble/v2"

	"linnet/internal/kv"
)

// Deleted and overwritten data stays in the files of the store until the library rewrites them,
// which may never happen in a small store. So files that may contain such data have a maximum age:
//
//   - The contents of a log older than maxAge are flushed to a table, and the log is
//     removed.
//   - A table older than maxAge above the last level is merged with the tables below
//     it, down to the last level, which drops tombstones and the data they hide.
//
// A table of the last level holds data that was current when it was made. Later deletions and
// changes are in the levels above and remove it on their way down. A merge of some levels makes new
// tables, so their age starts again. Deleted data is erased after a day in the log and at most a
// day on each of up to six levels, most of which only stores of many gigabytes have. This usually
// takes two to three days, and a week at most. A store without writes has nothing to merge after
// that.
const (
	ageEvery = time.Minute
	maxAge   = 24 * time.Hour
	// ageBytes is roughly the size of one merge a minute, beyond the size of single tables. It is a
	// megabyte a second, or four hundred gigabytes in a week.
	ageBytes = 64 << 20
	// lastLevel is the number of the library's last level.
	lastLevel = 6
)

// aging rewrites old files of a store.
type aging struct {
	db    *pebble.DB
	files *datedFS
	space *space
	dir   string
	now   func() time.Time
	log   *slog.Logger
}

func (e *Engine) aging() *aging {
	return &aging{db: e.db, files: e.files, space: &e.space, dir: e.dir, now: e.opts.Now, log: e.opts.Logger}
}

// ageAll runs the worker once.
func (e *Engine) ageAll() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		select {
		case <-e.stop:
		case <-e.failed:
		case <-ctx.Done():
		}
		cancel()
	}()
	switch err := e.aging().step(ctx); {
	case err == nil || errors.Is(err, kv.ErrFull) || ctx.Err() != nil:
	default:
		e.opts.Logger.Warn("cannot compact deleted records", "err", e.damaged(err))
	}
}

// step does at most one merge that is due. It does nothing on a full disk.
func (a *aging) step(ctx context.Context) error {
	if err := a.removeLogs(ctx); err != nil {
		return err
	}
	oldest, err := a.oldestTable()
	if err != nil || oldest == nil {
		return err
	}
	start, end, size, err := a.rangeOf(oldest.Smallest.UserKey, oldest.Largest.UserKey)
	if err != nil {
		return err
	}
	if err := a.space.check(int(size)); err != nil {
		return err
	}
	if start, end, err = a.bracket(oldest, start, end); err != nil {
		return err
	}
	a.log.Debug("compacting old table", "table", oldest.BackingSSTNum, "bytes", size)
	if err := a.db.Compact(ctx, start, end, false); err != nil {
		return fmt.Errorf("merge table %v: %w", oldest.BackingSSTNum, err)
	}
	return nil
}

// removeLogs removes logs that are too old. It notes the last log before it flushes: after the
// flush, all data of that log and of earlier ones is in tables.
func (a *aging) removeLogs(ctx context.Context) error {
	last, old := a.files.old(a.db.Metrics().WAL.Size == 0)
	if !old {
		return nil
	}
	if err := a.space.check(0); err != nil {
		return err
	}
	done, err := a.db.AsyncFlush()
	if err != nil {
		return fmt.Errorf("flush the log into tables: %w", err)
	}
	select {
	case <-done:
	case <-ctx.Done():
		return ctx.Err()
	}
	return a.files.removeOld(last)
}

// bracket makes the library rewrite a table whose tombstones no longer hide anything, instead of
// moving it down with them, because tombstones contain names. It adds two tombstones of unused keys
// around the table, and returns the range with them.
func (a *aging) bracket(t *pebble.SSTableInfo, start, end []byte) ([]byte, []byte, error) {
	past := append(slices.Clone(t.Largest.UserKey), 0)
	levels, err := a.db.SSTables(pebble.WithKeyRangeFilter(t.Smallest.UserKey, past), pebble.WithProperties())
	if err != nil {
		return nil, nil, fmt.Errorf("list tables: %w", err)
	}
	met, marks := false, false
	for _, level := range levels {
		if met && len(level) > 0 {
			return start, end, nil // it is merged with these
		}
		for _, other := range level {
			if other.FileNum == t.FileNum {
				met, marks = true, other.Properties.NumDeletions > 0
			}
		}
	}
	if !marks {
		return start, end, nil
	}
	before, behind := start[:2:2], append(past[:2:2], 0xff) // a kind or a time follows the prefix
	b := a.db.NewBatch()
	defer b.Close()
	for _, k := range [][]byte{before, behind} {
		if err := b.Delete(k, nil); err != nil {
			return nil, nil, err
		}
	}
	if err := a.db.Apply(b, pebble.NoSync); err != nil {
		return nil, nil, fmt.Errorf("add markers to a table that will be compacted: %w", err)
	}
	return before, behind, nil
}

// oldestTable returns the oldest table older than maxAge, or nil. On the last level it only
// considers tables with tombstones, because the library moves some down without rewriting them.
func (a *aging) oldestTable() (*pebble.SSTableInfo, error) {
	levels, err := a.db.SSTables()
	if err != nil {
		return nil, fmt.Errorf("list tables: %w", err)
	}
	var oldest *pebble.SSTableInfo
	limit := a.now().Add(-maxAge)
	for n, level := range levels {
		for i := range level {
			if n == lastLevel && level[i].TableStats.NumDeletions == 0 {
				continue
			}
			made, err := a.files.made(a.files.PathJoin(a.dir, level[i].BackingSSTNum.String()+tableSuffix))
			if err != nil {
				continue // merged since it was listed
			}
			if !made.After(limit) {
				oldest, limit = &level[i], made
			}
		}
	}
	return oldest, nil
}

// rangeOf returns the range of a table and its size on all levels. It cuts the range at shard
// borders while the size is too large for one merge.
func (a *aging) rangeOf(from, to []byte) (start, end []byte, size uint64, err error) {
	start, end = from, append(slices.Clone(to), 0)
	for {
		if size, err = a.db.EstimateDiskUsage(start, end); err != nil {
			return nil, nil, 0, fmt.Errorf("estimate the size of a range: %w", err)
		}
		first, last := binary.BigEndian.Uint16(start), binary.BigEndian.Uint16(end)
		if size <= ageBytes || last-first < 2 {
			return start, end, size, nil
		}
		end = binary.BigEndian.AppendUint16(nil, first+(last-first)/2)
	}
}

package diskkv

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/cockroachdb/pebble/v2"

	"linnet/internal/kv"
)

// What is deleted or overwritten lies on in the files of the store until the library
// has a reason of its own to write them anew, which in a small store may take for ever.
// So there is a limit to the age of files in which such text may lie, or may be hidden
// by a mark of its deletion:
//
//   - a log older than maxAge: what it holds is brought into a table, and it is removed;
//   - a table older than maxAge that lies above the last level: it is merged with what
//     lies below it, down to the last level, where marks and what they hide end.
//
// A table of the last level holds what was current when it was made. Whatever deletes
// or overwrites that later lies above it, and takes it along on its way down. A merge
// that takes part of the levels makes tables that are young again, so that something
// deleted is gone after a day in the log and at most a day on each of up to six levels,
// most of which only stores of many gigabytes have: two to three days as a rule, a week
// at most. A store in which nothing is written has nothing to merge after that.
const (
	ageEvery = time.Minute
	maxAge   = 24 * time.Hour
	// ageBytes is about how much a minute's merge reads and writes, beyond the size of
	// single tables: a megabyte a second, or four hundred gigabytes in a week.
	ageBytes = 64 << 20
	// lastLevel is the library's.
	lastLevel = 6
)

// ageAll is one turn of the worker.
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
	switch err := e.age(ctx); {
	case err == nil || errors.Is(err, kv.ErrFull) || ctx.Err() != nil:
	default:
		e.opts.Logger.Warn("cannot compact deleted records", "err", e.damaged(err))
	}
}

// age does what is due, at most one merge. On a full disk it does nothing.
func (e *Engine) age(ctx context.Context) error {
	if err := e.ageLogs(ctx); err != nil {
		return err
	}
	return e.ageTable(ctx)
}

// ageLogs ends the logs that have become too old. The last one is asked for before the
// flush begins: when that has ended, everything in it and in those before lies in tables.
func (e *Engine) ageLogs(ctx context.Context) error {
	last, old := e.files.old(e.db.Metrics().WAL.Size == 0)
	if !old {
		return nil
	}
	if err := e.space.check(0); err != nil {
		return err
	}
	done, err := e.db.AsyncFlush()
	if err != nil {
		return fmt.Errorf("bring the log into tables: %w", err)
	}
	select {
	case <-done:
	case <-ctx.Done():
		return ctx.Err()
	}
	return e.files.removeOld(last)
}

// ageTable merges the oldest table, if it is too old, or as much
// of its range as is not too much at once: the rest is met again.
func (e *Engine) ageTable(ctx context.Context) error {
	oldest, err := e.oldestTable()
	if err != nil || oldest == nil {
		return err
	}
	start, end, size, err := e.ageRange(oldest.Smallest.UserKey, oldest.Largest.UserKey)
	if err != nil {
		return err
	}
	if err := e.space.check(int(size)); err != nil {
		return err
	}
	if start, end, err = e.bracket(oldest, start, end); err != nil {
		return err
	}
	e.opts.Logger.Debug("compacting old table", "table", oldest.BackingSSTNum, "bytes", size)
	if err := e.db.Compact(ctx, start, end, false); err != nil {
		return fmt.Errorf("merge table %v: %w", oldest.BackingSSTNum, err)
	}
	return nil
}

// bracket makes sure that a table whose marks of deletion have nothing to hide any more
// is written anew without them, and not just handed down as it is: marks hold names. It
// does so by two more marks around it, of keys that nothing has, and returns the range
// with them.
func (e *Engine) bracket(t *pebble.SSTableInfo, start, end []byte) ([]byte, []byte, error) {
	past := append(slices.Clone(t.Largest.UserKey), 0)
	levels, err := e.db.SSTables(pebble.WithKeyRangeFilter(t.Smallest.UserKey, past), pebble.WithProperties())
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
	before, behind := start[:2:2], append(past[:2:2], 0xff) // a kind follows, or a time
	b := e.db.NewBatch()
	defer b.Close()
	for _, k := range [][]byte{before, behind} {
		if err := b.Delete(k, nil); err != nil {
			return nil, nil, err
		}
	}
	if err := e.db.Apply(b, pebble.NoSync); err != nil {
		return nil, nil, fmt.Errorf("mark the ends of a table: %w", err)
	}
	return before, behind, nil
}

// oldestTable returns nil if no table above the last level is older than maxAge, and
// none of the last level that has marks: the library hands some down as they are.
func (e *Engine) oldestTable() (*pebble.SSTableInfo, error) {
	levels, err := e.db.SSTables()
	if err != nil {
		return nil, fmt.Errorf("list tables: %w", err)
	}
	var oldest *pebble.SSTableInfo
	limit := e.opts.Now().Add(-maxAge)
	for n, level := range levels {
		for i := range level {
			if n == lastLevel && level[i].TableStats.NumDeletions == 0 {
				continue
			}
			made, err := e.files.made(e.files.PathJoin(e.dir, level[i].BackingSSTNum.String()+tableSuffix))
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

// ageRange is the range of a table, cut at the border of a shard while it is too much
// to merge at once, and how many bytes lie in it on all levels.
func (e *Engine) ageRange(from, to []byte) (start, end []byte, size uint64, err error) {
	start, end = from, append(slices.Clone(to), 0)
	for {
		if size, err = e.db.EstimateDiskUsage(start, end); err != nil {
			return nil, nil, 0, fmt.Errorf("size of a range: %w", err)
		}
		first, last := binary.BigEndian.Uint16(start), binary.BigEndian.Uint16(end)
		if size <= ageBytes || last-first < 2 {
			return start, end, size, nil
		}
		end = binary.BigEndian.AppendUint16(nil, first+(last-first)/2)
	}
}

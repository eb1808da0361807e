package diskkv

import (
	"context"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/cockroachdb/pebble/v2"

	"linnet/internal/kv"
)

// keysPage limits the keys that one call of Keys returns.
const keysPage = 1000

// Keys implements kv.Keyspace. It returns keys by shard, in their order on disk. The cursor is the
// text of the last key returned.
func (e *Engine) Keys(ctx context.Context, cursor string) ([]kv.Key, string, error) {
	if err := e.enter(ctx); err != nil {
		return nil, "", fmt.Errorf("scan the keys: %w", err)
	}
	defer e.leave()
	var from []byte
	if cursor != "" {
		k, err := kv.ParseKey(cursor)
		if err != nil {
			return nil, "", fmt.Errorf("scan the keys: %w: cursor: %w", kv.ErrRefused, err)
		}
		from = appendShape(nil, k, shapeEnd)
	}
	keys, err := e.walk(ctx, from)
	if err != nil {
		return nil, "", fmt.Errorf("scan the keys: %w", e.damaged(err))
	}
	if len(keys) < keysPage {
		return keys, "", nil
	}
	return keys, keys[len(keys)-1].String(), nil
}

// walk returns the next keys, regardless of their records.
func (e *Engine) walk(ctx context.Context, from []byte) ([]kv.Key, error) {
	it, err := e.db.NewIter(&pebble.IterOptions{
		LowerBound: from,
		UpperBound: binary.BigEndian.AppendUint16(nil, expiryIndex),
	})
	if err != nil {
		return nil, err
	}
	defer it.Close()
	now := e.opts.Now()
	var keys []kv.Key
	var next []byte
	for ok := it.First(); ok && len(keys) < keysPage; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		k, rest, err := splitRecord(it.Key())
		if err != nil {
			return nil, err
		}
		there, err := present(it, rest, now)
		if err != nil {
			return nil, err
		}
		if there {
			keys = append(keys, k)
		}
		next = appendShape(next[:0], k, shapeEnd)
		ok = it.SeekGE(next)
	}
	return keys, it.Error()
}

// present reports whether an entry is not an expired value.
func present(it *pebble.Iterator, rest []byte, now time.Time) (bool, error) {
	if len(rest) == 0 || rest[0] != shapeValue {
		return true, nil
	}
	b, err := it.ValueAndErr()
	if err != nil {
		return false, err
	}
	v, err := readValue(b)
	return !v.expired(now), err
}

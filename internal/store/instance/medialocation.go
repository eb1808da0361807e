package instance

import (
	"context"
	"fmt"
	"time"

	"linnet/internal/kv"
	"linnet/internal/record"
)

// MediaLocation reads the value of the marker file that identifies the store's media storage, or ""
// if none is recorded yet.
func (s *Store) MediaLocation(ctx context.Context) (mark string, err error) {
	get := &kv.Get{Key: record.MediaLocationKey()}
	if err := s.db.Read(ctx, get); err != nil {
		return "", fmt.Errorf("read the media location: %w", err)
	}
	if get.Version == 0 {
		return "", nil
	}
	var p record.MediaLocation
	err = record.Decode(get, &p)
	return p.Mark, err
}

// SetMediaLocation records the marker of the media storage if none is recorded, or replaces it if
// another is set.
func (s *Store) SetMediaLocation(ctx context.Context, mark string, another bool) error {
	key := record.MediaLocationKey()
	cond := []kv.Cond{kv.Absent(key)}
	if another {
		cond = nil
	}
	_, err := s.db.Txn(ctx, cond, kv.Put{Key: key, Data: record.Encode(record.MediaLocation{Mark: mark}), Version: uint64(time.Now().UnixMilli())})
	if err != nil {
		return fmt.Errorf("write the media location: %w", err)
	}
	return nil
}

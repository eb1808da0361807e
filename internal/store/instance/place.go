package instance

import (
	"context"
	"fmt"
	"time"

	"linnet/internal/kv"
	"linnet/internal/record"
)

// Place reads what the mark of the place says in which the store's pictures are; "" if the
// store knows none yet.
func (s *Store) Place(ctx context.Context) (mark string, err error) {
	get := &kv.Get{Key: record.PlaceKey()}
	if err := s.db.Read(ctx, get); err != nil {
		return "", fmt.Errorf("read the media location: %w", err)
	}
	if get.Version == 0 {
		return "", nil
	}
	var p record.FilesPlace
	err = record.Decode(get, &p)
	return p.Mark, err
}

// SetPlace writes the mark of the file storage if there is none, or replaces it if another is set.
func (s *Store) SetPlace(ctx context.Context, mark string, another bool) error {
	key := record.PlaceKey()
	cond := []kv.Cond{kv.Absent(key)}
	if another {
		cond = nil
	}
	_, err := s.db.Txn(ctx, cond, kv.Put{Key: key, Data: record.Encode(record.FilesPlace{Mark: mark}), Version: uint64(time.Now().UnixMilli())})
	if err != nil {
		return fmt.Errorf("write the media location: %w", err)
	}
	return nil
}

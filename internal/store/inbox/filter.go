package inbox

import (
	"context"
	"errors"
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// ErrTooLarge is returned if a record would exceed its maximum size.
var ErrTooLarge = errors.New("the record would be too large")

// Filters reads a user's current filters. The caller can modify the set.
func (s *Store) Filters(ctx context.Context, user linnet.ID) (*linnet.FilterSet, error) {
	get := &kv.Get{Key: record.FiltersKey(user)}
	if err := s.db.Read(ctx, get); err != nil {
		return nil, fmt.Errorf("read filters: %w", err)
	}
	return record.DecodeFilters(get)
}

// PutFilters replaces a user's filters and reports true, if they haven't changed since set was
// read. The record exists as long as the user, so that versions are unique. It returns ErrTooLarge
// above linnet.MaxFiltersBytes, and ErrDeleted if the user doesn't exist.
func (s *Store) PutFilters(ctx context.Context, user linnet.ID, set *linnet.FilterSet) (bool, error) {
	data := record.EncodeFilters(set)
	if len(data) > linnet.MaxFiltersBytes {
		return false, ErrTooLarge
	}
	key := record.FiltersKey(user)
	cond := kv.Cond(kv.VersionIs{Key: key, Version: set.Version})
	if set.Version == 0 {
		cond = kv.Absent(key)
	}
	made, err := s.db.Txn(ctx, []kv.Cond{cond, db.Else(db.UserPresent(user), db.ErrDeleted)}, kv.Put{Key: key, Data: data, Version: set.Version + 1})
	if errors.Is(err, db.ErrDeleted) {
		return false, err
	}
	if err != nil {
		return false, fmt.Errorf("write filters: %w", err)
	}
	return made, nil
}

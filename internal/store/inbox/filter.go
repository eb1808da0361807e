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

// ErrTooLarge: a record would grow beyond its bound.
var ErrTooLarge = errors.New("record would be too large")

// Filters reads a user's filters as they are now. The set is the caller's own.
func (s *Store) Filters(ctx context.Context, user linnet.ID) (*linnet.FilterSet, error) {
	get := &kv.Get{Key: record.FiltersKey(user)}
	if err := s.db.Read(ctx, get); err != nil {
		return nil, fmt.Errorf("read filters: %w", err)
	}
	return record.DecodeFilters(get)
}

// PutFilters replaces a user's filters if they are still of the version that set
// was read as. It reports whether they were. The record is never removed while
// the user is there, so that a version comes once. ErrTooLarge beyond
// linnet.MaxFiltersBytes; ErrGone if there is no such user any more.
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
	made, err := s.db.Txn(ctx, []kv.Cond{cond, db.Else(db.UserPresent(user), db.ErrGone)}, kv.Put{Key: key, Data: data, Version: set.Version + 1})
	if errors.Is(err, db.ErrGone) {
		return false, err
	}
	if err != nil {
		return false, fmt.Errorf("write filters: %w", err)
	}
	return made, nil
}

package statuses

import (
	"context"
	"errors"
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// OldPosts reads what a user has chosen about old posts, and how far their deletion is. It reports
// false if nothing was ever chosen.
func (s *Store) OldPosts(ctx context.Context, user linnet.ID) (r record.OldPosts, chosen bool, err error) {
	get := &kv.Get{Key: record.OldPostsKey(user)}
	if err := s.db.Read(ctx, get); err != nil || get.Version == 0 {
		return r, false, err
	}
	return r, true, record.Decode(get, &r)
}

// ChangeOldPosts changes it by f, which may be called more than once, and returns what goes into
// the same transaction, or that nothing is to be written. It reports false if there is no such user.
func (s *Store) ChangeOldPosts(ctx context.Context, user linnet.ID, f func(r *record.OldPosts, chosen bool) (ops []kv.Op, write bool, err error)) (bool, error) {
	for range db.MaxRaces {
		get := &kv.Get{Key: record.OldPostsKey(user)}
		if err := s.db.Read(ctx, get); err != nil {
			return false, fmt.Errorf("read the choice about old posts: %w", err)
		}
		var r record.OldPosts
		if get.Version != 0 {
			if err := record.Decode(get, &r); err != nil {
				return false, err
			}
		}
		ops, write, err := f(&r, get.Version != 0)
		if err != nil {
			return false, err
		}
		if !write {
			if db.Surely(&ctx) { // it may be about what another call has written
				continue
			}
			return true, nil
		}
		made, err := s.db.Txn(ctx, []kv.Cond{db.Else(db.UserPresent(user), db.ErrGone), kv.VersionIs{Key: get.Key, Version: get.Version}},
			append(ops, kv.Put{Key: get.Key, Data: record.Encode(r), Version: get.Version + 1})...)
		switch {
		case errors.Is(err, db.ErrGone):
			return false, nil
		case errors.Is(err, kv.ErrUnknown): // the loop reads what became of it
		case err != nil:
			return false, fmt.Errorf("write the choice about old posts: %w", err)
		case made:
			return true, nil
		}
	}
	return false, db.TooManyRaces("old posts of user", user)
}

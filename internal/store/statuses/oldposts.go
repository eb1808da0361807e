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

// OldPosts reads a user's rule for deleting old posts, with its progress. It returns false if the
// user never had one.
func (s *Store) OldPosts(ctx context.Context, user linnet.ID) (r record.OldPosts, chosen bool, err error) {
	get := &kv.Get{Key: record.OldPostsKey(user)}
	if err := s.db.Read(ctx, get); err != nil || get.Version == 0 {
		return r, false, err
	}
	return r, true, record.Decode(get, &r)
}

// ChangeOldPosts changes the rule with f, which may be called more than once. f returns the other
// changes of the transaction, or false to write nothing. ChangeOldPosts returns false if the user
// does not exist.
func (s *Store) ChangeOldPosts(ctx context.Context, user linnet.ID, f func(r *record.OldPosts, chosen bool) (ops []kv.Op, write bool, err error)) (bool, error) {
	for range db.MaxRaces {
		get := &kv.Get{Key: record.OldPostsKey(user)}
		if err := s.db.Read(ctx, get); err != nil {
			return false, fmt.Errorf("read the settings for old posts: %w", err)
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
			if db.RetryDurable(&ctx) { // the decision may depend on the write of another call
				continue
			}
			return true, nil
		}
		made, err := s.db.Txn(ctx, []kv.Cond{db.Else(db.UserPresent(user), db.ErrDeleted), kv.VersionIs{Key: get.Key, Version: get.Version}},
			append(ops, kv.Put{Key: get.Key, Data: record.Encode(r), Version: get.Version + 1})...)
		switch {
		case errors.Is(err, db.ErrDeleted):
			return false, nil
		case errors.Is(err, kv.ErrUnknown): // the next attempt reads the outcome
		case err != nil:
			return false, fmt.Errorf("write the settings for old posts: %w", err)
		case made:
			return true, nil
		}
	}
	return false, db.TooManyRaces("old posts of user", user)
}

package feeds

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// OwnFeeds returns the custom feeds of a user, oldest first, and their common version.
func (s *Store) OwnFeeds(ctx context.Context, user linnet.ID) ([]linnet.OwnFeed, uint64, error) {
	get := &kv.Get{Key: record.OwnFeedsKey(user)}
	if err := s.db.Read(ctx, get); err != nil {
		return nil, 0, fmt.Errorf("read custom feeds: %w", err)
	}
	if get.Version == 0 {
		return nil, 0, nil
	}
	var r record.OwnFeeds
	err := record.Decode(get, &r)
	return r.All(), get.Version, err
}

// ChangeOwnFeeds changes the custom feeds of a user. f changes them and returns the id of the
// changed feed, whose ranking is deleted, or 0 for no change. f is called again after a concurrent
// change. It returns ErrDeleted if there is no such user.
func (s *Store) ChangeOwnFeeds(ctx context.Context, user linnet.ID, f func(*[]linnet.OwnFeed) (linnet.ID, error)) error {
	for range db.MaxRaces {
		feeds, version, err := s.OwnFeeds(ctx, user)
		if err != nil {
			return err
		}
		feeds = slices.Clone(feeds)
		changed, err := f(&feeds)
		if err != nil || changed == 0 {
			if db.RetryDurable(&ctx) {
				continue
			}
			return err
		}
		made, err := s.db.Txn(ctx, []kv.Cond{db.Else(db.UserPresent(user), db.ErrDeleted), db.FeedsUnchanged(user, version)},
			kv.Put{Key: record.OwnFeedsKey(user), Data: record.EncodeOwnFeeds(feeds), Version: version + 1}, kv.Delete{Key: record.RankingKey(changed)})
		switch {
		case errors.Is(err, kv.ErrUnknown): // the loop reads the result
			ctx = kv.Durable(ctx)
		case errors.Is(err, db.ErrDeleted):
			return err
		case err != nil:
			return fmt.Errorf("write custom feeds: %w", err)
		case made:
			return nil
		}
	}
	return db.TooManyRaces("feeds of", user)
}

// ForgetOwnFeeds removes the feeds of a deleted user, after their rankings.
func (s *Store) ForgetOwnFeeds(ctx context.Context, user linnet.ID) error {
	feeds, _, err := s.OwnFeeds(ctx, user)
	if err != nil {
		return err
	}
	var ops []kv.Op
	for _, f := range feeds {
		ops = append(ops, kv.Delete{Key: record.RankingKey(f.ID)})
	}
	if err := s.db.Apply(ctx, append(ops, kv.Delete{Key: record.OwnFeedsKey(user)})...); err != nil {
		return fmt.Errorf("delete custom feeds: %w", err)
	}
	return nil
}

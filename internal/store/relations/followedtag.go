package relations

import (
	"context"
	"errors"
	"fmt"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// FollowTag makes a user follow a folded tag. It does nothing if the user already does. It returns
// ErrLimit if the user already follows below tags, and ErrDeleted if there is no such user.
func (s *Store) FollowTag(ctx context.Context, user linnet.ID, folded string, below int64) error {
	key, member := record.RelationshipsKey(user), record.FollowedTagMember(folded)
	for range db.MaxRaces {
		made, err := s.db.Txn(ctx, []kv.Cond{db.Else(db.UserPresent(user), db.ErrDeleted), kv.NoMember{Key: key, Member: member},
			db.Else(kv.CounterBelow{Key: record.CountsKey(user), Name: record.FollowedTagsCounter, Limit: below}, ErrLimit)},
			kv.Add{Key: key, Member: member, Score: record.FollowedTagScore(s.db.Now())},
			kv.Incr{Key: record.CountsKey(user), Name: record.FollowedTagsCounter, By: 1})
		switch {
		case errors.Is(err, ErrLimit), errors.Is(err, db.ErrDeleted):
			return err
		case errors.Is(err, kv.ErrUnknown): // read the result
		case err != nil:
			return fmt.Errorf("follow a tag: %w", err)
		case made:
			return nil
		}
		follows := &kv.Scores{Key: key, Members: []string{member}}
		if err := s.db.Read(kv.Durable(ctx), follows); err != nil || follows.Found[0] {
			return err
		}
	}
	return db.TooManyRaces("tags followed by", user)
}

// UnfollowTag makes a user unfollow a tag. It does nothing if the user doesn't follow it.
func (s *Store) UnfollowTag(ctx context.Context, user linnet.ID, folded string) error {
	key, member := record.RelationshipsKey(user), record.FollowedTagMember(folded)
	for range db.MaxRaces {
		made, err := s.db.Txn(ctx, []kv.Cond{kv.HasMember{Key: key, Member: member}},
			kv.Remove{Key: key, Member: member}, kv.Incr{Key: record.CountsKey(user), Name: record.FollowedTagsCounter, By: -1})
		if err != nil && !errors.Is(err, kv.ErrUnknown) {
			return fmt.Errorf("unfollow a tag: %w", err)
		}
		if made {
			return nil
		}
		follows := &kv.Scores{Key: key, Members: []string{member}}
		if err := s.db.Read(kv.Durable(ctx), follows); err != nil || !follows.Found[0] {
			return err
		}
	}
	return db.TooManyRaces("tags followed by", user)
}

// FollowedTags returns the folded tags that a user follows with their times, latest first.
func (s *Store) FollowedTags(ctx context.Context, user linnet.ID) ([]linnet.FollowedTag, error) {
	q := db.FollowedTagsQuery(user)
	if err := s.db.Read(ctx, q); err != nil {
		return nil, fmt.Errorf("read followed tags: %w", err)
	}
	var out []linnet.FollowedTag
	for _, m := range q.Members {
		if tag, ok := record.FollowedTagOf(m.Member); ok {
			out = append(out, linnet.FollowedTag{Tag: tag, Since: time.UnixMilli(-m.Score)})
		}
	}
	return out, nil
}

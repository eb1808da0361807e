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

// Mute mutes a user or changes the options of a mute. A zero until means no end. It returns
// ErrLimit if the user already has below mutes.
func (s *Store) Mute(ctx context.Context, user, other linnet.ID, until time.Time, notices bool, below int64) error {
	if err := s.endMutes(ctx, user); err != nil {
		return err
	}
	relationship := kv.Add{Key: record.RelationshipsKey(user), Member: record.Mutes.Member(other), Score: record.MuteScore(until, notices)}
	has := kv.HasMember{Key: record.MutesKey(user), Member: other.String()}
	for range db.MaxRaces {
		made, err := s.db.Txn(ctx, []kv.Cond{kv.NoMember(has), db.Else(kv.CounterBelow{Key: record.CountsKey(user), Name: record.MutesCounter, Limit: below}, ErrLimit)},
			kv.Add{Key: record.MutesKey(user), Member: other.String(), Score: s.db.Now().UnixMilli()}, relationship,
			kv.Incr{Key: record.CountsKey(user), Name: record.MutesCounter, By: 1})
		switch {
		case errors.Is(err, ErrLimit):
			return err
		case err != nil:
			return fmt.Errorf("write a mute: %w", err)
		case made:
			return nil
		}
		if made, err = s.db.Txn(ctx, []kv.Cond{has}, relationship); err != nil || made {
			return err
		}
	}
	return db.TooManyRaces("mutes of", user)
}

// Unmute ends a mute, if there is one.
func (s *Store) Unmute(ctx context.Context, user, other linnet.ID) error {
	if err := s.endMutes(ctx, user); err != nil {
		return err
	}
	return s.unmute(ctx, user, other, kv.HasMember{Key: record.MutesKey(user), Member: other.String()})
}

func (s *Store) unmute(ctx context.Context, user, other linnet.ID, cond kv.Cond) error {
	_, err := s.db.Txn(ctx, []kv.Cond{cond},
		kv.Remove{Key: record.MutesKey(user), Member: other.String()}, kv.Remove{Key: record.RelationshipsKey(user), Member: record.Mutes.Member(other)},
		kv.Incr{Key: record.CountsKey(user), Name: record.MutesCounter, By: -1})
	if err != nil {
		return fmt.Errorf("end a mute: %w", err)
	}
	return nil
}

// endMutesMost is the number of expired mutes that are deleted at a time.
const endMutesMost = 20

// endMutes deletes expired mutes.
func (s *Store) endMutes(ctx context.Context, user linnet.ID) error {
	r := &kv.Range{Key: record.RelationshipsKey(user), Limit: endMutesMost,
		Above: &kv.Member{Score: 2}, Below: &kv.Member{Score: record.MuteScore(s.db.Now(), false)}}
	if err := s.db.Read(ctx, r); err != nil {
		return fmt.Errorf("read mutes: %w", err)
	}
	for _, m := range r.Members {
		other, _ := record.SplitEntry(m.Member)
		if err := s.unmute(ctx, user, other, kv.ScoreIs{Key: r.Key, Member: m.Member, Score: m.Score}); err != nil {
			return err
		}
	}
	return nil
}

// SetRelationshipFlag sets or clears a relationship flag.
func (s *Store) SetRelationshipFlag(ctx context.Context, user, other linnet.ID, c record.RelationshipFlag, on bool) error {
	if err := s.db.Apply(ctx, db.RelationshipOp(user, other, c, on)); err != nil {
		return fmt.Errorf("write a relationship flag: %w", err)
	}
	return nil
}

package relations

import (
	"context"
	"errors"
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// A group is a user: to be its member is to follow it. What it has beside is who
// runs it and who is invited, which it relates to, so that both lie in its shard;
// and each user knows the groups among those followed, in one small set that is
// read whole.

// joined is the change of a user's set of groups that goes with a follow; nil if
// none does.
func (c *EdgeChange) joined(w *desired, version int64) kv.Op {
	switch {
	case w.kind != record.Follows():
		return nil
	case !w.live:
		return kv.Remove{Key: record.JoinedKey(c.Owner), Member: c.Other.String()}
	case c.Joins:
		return kv.Add{Key: record.JoinedKey(c.Owner), Member: c.Other.String(), Score: version}
	}
	return nil
}

// Joined reads the groups that a user is in, the first one joined first.
func (s *Store) Joined(ctx context.Context, user linnet.ID) ([]linnet.ID, error) {
	return s.db.All(ctx, record.JoinedKey(user), kv.MaxRange)
}

// MembersSince reads the next of those who have been members of a group since a
// time (Unix milliseconds) or longer, after a position; more says that there may
// be others.
func (s *Store) MembersSince(ctx context.Context, group linnet.ID, at int64, from kv.Member, limit int) (ids []linnet.ID, next kv.Member, more bool, err error) {
	r := &kv.Range{Key: record.Follows().CopyKey(group), Below: &kv.Member{Score: at + 1}, Limit: limit}
	if from.Member != "" {
		r.Above = &from
	}
	if err := s.db.Read(ctx, r); err != nil {
		return nil, from, false, fmt.Errorf("walk members: %w", err)
	}
	for _, m := range r.Members {
		id, _ := record.SplitEntry(m.Member)
		ids, from = append(ids, id), m
	}
	return ids, from, len(ids) == limit, nil
}

// Withdraw marks a status as taken out of its group. It may be repeated, and does
// nothing if there is no such status.
func (s *Store) Withdraw(ctx context.Context, id linnet.ID) error {
	for range db.MaxRaces {
		get := &kv.Get{Key: record.StatusKey(id)}
		if err := s.db.Read(kv.Durable(ctx), get); err != nil || get.Version == 0 {
			return err
		}
		st, err := record.DecodeStatus(id, get)
		if err != nil || st.Withdrawn {
			return err
		}
		st.Withdrawn = true
		made, err := s.db.Txn(ctx, []kv.Cond{kv.VersionIs{Key: get.Key, Version: get.Version}},
			kv.Put{Key: get.Key, Data: record.EncodeStatus(st), Version: get.Version + 1})
		if errors.Is(err, kv.ErrUnknown) {
			continue // the loop reads what became of it
		}
		if err != nil || made {
			return err
		}
	}
	return db.TooManyRaces("status", id)
}

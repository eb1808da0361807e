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

// A group is a user, and its members are its followers. Its staff and invitations are relations of
// the group, so they are in its shard. Each user has a small set of joined groups, which is always
// read completely.

// memberships returns the change of a user's set of groups for a follow; nil if there is none.
func (c *RelationChange) memberships(w *desired, version int64) kv.Op {
	switch {
	case w.kind != record.Follows():
		return nil
	case !w.live:
		return kv.Remove{Key: record.MembershipsKey(c.Owner), Member: c.Other.String()}
	case c.Joins:
		return kv.Add{Key: record.MembershipsKey(c.Owner), Member: c.Other.String(), Score: version}
	}
	return nil
}

// Memberships reads a user's groups, the first joined first.
func (s *Store) Memberships(ctx context.Context, user linnet.ID) ([]linnet.ID, error) {
	return s.db.All(ctx, record.MembershipsKey(user), kv.MaxRange)
}

// MembersSince reads the next members of a group who joined no later than a time (Unix
// milliseconds), after a position. more reports whether there may be others.
func (s *Store) MembersSince(ctx context.Context, group linnet.ID, at int64, from kv.Member, limit int) (ids []linnet.ID, next kv.Member, more bool, err error) {
	r := &kv.Range{Key: record.Follows().CopyKey(group), Below: &kv.Member{Score: at + 1}, Limit: limit}
	if from.Member != "" {
		r.Above = &from
	}
	if err := s.db.Read(ctx, r); err != nil {
		return nil, from, false, fmt.Errorf("scan members: %w", err)
	}
	for _, m := range r.Members {
		id, _ := record.SplitEntry(m.Member)
		ids, from = append(ids, id), m
	}
	return ids, from, len(ids) == limit, nil
}

// Withdraw marks a status as removed from its group. It can run more than once, and does nothing if
// there is no such status.
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
			continue // the loop reads the result
		}
		if err != nil || made {
			return err
		}
	}
	return db.TooManyRaces("status", id)
}

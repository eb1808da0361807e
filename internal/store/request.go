package store

import (
	"context"
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// A user stands to another in one of three ways: asks to follow (Requests),
// follows (Follows), or neither. Both halves lie at the one who asks, so that each
// step from one to the other is one transaction, and nobody is ever followed in
// between who has not agreed. That the answer of the one who is asked is written
// at the one who asks makes it final: there is no second place to agree with it.

// UserNow reads a user's record as it is at this moment, also if another process
// has only just changed it; nil if there is none. The caches of a process that
// shares its engine are some moments behind, too late for what must hold from the
// answer to the one who changed it.
func (s *Store) UserNow(ctx context.Context, id linnet.ID) (*linnet.User, error) {
	if !s.opt.Shared {
		b := s.Batch()
		ref := b.User(id)
		err := b.Run(ctx)
		return ref.User, err
	}
	get := &kv.Get{Key: record.UserKey(id)}
	if err := s.kv.Read(ctx, get); err != nil {
		return nil, fmt.Errorf("read user: %w", err)
	}
	if get.Version == 0 {
		return nil, nil
	}
	u, born, err := record.DecodeUser(id, get)
	if err != nil || !born {
		return nil, err
	}
	return u, nil
}

// RequestsTo asks how many people ask to follow a user.
func (b *Batch) RequestsTo(user linnet.ID) *int64 {
	n := new(int64)
	q := &kv.Counters{Key: record.CountsKey(user), Names: []string{record.Requests().OtherCounter}}
	b.ask(q, func() error {
		*n = max(q.Values[0], 0)
		return nil
	})
	return n
}

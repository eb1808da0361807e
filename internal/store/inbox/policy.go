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

// ChangePolicy changes a user's policy and returns it.
func (s *Store) ChangePolicy(ctx context.Context, user linnet.ID, c linnet.PolicyChange) (linnet.NotificationPolicy, error) {
	key := record.PolicyKey(user)
	for range db.MaxRaces {
		get := &kv.Get{Key: key}
		if err := s.db.Read(ctx, get); err != nil {
			return linnet.NotificationPolicy{}, fmt.Errorf("read the notification policy: %w", err)
		}
		p, err := record.DecodePolicy(get)
		if err != nil {
			return p, err
		}
		p = record.ChangedPolicy(p, c)
		made, err := s.db.Txn(ctx, []kv.Cond{kv.VersionIs{Key: key, Version: get.Version}, db.Else(db.UserPresent(user), db.ErrDeleted)},
			kv.Put{Key: key, Data: record.Encode(record.Policy(p)), Version: get.Version + 1})
		switch {
		case errors.Is(err, db.ErrDeleted):
			return p, err
		case err != nil:
			return p, fmt.Errorf("write the notification policy: %w", err)
		case made:
			return p, nil
		}
	}
	return linnet.NotificationPolicy{}, db.TooManyRaces("policy of", user)
}

// Held reads all filtered notifications of a user, newest first.
func (s *Store) Held(ctx context.Context, user linnet.ID) ([]linnet.Notification, error) {
	var all []linnet.Notification
	sp := db.Span{Limit: kv.MaxRange}
	for range 2 + linnet.MaxNotifications/kv.MaxRange {
		page, err := s.noticesIn(ctx, sp, record.HeldKey(user))
		if err != nil {
			return nil, err
		}
		all = append(all, page...)
		if len(page) < kv.MaxRange {
			break
		}
		sp.Below = page[len(page)-1].ID
	}
	return all, nil
}

// AcceptFrom records that a user's policy no longer filters notifications of some senders, with the
// tasks that move the filtered ones.
func (s *Store) AcceptFrom(ctx context.Context, user linnet.ID, from []linnet.ID, tasks ...kv.Op) error {
	ops := tasks
	for _, id := range from {
		ops = append(ops, kv.Add{Key: record.Accepted.Key(user), Member: id.String(), Score: s.db.Now().UnixMilli()},
			kv.Add{Key: record.IDKey(record.KindMerging, user), Member: id.String(), Score: s.db.Now().UnixMilli()})
	}
	_, err := s.db.Txn(ctx, []kv.Cond{kv.Present{Key: record.UserKey(user)}}, ops...)
	return err
}

// mergeChunk is the number of notifications that one transaction moves.
const mergeChunk = 400

// MergeHeld moves the filtered notifications of a sender to a user's notifications. It can run more
// than once.
func (s *Store) MergeHeld(ctx context.Context, user, from linnet.ID) error {
	all, err := s.Held(ctx, user)
	if err != nil {
		return err
	}
	var ops []kv.Op
	for i, n := range all {
		if n.From == from {
			n.Held = false
			ops = append(ops, kv.Remove{Key: record.HeldKey(user), Member: record.NoticeMember(n)},
				kv.Add{Key: record.NoticesKey(user), Member: record.NoticeMember(n), Score: n.ID.Millis()})
		}
		if len(ops) >= 2*mergeChunk || i == len(all)-1 && len(ops) > 0 {
			if _, err := s.db.Txn(ctx, nil, ops...); err != nil {
				return fmt.Errorf("merge notifications: %w", err)
			}
			ops = nil
		}
	}
	return s.db.Apply(ctx, kv.Trim{Key: record.NoticesKey(user), Keep: linnet.MaxNotifications},
		kv.Remove{Key: record.IDKey(record.KindMerging, user), Member: from.String()})
}

// Merging reports whether a user's accepted notifications are still being moved.
func (s *Store) Merging(ctx context.Context, user linnet.ID) (bool, error) {
	ids, err := s.db.All(ctx, record.IDKey(record.KindMerging, user), 1)
	return len(ids) > 0, err
}

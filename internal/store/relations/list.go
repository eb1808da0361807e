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

func exclusiveOp(l *linnet.List) kv.Op {
	if l.Exclusive {
		return kv.Add{Key: record.ExclusiveKey(l.Owner), Member: l.ID.String(), Score: l.ID.Millis()}
	}
	return kv.Remove{Key: record.ExclusiveKey(l.Owner), Member: l.ID.String()}
}

func errList(do string, err error) error { return fmt.Errorf("%s list: %w", do, err) }

// CreateList writes a list in its owner's shard. It can run more than once if the list has an id.
func (s *Store) CreateList(ctx context.Context, l *linnet.List) error {
	l.Version = 1
	drawn := l.ID != 0
	for range db.MaxRaces {
		if !drawn {
			l.ID = s.db.NewID(l.Owner.Shard(), 0)
		}
		made, err := s.db.Txn(ctx, []kv.Cond{kv.Absent(record.ListKey(l.ID)), db.Else(db.UserPresent(l.Owner), db.ErrDeleted)},
			kv.Put{Key: record.ListKey(l.ID), Data: record.EncodeList(l), Version: 1},
			kv.Add{Key: record.ListsKey(l.Owner), Member: l.ID.String(), Score: l.ID.Millis()}, exclusiveOp(l))
		switch {
		case errors.Is(err, db.ErrDeleted):
			return err
		case err != nil:
			return errList("create", err)
		case made || drawn:
			return nil
		}
	}
	return db.TooManyRaces("id of a list of", l.Owner)
}

// Lists reads lists that exist, in the order of ids.
func (s *Store) Lists(ctx context.Context, ids []linnet.ID) ([]linnet.List, error) {
	qs := make([]kv.Query, len(ids))
	for i, id := range ids {
		qs[i] = &kv.Get{Key: record.ListKey(id)}
	}
	if len(qs) == 0 {
		return nil, nil
	}
	if err := s.db.Read(ctx, qs...); err != nil {
		return nil, errList("read", err)
	}
	var out []linnet.List
	for i, q := range qs {
		get := q.(*kv.Get)
		if get.Version == 0 {
			continue
		}
		var r record.List
		if err := record.Decode(get, &r); err != nil {
			return nil, err
		}
		out = append(out, linnet.List{ID: ids[i], Owner: linnet.ID(r.Owner), Title: r.Title, Replies: r.Replies,
			Exclusive: r.Exclusive, Version: get.Version})
	}
	return out, nil
}

// ListsOf returns the lists of a user, oldest first.
func (s *Store) ListsOf(ctx context.Context, user linnet.ID) ([]linnet.List, error) {
	ids, err := s.db.All(ctx, record.ListsKey(user), linnet.MaxLists)
	if err != nil {
		return nil, err
	}
	return s.Lists(ctx, ids)
}

// UpdateList replaces a list's record. It returns false if the record has changed since l was read.
func (s *Store) UpdateList(ctx context.Context, l *linnet.List) (bool, error) {
	made, err := s.db.Txn(ctx, []kv.Cond{kv.VersionIs{Key: record.ListKey(l.ID), Version: l.Version}},
		kv.Put{Key: record.ListKey(l.ID), Data: record.EncodeList(l), Version: l.Version + 1}, exclusiveOp(l))
	if err != nil {
		return false, errList("update", err)
	}
	l.Version++
	return made, nil
}

// DeleteList deletes a list with its timeline. The task in more deletes its members.
func (s *Store) DeleteList(ctx context.Context, l *linnet.List, more ...kv.Op) error {
	ops := append(more, kv.Delete{Key: record.ListKey(l.ID)}, kv.Delete{Key: record.ListFeedKey(l.ID)},
		kv.Remove{Key: record.ListsKey(l.Owner), Member: l.ID.String()}, kv.Remove{Key: record.ExclusiveKey(l.Owner), Member: l.ID.String()})
	_, err := s.db.Txn(ctx, []kv.Cond{kv.Present{Key: record.ListKey(l.ID)}}, ops...)
	if err != nil {
		return errList("delete", err)
	}
	return nil
}

// ForgetMembers removes some members of a deleted list on both sides.
func (s *Store) ForgetMembers(ctx context.Context, list linnet.ID, members []linnet.ID) error {
	k := record.Listings()
	var ops []kv.Op
	for _, m := range members {
		ops = append(ops, kv.Remove{Key: k.CopyKey(m), Member: list.String()}, kv.Remove{Key: k.OwnedKey(list), Member: m.String()})
	}
	if len(members) == 0 {
		ops = append(ops, kv.Delete{Key: record.IDKey(k.Owned+".gone", list)}, kv.Delete{Key: record.ListFeedKey(list)})
	}
	return s.db.Apply(ctx, ops...)
}

// SetMember adds id to a user's set or removes it.
func (s *Store) SetMember(ctx context.Context, k record.PrivateSet, user, id linnet.ID, in bool) error {
	if !in {
		return s.db.Apply(ctx, kv.Remove{Key: k.Key(user), Member: id.String()})
	}
	_, err := s.db.Txn(ctx, []kv.Cond{kv.NoMember{Key: k.Key(user), Member: id.String()}, db.UserPresent(user)},
		kv.Add{Key: k.Key(user), Member: id.String(), Score: s.db.Now().UnixMilli()})
	return err
}

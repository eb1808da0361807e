package store

import (
	"context"
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

func listKey(id linnet.ID) kv.Key    { return idKey(kList, id) }
func listsKey(user linnet.ID) kv.Key { return idKey(kLists, user) }

// exclusiveKey is the set of those lists of a user whose members do not stand at
// home: reading home needs them without the records of all lists.
func exclusiveKey(user linnet.ID) kv.Key { return idKey(kExclusive, user) }

func exclusiveOp(l *linnet.List) kv.Op {
	if l.Exclusive {
		return kv.Add{Key: exclusiveKey(l.Owner), Member: l.ID.String(), Score: l.ID.Millis()}
	}
	return kv.Remove{Key: exclusiveKey(l.Owner), Member: l.ID.String()}
}

func encodeList(l *linnet.List) []byte {
	return encode(listRecord{JID(l.Owner), l.Title, l.Replies, l.Exclusive})
}
func errList(do string, err error) error { return fmt.Errorf("%s list: %w", do, err) }

// CreateList writes a list in its owner's shard.
func (s *Store) CreateList(ctx context.Context, l *linnet.List) error {
	l.Version = 1
	for range maxRaces {
		l.ID = s.NewID(l.Owner.Shard(), 0)
		failed, err := s.kv.Txn(ctx, []kv.Cond{kv.Absent(listKey(l.ID)), UserPresent(l.Owner)},
			kv.Put{Key: listKey(l.ID), Data: encodeList(l), Version: 1},
			kv.Add{Key: listsKey(l.Owner), Member: l.ID.String(), Score: l.ID.Millis()}, exclusiveOp(l))
		if err != nil {
			return errList("create", err)
		}
		switch failed {
		case -1:
			return nil
		case 1:
			return ErrGone
		}
	}
	return errRaces("id of a list of", l.Owner)
}

// Lists reads lists that exist, in the order of ids.
func (s *Store) Lists(ctx context.Context, ids []linnet.ID) ([]linnet.List, error) {
	qs := make([]kv.Query, len(ids))
	for i, id := range ids {
		qs[i] = &kv.Get{Key: listKey(id)}
	}
	if len(qs) == 0 {
		return nil, nil
	}
	if err := s.kv.Read(ctx, qs...); err != nil {
		return nil, errList("read", err)
	}
	var out []linnet.List
	for i, q := range qs {
		get := q.(*kv.Get)
		if get.Version == 0 {
			continue
		}
		var r listRecord
		if err := decode(get, &r); err != nil {
			return nil, err
		}
		out = append(out, linnet.List{ID: ids[i], Owner: linnet.ID(r.Owner), Title: r.Title, Replies: r.Replies,
			Exclusive: r.Exclusive, Version: get.Version})
	}
	return out, nil
}

// ListsOf returns the lists of a user, oldest first.
func (s *Store) ListsOf(ctx context.Context, user linnet.ID) ([]linnet.List, error) {
	ids, err := s.All(ctx, listsKey(user), linnet.MaxLists)
	if err != nil {
		return nil, err
	}
	return s.Lists(ctx, ids)
}

// Exclusive asks for the lists of a user whose members do not stand at home. The
// answer stands in the slice after Run.
func (b *Batch) Exclusive(user linnet.ID) *[]linnet.ID {
	var ids []linnet.ID
	r := &kv.Range{Key: exclusiveKey(user), Limit: linnet.MaxLists}
	b.ask(r, func() error {
		for _, m := range r.Members {
			id, _ := splitEntry(m.Member)
			ids = append(ids, id)
		}
		return nil
	})
	return &ids
}

// UpdateList replaces a list's record if it is still the version that l was
// read as. It reports whether it was.
func (s *Store) UpdateList(ctx context.Context, l *linnet.List) (bool, error) {
	failed, err := s.kv.Txn(ctx, []kv.Cond{kv.VersionIs{Key: listKey(l.ID), Version: l.Version}},
		kv.Put{Key: listKey(l.ID), Data: encodeList(l), Version: l.Version + 1}, exclusiveOp(l))
	if err != nil {
		return false, errList("update", err)
	}
	l.Version++
	return failed < 0, nil
}

// DeleteList removes a list with its timeline; its members are left to the task
// in more.
func (s *Store) DeleteList(ctx context.Context, l *linnet.List, more ...kv.Op) error {
	ops := append(more, kv.Delete{Key: listKey(l.ID)}, kv.Delete{Key: ListKey(l.ID)},
		kv.Remove{Key: listsKey(l.Owner), Member: l.ID.String()}, kv.Remove{Key: exclusiveKey(l.Owner), Member: l.ID.String()})
	_, err := s.kv.Txn(ctx, []kv.Cond{kv.Present{Key: listKey(l.ID)}}, ops...)
	if err != nil {
		return errList("delete", err)
	}
	return nil
}

// ListPresent is the condition that a list still exists.
func ListPresent(id linnet.ID) kv.Cond { return kv.Present{Key: listKey(id)} }

// ForgetMembers removes some members of a deleted list on both sides.
func (s *Store) ForgetMembers(ctx context.Context, list linnet.ID, members []linnet.ID) error {
	k := Listings()
	var ops []kv.Op
	for _, m := range members {
		ops = append(ops, kv.Remove{Key: k.CopyKey(m), Member: list.String()}, kv.Remove{Key: k.OwnedKey(list), Member: m.String()})
	}
	if len(members) == 0 {
		ops = append(ops, kv.Delete{Key: idKey(k.owned+".gone", list)}, kv.Delete{Key: ListKey(list)})
	}
	return s.kv.Apply(ctx, ops...)
}

// Kept sets are sets of ids that one user keeps alone, such as bookmarks. They
// have one side and no tombstones.
type Kept string

const (
	Bookmarks Kept = kBookmarks
	Endorsed  Kept = kEndorsed
	Accepted  Kept = kAccepted
)

// Key is the set of a user.
func (k Kept) Key(user linnet.ID) kv.Key { return idKey(string(k), user) }

// Keep puts id into a kept set, or takes it out.
func (s *Store) Keep(ctx context.Context, k Kept, user, id linnet.ID, in bool) error {
	if !in {
		return s.kv.Apply(ctx, kv.Remove{Key: k.Key(user), Member: id.String()})
	}
	_, err := s.kv.Txn(ctx, []kv.Cond{kv.NoMember{Key: k.Key(user), Member: id.String()}, UserPresent(user)},
		kv.Add{Key: k.Key(user), Member: id.String(), Score: s.Now().UnixMilli()})
	return err
}

// Kept asks which of ids are in a kept set.
func (b *Batch) Kept(k Kept, user linnet.ID, ids []linnet.ID) *Membership {
	return b.has(k.Key(user), ids)
}

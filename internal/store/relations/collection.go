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

// NewCollectionItem generates the id of an item of a user's collection.
func (s *Store) NewCollectionItem(owner linnet.ID) linnet.ID { return s.db.NewID(owner.Shard(), 0) }

// CreateCollection writes a collection in its owner's shard, with its id and the operations in
// with. It returns db.ErrDeleted if there is no such user.
func (s *Store) CreateCollection(ctx context.Context, c *linnet.Collection, with func() []kv.Op) error {
	c.Version = 1
	for range db.MaxRaces {
		c.ID = s.db.NewID(c.Owner.Shard(), 0)
		made, err := s.db.Txn(ctx, []kv.Cond{kv.Absent(record.CollectionKey(c.ID)), db.Else(db.UserPresent(c.Owner), db.ErrDeleted)},
			append(with(), kv.Put{Key: record.CollectionKey(c.ID), Data: record.EncodeCollection(c), Version: 1},
				kv.Add{Key: record.CollectionsKey(c.Owner), Member: c.ID.String(), Score: c.ID.Millis()})...)
		switch {
		case errors.Is(err, db.ErrDeleted):
			return err
		case err != nil:
			return errCollection("create", err)
		case made:
			return nil
		}
	}
	return db.TooManyRaces("id of a collection of", c.Owner)
}

func errCollection(do string, err error) error { return fmt.Errorf("%s collection: %w", do, err) }

// Collections reads collections that exist, in the order of ids.
func (s *Store) Collections(ctx context.Context, ids []linnet.ID) ([]linnet.Collection, error) {
	gets, qs := make([]*kv.Get, len(ids)), make([]kv.Query, len(ids))
	for i, id := range ids {
		gets[i] = &kv.Get{Key: record.CollectionKey(id)}
		qs[i] = gets[i]
	}
	if len(qs) == 0 {
		return nil, nil
	}
	if err := s.db.Read(ctx, qs...); err != nil {
		return nil, errCollection("read", err)
	}
	out := make([]linnet.Collection, 0, len(ids))
	for i, get := range gets {
		c, err := record.DecodeCollection(ids[i], get)
		if err != nil {
			return nil, err
		}
		if c != nil {
			out = append(out, *c)
		}
	}
	return out, nil
}

// Collection reads a collection, or nil if there is none.
func (s *Store) Collection(ctx context.Context, id linnet.ID) (*linnet.Collection, error) {
	found, err := s.Collections(ctx, []linnet.ID{id})
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0], nil
}

// CollectionsOf returns the collections of a user, oldest first.
func (s *Store) CollectionsOf(ctx context.Context, user linnet.ID) ([]linnet.Collection, error) {
	ids, err := s.db.All(ctx, record.CollectionsKey(user), linnet.MaxCollections)
	if err != nil {
		return nil, err
	}
	return s.Collections(ctx, ids)
}

// UpdateCollection replaces a collection's record and applies the operations in with. It returns
// false if the record has changed since c was read, and db.ErrCondition if another condition does
// not hold.
func (s *Store) UpdateCollection(ctx context.Context, c *linnet.Collection, conds []kv.Cond, with ...kv.Op) (bool, error) {
	conds = append([]kv.Cond{kv.VersionIs{Key: record.CollectionKey(c.ID), Version: c.Version}}, db.AllElse(conds, db.ErrCondition)...)
	made, err := s.db.Txn(ctx, conds, append(with, kv.Put{Key: record.CollectionKey(c.ID), Data: record.EncodeCollection(c), Version: c.Version + 1})...)
	if errors.Is(err, db.ErrCondition) {
		return false, err
	}
	if err != nil {
		return false, errCollection("update", err)
	}
	c.Version++
	return made, nil
}

// DeleteCollection deletes a collection. The task in with deletes its copies.
func (s *Store) DeleteCollection(ctx context.Context, c *linnet.Collection, with ...kv.Op) error {
	_, err := s.db.Txn(ctx, []kv.Cond{kv.Present{Key: record.CollectionKey(c.ID)}},
		append(with, kv.Delete{Key: record.CollectionKey(c.ID)}, kv.Remove{Key: record.CollectionsKey(c.Owner), Member: c.ID.String()})...)
	if err != nil {
		return errCollection("delete", err)
	}
	return nil
}

// CopyCollection updates the copies of a collection: the sets of the given accounts and, if it is
// listed in Explore, the set of found collections. Concurrent calls end with the current state,
// because each reads the record again after its writes. It returns the accounts that the collection
// shows although they are deleted.
func (s *Store) CopyCollection(ctx context.Context, id linnet.ID, accounts []linnet.ID) (deleted []linnet.ID, err error) {
	for range db.MaxRaces {
		c, err := s.Collection(ctx, id)
		if err != nil {
			return nil, err
		}
		if deleted, err = s.copyCollection(ctx, id, c, accounts); err != nil {
			return nil, errCollection("copy", err)
		}
		again, err := s.Collection(ctx, id)
		if err != nil {
			return nil, err
		}
		if again == c || again != nil && c != nil && again.Version == c.Version {
			return deleted, nil
		}
	}
	return nil, db.TooManyRaces("collection", id)
}

// copyCollection writes the copies of a collection as it was read. c is nil if it is deleted.
func (s *Store) copyCollection(ctx context.Context, id linnet.ID, c *linnet.Collection, accounts []linnet.ID) (deleted []linnet.ID, err error) {
	member, found := id.String(), record.FoundCollectionsKey()
	for _, a := range accounts {
		key := record.InCollectionsKey(a)
		if c == nil || !c.Shows(a) {
			if err := s.db.Apply(ctx, kv.Remove{Key: key, Member: member}); err != nil {
				return nil, err
			}
			continue
		}
		made, err := s.db.Txn(ctx, []kv.Cond{db.UserPresent(a)}, kv.Add{Key: key, Member: member, Score: c.Item(a).ID.Millis()})
		if err != nil {
			return nil, err
		}
		if !made {
			deleted = append(deleted, a)
		}
	}
	if c == nil || !c.Discoverable {
		return deleted, s.db.Apply(ctx, kv.Remove{Key: found, Member: member})
	}
	return deleted, s.db.Apply(ctx, kv.Add{Key: found, Member: member, Score: id.Millis()}, kv.Trim{Key: found, Keep: linnet.MaxCollectionsFound})
}

// CollectionsWith returns up to limit collections that show a user, from an offset, last added
// first. Entries whose collection has changed since are left out.
func (s *Store) CollectionsWith(ctx context.Context, user linnet.ID, offset, limit int) ([]linnet.Collection, error) {
	all, err := s.newestCollections(ctx, record.InCollectionsKey(user), offset, limit)
	if err != nil {
		return nil, err
	}
	out := make([]linnet.Collection, 0, len(all))
	for _, c := range all {
		if c.Shows(user) {
			out = append(out, c)
		}
	}
	return out, nil
}

// FoundCollections returns up to limit discoverable collections from an offset, newest first.
func (s *Store) FoundCollections(ctx context.Context, offset, limit int) ([]linnet.Collection, error) {
	return s.newestCollections(ctx, record.FoundCollectionsKey(), offset, limit)
}

// newestCollections reads the collections in a set, highest score first.
func (s *Store) newestCollections(ctx context.Context, key kv.Key, offset, limit int) ([]linnet.Collection, error) {
	offset = min(offset, kv.MaxRange)
	r := &kv.Range{Key: key, Desc: true, Limit: min(offset+limit, kv.MaxRange)}
	if err := s.db.Read(ctx, r); err != nil {
		return nil, errCollection("read", err)
	}
	var ids []linnet.ID
	for _, m := range r.Members[min(offset, len(r.Members)):] {
		if id, ok := linnet.ParseID(m.Member); ok {
			ids = append(ids, id)
		}
	}
	return s.Collections(ctx, ids)
}

// LeaveCollections removes the entries of deleted or ended collections from a user's set.
func (s *Store) LeaveCollections(ctx context.Context, user linnet.ID, ids []linnet.ID) error {
	ops := make([]kv.Op, len(ids))
	for i, id := range ids {
		ops[i] = kv.Remove{Key: record.InCollectionsKey(user), Member: id.String()}
	}
	return s.db.Apply(ctx, ops...)
}

package staff

import (
	"context"
	"crypto/rand"
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/task"
)

// A strike, its index entries and its appeal are in the shard of the account, so that each change
// is one transaction.

// PrepareStrike gives a new strike its id and key, and returns the operations that store it. If the
// account has too many, they delete the oldest one.
func (s *Store) PrepareStrike(ctx context.Context, st *linnet.Strike) ([]kv.Op, error) {
	have := &kv.Range{Key: record.StrikesKey(st.On), Limit: linnet.MaxStrikes + 1}
	if err := s.db.Read(ctx, have); err != nil {
		return nil, fmt.Errorf("read strikes: %w", err)
	}
	st.ID, st.Key, st.Version = s.db.NewID(st.On.Shard(), 0), rand.Text(), 1
	ops := []kv.Op{kv.Put{Key: record.StrikeKey(st.ID), Data: record.EncodeStrike(st), Version: st.Version},
		kv.Add{Key: have.Key, Member: st.ID.String(), Score: st.ID.Millis()}}
	for i := 0; i <= len(have.Members)-linnet.MaxStrikes; i++ {
		id, _ := linnet.ParseID(have.Members[i].Member)
		ops = append(ops, forgetStrike(st.On, id)...)
	}
	return ops, nil
}

// forgetStrike returns the operations that delete a strike.
func forgetStrike(on, id linnet.ID) []kv.Op {
	return []kv.Op{kv.Delete{Key: record.StrikeKey(id)}, kv.Remove{Key: record.StrikesKey(on), Member: id.String()},
		kv.Remove{Key: record.AppealsKey(on.Shard()), Member: id.String()}}
}

// CreateStrike stores a new strike with a task that carries out its action. It returns ErrDeleted
// if the account does not exist.
func (s *Store) CreateStrike(ctx context.Context, st *linnet.Strike, t func(linnet.ID) (task.Task, error)) (task.Task, error) {
	ops, err := s.PrepareStrike(ctx, st)
	if err != nil {
		return task.Task{}, err
	}
	made, err := t(st.ID)
	if err != nil {
		return made, err
	}
	if _, err := s.db.Txn(ctx, []kv.Cond{db.Else(db.UserPresent(st.On), db.ErrDeleted)}, append(ops, made.Ops()...)...); err != nil {
		return made, fmt.Errorf("write a strike: %w", err)
	}
	return made, nil
}

// Strikes reads the strikes with the given ids, in order. It skips missing ones.
func (s *Store) Strikes(ctx context.Context, ids []linnet.ID) ([]linnet.Strike, error) {
	qs := make([]kv.Query, len(ids))
	for i, id := range ids {
		qs[i] = &kv.Get{Key: record.StrikeKey(id)}
	}
	if len(qs) == 0 {
		return nil, nil
	}
	if err := s.db.Read(ctx, qs...); err != nil {
		return nil, fmt.Errorf("read strikes: %w", err)
	}
	var out []linnet.Strike
	for i, q := range qs {
		get := q.(*kv.Get)
		if get.Version == 0 {
			continue
		}
		st, err := record.DecodeStrike(ids[i], get)
		if err != nil {
			return nil, err
		}
		out = append(out, st)
	}
	return out, nil
}

// StrikesOf reads a span of the strikes of an account, newest first.
func (s *Store) StrikesOf(ctx context.Context, user linnet.ID, sp db.Span) ([]linnet.Strike, error) {
	ids, err := s.db.MergeSets(ctx, []kv.Key{record.StrikesKey(user)}, sp)
	if err != nil {
		return nil, err
	}
	return s.Strikes(ctx, ids)
}

// Appealed reads a span of the strikes with a pending appeal, newest first. It reads each shard
// once, so it is for staff.
func (s *Store) Appealed(ctx context.Context, sp db.Span) ([]linnet.Strike, error) {
	keys := make([]kv.Key, kv.Shards)
	for i := range keys {
		keys[i] = record.AppealsKey(uint16(i))
	}
	ids, err := s.db.MergeSets(ctx, keys, sp)
	if err != nil {
		return nil, err
	}
	return s.Strikes(ctx, ids)
}

// UpdateStrike changes a strike with f, which can be called more than once, and writes a task in
// the same transaction. ok is false if the strike does not exist.
func (s *Store) UpdateStrike(ctx context.Context, id linnet.ID, t task.Task, f func(*linnet.Strike) error) (st linnet.Strike, ok bool, err error) {
	for range db.MaxRaces {
		found, err := s.Strikes(ctx, []linnet.ID{id})
		if err != nil || len(found) == 0 {
			return st, false, err
		}
		st = found[0]
		if err := f(&st); err != nil {
			if db.RetryDurable(&ctx) { // an earlier attempt may have written it
				continue
			}
			return st, true, err
		}
		st.Version++
		var listed kv.Op = kv.Remove{Key: record.AppealsKey(id.Shard()), Member: id.String()}
		if st.Pending() {
			listed = kv.Add{Key: record.AppealsKey(id.Shard()), Member: id.String(), Score: id.Millis()}
		}
		ops := append(t.Ops(), kv.Put{Key: record.StrikeKey(id), Data: record.EncodeStrike(&st), Version: st.Version}, listed)
		made, err := s.db.Txn(ctx, []kv.Cond{kv.VersionIs{Key: record.StrikeKey(id), Version: st.Version - 1}}, ops...)
		if err != nil {
			return st, true, fmt.Errorf("write a strike: %w", err)
		}
		if made {
			return st, true, nil
		}
	}
	return st, true, db.TooManyRaces("strike", id)
}

// ForgetStrikes deletes up to limit strikes of a deleted user and returns their number.
func (s *Store) ForgetStrikes(ctx context.Context, user linnet.ID, limit int) (int, error) {
	ids, err := s.db.All(ctx, record.StrikesKey(user), limit)
	if err != nil {
		return 0, err
	}
	var ops []kv.Op
	for _, id := range ids {
		ops = append(ops, forgetStrike(user, id)...)
	}
	if len(ops) == 0 {
		return 0, nil
	}
	if err := s.db.Apply(ctx, ops...); err != nil {
		return 0, fmt.Errorf("delete strikes: %w", err)
	}
	return len(ids), nil
}

package accounts

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/task"
)

// LoginDeleted reports whether a login belonged to a public account that is deleted.
func (s *Store) LoginDeleted(ctx context.Context, login string) (bool, error) {
	r, _, err := s.loginAt(ctx, login)
	return r.Gone && r.Seen, err
}

// DeleteUser deletes a user's record and secrets, and writes the task that deletes everything else.
// From then on the user doesn't exist. may can refuse it by the current record. with completes the
// task with the secrets and adds operations of the shard. It returns false if there is no such
// user. The login stays claimed.
func (s *Store) DeleteUser(ctx context.Context, id linnet.ID, t *task.Task, with func(record.Secret) (task.Task, []kv.Op), may func(*linnet.User) error) (bool, error) {
	ops := append(make([]kv.Op, 0, 8), kv.Delete{Key: record.UserKey(id)}, kv.Delete{Key: record.SecretKey(id)})
	for _, st := range record.ListedStates() {
		ops = append(ops, kv.Remove{Key: record.StateKey(id.Shard(), st), Member: id.String()})
	}
	for range db.MaxRaces {
		get, queued, secret := &kv.Get{Key: record.UserKey(id)}, &kv.Get{Key: task.Key(t.Shard, t.ID)}, &kv.Get{Key: record.SecretKey(id)}
		if err := s.db.Read(kv.Durable(ctx), get, queued, secret); err != nil {
			return false, err
		}
		if get.Version == 0 {
			return queued.Version != 0, nil // by an earlier attempt with a lost response
		}
		u, _, err := record.DecodeUser(id, get)
		if err != nil {
			return false, err
		}
		if err := may(u); err != nil {
			return false, err
		}
		var sec record.Secret
		if secret.Version != 0 {
			if err := record.Decode(secret, &sec); err != nil {
				return false, err
			}
		}
		var also []kv.Op
		*t, also = with(sec)
		made, err := s.db.Txn(ctx, []kv.Cond{kv.VersionIs{Key: get.Key, Version: get.Version}, kv.VersionIs{Key: secret.Key, Version: secret.Version}}, slices.Concat(t.Ops(), ops, also)...)
		if err != nil && !errors.Is(err, kv.ErrUnknown) {
			return false, fmt.Errorf("delete a user: %w", err)
		}
		if made {
			return true, nil
		}
	}
	return false, db.TooManyRaces("deletion of user", id)
}

// ForgetName removes a deleted user from the index of names and records the deletion at the login.
// It sets deleted.User. It can run more than once, even after another user has the released login.
func (s *Store) ForgetName(ctx context.Context, u linnet.User, deleted record.Login) error {
	var ops []kv.Op
	for _, w := range record.NameWords(&u) {
		ops = append(ops, kv.Remove{Key: record.NamesKey(record.CutRunes(w, record.NamePrefix)), Member: w + ":" + u.ID.String()})
	}
	ops = append(ops, kv.Remove{Key: record.ShardKey(record.KindStaff, 0), Member: u.ID.String()})
	if err := s.db.Apply(ctx, ops...); err != nil {
		return fmt.Errorf("delete username records: %w", err)
	}
	deleted.User, deleted.Gone = record.JID(u.ID), true
	for range db.MaxRaces {
		at, version, err := s.loginAt(kv.Durable(ctx), u.Login)
		if err != nil || at == deleted || version != 0 && at.User != deleted.User {
			return err
		}
		put := kv.Put{Key: record.LoginKey(u.Login), Data: record.Encode(deleted), Version: version + 1}
		if made, err := s.db.Txn(ctx, []kv.Cond{kv.VersionIs{Key: put.Key, Version: version}}, put); made || err != nil {
			return err
		}
	}
	return db.TooManyRaces("release of login", u.ID)
}

// ForgetUser deletes all records under keys of a deleted user, and the user from the list of users.
// It can run more than once. Records under keys of the user's feeds must be deleted before, see
// ForgetOwnFeeds.
func (s *Store) ForgetUser(ctx context.Context, user linnet.ID) error {
	member, shard := user.String(), user.Shard()
	ops := []kv.Op{kv.Remove{Key: record.ShardKey(record.KindUsers, shard), Member: member}, kv.Incr{Key: record.ShardKey(record.KindStats, shard), Name: "users", By: -1}}
	listed := []kv.Cond{kv.HasMember{Key: record.ShardKey(record.KindUsers, shard), Member: member}}
	if _, err := s.db.Txn(ctx, listed, ops...); err != nil {
		return fmt.Errorf("remove a user from the list of users: %w", err)
	}
	if err := s.unlistGroup(ctx, user); err != nil {
		return err
	}
	if err := s.unmarkActive(ctx, user); err != nil {
		return err
	}
	ops = nil
	for _, d := range record.Keys() {
		if d.ID == "user" {
			ops = append(ops, kv.Delete{Key: record.IDKey(d.Kind, user)})
		}
	}
	ops = append(ops, kv.Remove{Key: record.PulledKey(), Member: member}, kv.Remove{Key: record.PushedKey(), Member: member})
	if err := s.db.Apply(ctx, ops...); err != nil {
		return fmt.Errorf("delete the records of a user: %w", err)
	}
	return nil
}

// unmarkActive removes a user from the active users of a month.
func (s *Store) unmarkActive(ctx context.Context, user linnet.ID) error {
	q := &kv.Scores{Key: record.ActiveKey(user), Members: []string{user.String()}}
	if err := s.db.Read(ctx, q); err != nil || !q.Found[0] {
		return err
	}
	ops := []kv.Op{kv.Remove{Key: q.Key, Member: user.String()}}
	if now := s.db.Now(); q.Values[0] == record.Month(now) {
		ops = append(ops, kv.Incr{Key: record.ShardKey(record.KindStats, user.Shard()), Name: record.ActiveName(now), By: -1})
	}
	_, err := s.db.Txn(ctx, []kv.Cond{kv.ScoreIs{Key: q.Key, Member: user.String(), Score: q.Values[0]}}, ops...)
	return err
}

package accounts

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/task"
)

// ErrTaken is returned if the login belongs to a user, possibly a deleted one.
var ErrTaken = errors.New("the login is in use")

// CreateUser creates a user. It first writes an invisible pending record, with the task returned by
// finish. Claiming the login in its own shard then creates the user (listing 8.1 holds a lock for
// this). The task calls FinishSignUp, which makes the record visible or deletes it. The caller runs
// the task after any error, if its ID isn't empty. CreateUser returns ErrTaken if the login is
// taken, ErrInvite if the invitation in sec is no longer valid, and ErrUnavailable if the user
// wasn't created or the response of the claim was lost.
func (s *Store) CreateUser(ctx context.Context, shard uint16, u linnet.User, sec record.Secret,
	finish func(linnet.ID) (task.Task, error)) (linnet.User, task.Task, error) {
	before, version, err := s.loginAt(ctx, u.Login)
	if err != nil {
		return u, task.Task{}, err
	}
	if version != 0 && !before.Free {
		return u, task.Task{}, ErrTaken
	}
	u.Version = 1
	t, err := s.writePending(ctx, shard, &u, sec, finish)
	if err != nil {
		return u, t, err
	}
	if err := s.admit(ctx, u.ID, sec); err != nil {
		return u, t, err
	}
	claim := kv.Put{Key: record.LoginKey(u.Login), Data: record.Encode(record.Login{User: record.JID(u.ID)}), Version: version + 1}
	made, err := s.db.Txn(ctx, []kv.Cond{kv.VersionIs{Key: claim.Key, Version: version}}, claim)
	if errors.Is(err, kv.ErrUnknown) {
		made, err = s.claimed(ctx, u)
	} else if err != nil {
		_ = s.discard(ctx, u.ID) // definitely not claimed; if this fails, the task deletes it later
	}
	if err != nil {
		return u, t, fmt.Errorf("claim a login: %w", err)
	}
	if !made {
		return u, t, ErrTaken
	}
	if err = s.checkClaim(ctx, u, claim.Version); err != nil && sec.Invite != "" {
		err = errors.Join(err, s.returnInvite(ctx, sec.Invite, u.ID))
	}
	return u, t, err
}

// crashAge is the age at which a pending record without a claimed login counts as left over from a
// crash. No request should take that long. checkClaim detects one that does.
const crashAge = 5 * time.Minute

// errPending is returned while the login isn't claimed but may be soon.
var errPending = fmt.Errorf("the login is still being claimed: %w", kv.ErrUnavailable)

// checkClaim checks, after a very slow sign-up, whether the pending record was deleted before the
// claim with the given version. If so, it releases the login, which no user has seen.
func (s *Store) checkClaim(ctx context.Context, u linnet.User, version uint64) error {
	if s.db.Now().Sub(u.ID.Time()) < crashAge/2 {
		return nil
	}
	get := &kv.Get{Key: record.UserKey(u.ID)}
	if err := s.db.Read(ctx, get); err != nil || get.Version != 0 {
		return err
	}
	free := kv.Put{Key: record.LoginKey(u.Login), Data: record.Encode(record.Login{User: record.JID(u.ID), Gone: true, Free: true}), Version: version + 1}
	if _, err := s.db.Txn(ctx, []kv.Cond{kv.VersionIs{Key: free.Key, Version: version}}, free); err != nil {
		return fmt.Errorf("release a login: %w", err)
	}
	return fmt.Errorf("the sign-up took too long: %w", kv.ErrUnavailable)
}

// admit uses the invitation of a pending user, if there is one.
func (s *Store) admit(ctx context.Context, id linnet.ID, sec record.Secret) error {
	if sec.Invite == "" {
		return nil
	}
	err := s.useInvite(ctx, sec.Invite, id)
	if err != nil {
		_ = s.discard(ctx, id) // if this fails, the task deletes it later
	}
	return err
}

// discard deletes a record that never became visible, and returns the use of its invitation.
func (s *Store) discard(ctx context.Context, id linnet.ID) error {
	sec, err := s.Secret(ctx, id)
	if err != nil {
		return err
	}
	if sec.Invite != "" {
		if err := s.returnInvite(ctx, sec.Invite, id); err != nil {
			return err
		}
	}
	return s.db.Apply(ctx, kv.Delete{Key: record.UserKey(id)}, kv.Delete{Key: record.SecretKey(id)})
}

func (s *Store) writePending(ctx context.Context, shard uint16, u *linnet.User, sec record.Secret,
	finish func(linnet.ID) (task.Task, error)) (t task.Task, err error) {
	for range db.MaxRaces {
		u.ID = s.db.NewID(shard, 0)
		if t, err = finish(u.ID); err != nil {
			return t, err
		}
		ops := append(t.Ops(),
			kv.Put{Key: record.UserKey(u.ID), Data: record.EncodeUser(u, true), Version: 1},
			kv.Put{Key: record.SecretKey(u.ID), Data: record.Encode(sec), Version: 1})
		made, err := s.db.Txn(ctx, []kv.Cond{kv.Absent(record.UserKey(u.ID))}, ops...)
		if err != nil {
			return task.Task{}, fmt.Errorf("write a user: %w", err)
		}
		if made {
			return t, nil
		}
	}
	return task.Task{}, db.TooManyRaces("user", u.ID)
}

// FinishSignUp makes a pending user visible if the login belongs to the user, and deletes the
// record otherwise. It can run more than once. It returns ErrUnavailable while the login is free
// and the record is so new that it may still be claimed.
func (s *Store) FinishSignUp(ctx context.Context, id linnet.ID) error {
	get := &kv.Get{Key: record.UserKey(id)}
	if err := s.db.Read(ctx, get); err != nil || get.Version == 0 {
		return err
	}
	u, born, err := record.DecodeUser(id, get)
	if err != nil {
		return err
	}
	owner, err := s.UserByLogin(ctx, u.Login)
	if err != nil {
		return err
	}
	switch {
	case owner == 0 && s.db.Now().Sub(id.Time()) < crashAge:
		return errPending
	case owner != id:
		return s.discard(ctx, id)
	case !born:
		return s.Birth(ctx, *u)
	}
	return s.IndexUser(ctx, id)
}

// claimed reports whether a claim succeeded after its response was lost.
func (s *Store) claimed(ctx context.Context, u linnet.User) (made bool, err error) {
	id, err := s.UserByLogin(kv.Durable(ctx), u.Login)
	if err != nil {
		return false, err
	}
	if id == 0 {
		return false, kv.ErrUnavailable
	}
	return id == u.ID, nil
}

// Birth makes a user with a claimed login visible: it removes the pending mark and adds the user to
// the lists and the index of names. It can run more than once.
func (s *Store) Birth(ctx context.Context, u linnet.User) error {
	_, err := s.db.Txn(ctx, []kv.Cond{kv.NoMember{Key: record.ShardKey(record.KindUsers, u.ID.Shard()), Member: u.ID.String()}}, BirthOps(&u)...)
	if err != nil {
		return fmt.Errorf("add a user to the list of users: %w", err)
	}
	return s.IndexUser(ctx, u.ID)
}

// BirthOps returns the operations that add a user to the lists and make the pending record of a
// sign-up visible.
func BirthOps(u *linnet.User) []kv.Op {
	return append(append(stateOps(nil, u), listGroupOps(u)...),
		kv.Put{Key: record.UserKey(u.ID), Data: record.EncodeUser(u, false), Version: 1},
		kv.Add{Key: record.ShardKey(record.KindUsers, u.ID.Shard()), Member: u.ID.String(), Score: u.ID.Millis()},
		kv.Incr{Key: record.ShardKey(record.KindStats, u.ID.Shard()), Name: "users", By: 1})
}

// loginAt reads a login. Its version is 0 if no user has ever had it.
func (s *Store) loginAt(ctx context.Context, login string) (r record.Login, version uint64, err error) {
	get := &kv.Get{Key: record.LoginKey(login)}
	if err := s.db.Read(ctx, get); err != nil {
		return r, 0, fmt.Errorf("look up a login: %w", err)
	}
	if get.Version == 0 {
		return r, 0, nil
	}
	return r, get.Version, record.Decode(get, &r)
}

// UserByLogin returns the owner of a login, even if deleted, or 0 if it is free.
func (s *Store) UserByLogin(ctx context.Context, login string) (linnet.ID, error) {
	ids, err := s.UsersByLogin(ctx, []string{login})
	if err != nil {
		return 0, err
	}
	return ids[0], nil
}

// UsersByLogin is like UserByLogin for several logins.
func (s *Store) UsersByLogin(ctx context.Context, logins []string) ([]linnet.ID, error) {
	ids := make([]linnet.ID, len(logins))
	qs := make([]kv.Query, len(logins))
	for i, l := range logins {
		qs[i] = &kv.Get{Key: record.LoginKey(l)}
	}
	if len(qs) == 0 {
		return ids, nil
	}
	if err := s.db.Read(ctx, qs...); err != nil {
		return nil, fmt.Errorf("look up logins: %w", err)
	}
	for i, q := range qs {
		get := q.(*kv.Get)
		if get.Version == 0 {
			continue
		}
		var r record.Login
		if err := record.Decode(get, &r); err != nil {
			return nil, err
		}
		if !r.Free {
			ids[i] = linnet.ID(r.User)
		}
	}
	return ids, nil
}

// UpdateUser changes a user record with f, which can be called more than once. It returns the new
// record. ok is false if there is no such user. If the searchable words or the visibility of the
// user change, it also writes the task returned by index, which calls IndexNames with the words
// that no longer match. The caller runs it, if its ID isn't empty. The operations returned by also
// are written in the same transaction.
func (s *Store) UpdateUser(ctx context.Context, id linnet.ID, f func(*linnet.User) error,
	index func(removed []string) (task.Task, error), also ...func(old, new *linnet.User) ([]kv.Op, error)) (u linnet.User, t task.Task, ok bool, err error) {
	u, ok, err = s.changeUser(ctx, id, f, func(old, new *linnet.User) (ops []kv.Op, err error) {
		t = task.Task{}
		for _, more := range also {
			if ops, err = more(old, new); err != nil {
				return nil, err
			}
		}
		before, after := record.NameWords(old), record.NameWords(new)
		if slices.Equal(before, after) && old.Listed() == new.Listed() {
			return ops, nil
		}
		removed := slices.DeleteFunc(before, func(w string) bool { return slices.Contains(after, w) })
		if t, err = index(removed); err != nil {
			return nil, err
		}
		return append(ops, t.Ops()...), nil
	})
	return u, t, ok, err
}

// VerifyLink records that the page of a profile field links back to the profile. It does nothing if
// the field is missing or already verified.
func (s *Store) VerifyLink(ctx context.Context, id linnet.ID, value string, at time.Time) error {
	done := errors.New("no link to verify")
	_, _, err := s.changeUser(ctx, id, func(u *linnet.User) error {
		found := false
		for i := range u.Fields {
			if f := &u.Fields[i]; f.Value == value && f.Verified.IsZero() {
				f.Verified, found = at, true
			}
		}
		if !found {
			return done
		}
		return nil
	}, func(_, _ *linnet.User) ([]kv.Op, error) { return nil, nil })
	if errors.Is(err, done) {
		return nil
	}
	return err
}

// changeUser changes a record, and applies the operations of more in the same transaction.
func (s *Store) changeUser(ctx context.Context, id linnet.ID, f func(*linnet.User) error,
	more func(old, new *linnet.User) ([]kv.Op, error)) (u linnet.User, ok bool, err error) {
	for range db.MaxRaces {
		get := &kv.Get{Key: record.UserKey(id)}
		if err := s.db.Read(ctx, get); err != nil || get.Version == 0 {
			return u, false, err
		}
		old, born, err := record.DecodeUser(id, get)
		if err != nil || !born {
			return u, false, err
		}
		u = *old
		u.Fields = slices.Clone(old.Fields)
		if err := f(&u); err != nil {
			if db.RetryDurable(&ctx) { // an earlier attempt may have written it
				continue
			}
			return u, false, err
		}
		u.Version = get.Version + 1
		ops, err := more(old, &u)
		if err != nil {
			return u, false, err
		}
		ops = append(append(ops, stateOps(old, &u)...), kv.Put{Key: get.Key, Data: record.EncodeUser(&u, false), Version: u.Version})
		made, err := s.db.Txn(ctx, []kv.Cond{kv.VersionIs{Key: get.Key, Version: get.Version}}, ops...)
		if err != nil {
			return u, false, fmt.Errorf("write a user: %w", err)
		}
		if made {
			return u, true, nil
		}
	}
	return u, false, db.TooManyRaces("user", id)
}

// IndexNames updates the index to the words of a user's current name and removes the words in
// removed. A deleted user is removed completely. It can run more than once. It checks again before
// it returns, so that concurrent calls can't leave an older state.
func (s *Store) IndexNames(ctx context.Context, id linnet.ID, removed []string) error {
	for range db.MaxRaces {
		get := &kv.Get{Key: record.UserKey(id)}
		if err := s.db.Read(ctx, get); err != nil {
			return err
		}
		u, err := foundBy(id, get)
		if err != nil {
			return err
		}
		now := record.NameWords(u)
		if err := s.db.Apply(ctx, nameOps(id, removed, now)...); err != nil {
			return fmt.Errorf("update the index of a user's names: %w", err)
		}
		again := &kv.Get{Key: record.UserKey(id)}
		if err := s.db.Read(ctx, again); err != nil || again.Version == get.Version {
			return err
		}
		removed = append(removed, now...) // a concurrent call may have written them too late
	}
	return db.TooManyRaces("user", id)
}

// foundBy returns the user of a record if the user is searchable, or nil.
func foundBy(id linnet.ID, get *kv.Get) (*linnet.User, error) {
	if get.Version == 0 {
		return nil, nil
	}
	u, born, err := record.DecodeUser(id, get)
	if err != nil || !born {
		return nil, err
	}
	return u, nil
}

// Secret reads a user's secrets.
func (s *Store) Secret(ctx context.Context, id linnet.ID) (sec record.Secret, err error) {
	get := &kv.Get{Key: record.SecretKey(id)}
	if err := s.db.Read(ctx, get); err != nil || get.Version == 0 {
		return sec, err
	}
	sec.Version = get.Version
	return sec, record.Decode(get, &sec)
}

// SetSecret replaces a user's password hash, with other changes of the user's shard.
func (s *Store) SetSecret(ctx context.Context, id linnet.ID, hash string, also ...kv.Op) error {
	for range db.MaxRaces {
		get := &kv.Get{Key: record.SecretKey(id)}
		if err := s.db.Read(ctx, get); err != nil {
			return err
		}
		var sec record.Secret
		if get.Version != 0 {
			if err := record.Decode(get, &sec); err != nil {
				return err
			}
		}
		sec.SetPassword(hash)
		made, err := s.db.Txn(ctx, []kv.Cond{kv.VersionIs{Key: get.Key, Version: get.Version}},
			append([]kv.Op{kv.Put{Key: get.Key, Data: record.Encode(sec), Version: get.Version + 1}, kv.Delete{Key: record.ResetKey(id)}}, also...)...)
		if err != nil || made {
			return err
		}
	}
	return db.TooManyRaces("password of user", id)
}

// NameOps returns the changes of the name index for a change of a user.
func NameOps(from, to *linnet.User) []kv.Op {
	return nameOps(to.ID, record.NameWords(from), record.NameWords(to))
}

// nameOps returns the operations that add some words to a user's index entries and remove others.
func nameOps(id linnet.ID, removed, now []string) []kv.Op {
	var ops []kv.Op
	for _, w := range removed {
		if w != "" && !slices.Contains(now, w) {
			ops = append(ops, kv.Remove{Key: record.NamesKey(record.CutRunes(w, record.NamePrefix)), Member: w + ":" + id.String()})
		}
	}
	for _, w := range now {
		ops = append(ops, kv.Add{Key: record.NamesKey(record.CutRunes(w, record.NamePrefix)), Member: w + ":" + id.String()})
	}
	return ops
}

// Forget makes the next read of a user's record bypass the cache, see db.Forget.
func (s *Store) Forget(user linnet.ID) { s.db.Forget(record.IDKey(record.KindUser, user)) }

// MarkActive counts a user once per calendar month. Repeated calls write nothing.
func (s *Store) MarkActive(ctx context.Context, user linnet.ID) error {
	now := s.db.Now()
	q := &kv.Scores{Key: record.ActiveKey(user), Members: []string{user.String()}}
	if err := s.db.Read(ctx, q); err != nil {
		return err
	}
	if q.Values[0] == record.Month(now) {
		return nil
	}
	cond := kv.Cond(kv.NoMember{Key: q.Key, Member: user.String()})
	if q.Found[0] {
		cond = kv.ScoreIs{Key: q.Key, Member: user.String(), Score: q.Values[0]}
	}
	_, err := s.db.Txn(ctx, []kv.Cond{cond}, kv.Add{Key: q.Key, Member: user.String(), Score: record.Month(now)},
		kv.Incr{Key: record.ShardKey(record.KindStats, user.Shard()), Name: record.ActiveName(now), By: 1})
	return err
}

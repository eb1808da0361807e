package sessions

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/task"
)

// The owner of a confirmed address is stored under its hash, in its own shard. The claim is only
// valid if the user's secrets contain the address. An address is first claimed under its hash, with
// a task, and then confirmed in the secrets. The task releases the claim if that fails. A change or
// deletion of an address writes such a task too.

// EmailOwner returns the user with a confirmed address, by its hash, or 0.
func (s *Store) EmailOwner(ctx context.Context, hash string) (linnet.ID, error) {
	r, _, err := s.claim(ctx, record.EmailKey(hash))
	return linnet.ID(r.User), err
}

// claim loads the claim under a key. The version is 0 if there is none.
func (s *Store) claim(ctx context.Context, key kv.Key) (r record.Claim, version uint64, err error) {
	get := &kv.Get{Key: key}
	if err := s.db.Read(ctx, get); err != nil || get.Version == 0 {
		return r, 0, err
	}
	return r, get.Version, record.Decode(get, &r)
}

// claimCrashAge is the age at which a claim without a matching user record counts as left over from
// a crash. No request takes that long.
const claimCrashAge = 5 * time.Minute

// TakeEmail claims an address for a user and writes the task that may release it, which the caller
// runs after the secrets are written. taken is false if the address belongs to another user.
// created is false if the user already has it, and then no task is written.
func (s *Store) TakeEmail(ctx context.Context, hash string, user linnet.ID, t task.Task) (taken, created bool, err error) {
	now, key := s.db.Now(), record.EmailKey(hash)
	for range db.MaxRaces {
		r, version, err := s.claim(ctx, key)
		if err != nil {
			return false, false, err
		}
		if version != 0 {
			return linnet.ID(r.User) == user, false, nil
		}
		made, err := s.db.Txn(ctx, []kv.Cond{kv.Absent(key)}, append(t.Ops(),
			kv.Put{Key: key, Version: 1, Data: record.Encode(record.Claim{User: record.JID(user), At: now.UnixMilli()})})...)
		if err != nil && !errors.Is(err, kv.ErrUnknown) {
			return false, false, fmt.Errorf("claim an e-mail address: %w", err)
		}
		if made {
			return true, true, nil
		}
	}
	return false, false, db.TooManyRaces("address of user", user)
}

// ReleaseEmail releases an address that isn't in its owner's secrets. It can run more than once. It
// returns ErrUnavailable if the claim is so new that it may still be confirmed.
func (s *Store) ReleaseEmail(ctx context.Context, hash string) error {
	r, version, err := s.claim(ctx, record.EmailKey(hash))
	if err != nil || version == 0 {
		return err
	}
	user, present := &kv.Get{Key: record.SecretKey(linnet.ID(r.User))}, &kv.Get{Key: record.UserKey(linnet.ID(r.User))}
	if err := s.db.Read(ctx, user, present); err != nil {
		return err
	}
	var sec record.Secret
	if user.Version != 0 {
		if err := record.Decode(user, &sec); err != nil {
			return err
		}
	}
	if sec.Mail.Confirmed != 0 && record.Hash(sec.Email) == hash {
		return nil
	}
	if present.Version != 0 && sec.Pending() != "" && record.Hash(sec.Pending()) == hash && s.db.Now().Sub(time.UnixMilli(r.At)) < claimCrashAge {
		return fmt.Errorf("the e-mail address is still being confirmed: %w", kv.ErrUnavailable)
	}
	_, err = s.db.Txn(ctx, []kv.Cond{kv.VersionIs{Key: record.EmailKey(hash), Version: version}}, kv.Delete{Key: record.EmailKey(hash)})
	return err
}

// ChangeMail changes the address in a user's secrets with f, which can be called more than once and
// returns operations for the same transaction. It returns false if there is no such user.
func (s *Store) ChangeMail(ctx context.Context, user linnet.ID, f func(*record.Secret) ([]kv.Op, error)) (sec record.Secret, ok bool, err error) {
	for range db.MaxRaces {
		get := &kv.Get{Key: record.SecretKey(user)}
		if err := s.db.Read(ctx, get); err != nil {
			return sec, false, err
		}
		sec = record.Secret{}
		if get.Version != 0 {
			if err := record.Decode(get, &sec); err != nil {
				return sec, false, err
			}
		}
		also, err := f(&sec)
		if err != nil {
			if db.RetryDurable(&ctx) { // an earlier attempt may have written it
				continue
			}
			return sec, false, err
		}
		ops := append(also, kv.Put{Key: get.Key, Data: record.Encode(sec), Version: get.Version + 1})
		made, err := s.db.Txn(ctx, []kv.Cond{db.Else(db.UserPresent(user), db.ErrDeleted), kv.VersionIs{Key: get.Key, Version: get.Version}}, ops...)
		switch {
		case errors.Is(err, db.ErrDeleted):
			return sec, false, nil
		case err != nil:
			return sec, false, fmt.Errorf("write an e-mail address: %w", err)
		case made:
			sec.Version = get.Version + 1
			return sec, true, nil
		}
	}
	return sec, false, db.TooManyRaces("address of user", user)
}

// TokenOwner returns the user of a link's token (NewReset), or 0 for other texts.
func TokenOwner(token string) linnet.ID {
	id, _, _ := strings.Cut(token, "-")
	user, ok := linnet.ParseID(id)
	if !ok || len(token) > 100 {
		return 0
	}
	return user
}

// MailState reads the state of sending e-mails.
func (s *Store) MailState(ctx context.Context) (r record.MailState, err error) {
	get := &kv.Get{Key: record.MailStateKey()}
	if err := s.db.Read(ctx, get); err != nil || get.Version == 0 {
		return r, err
	}
	return r, record.Decode(get, &r)
}

// NoteMail changes the state of sending e-mails with f. Concurrent changes of several servers can
// overwrite each other.
func (s *Store) NoteMail(ctx context.Context, f func(*record.MailState)) error {
	get := &kv.Get{Key: record.MailStateKey()}
	if err := s.db.Read(ctx, get); err != nil {
		return err
	}
	var r record.MailState
	if get.Version != 0 {
		if err := record.Decode(get, &r); err != nil {
			return err
		}
	}
	f(&r)
	_, err := s.db.Txn(ctx, []kv.Cond{kv.VersionIs{Key: get.Key, Version: get.Version}}, kv.Put{Key: get.Key, Data: record.Encode(r), Version: get.Version + 1})
	return err
}

// maxDevices is the maximum number of remembered browsers per user.
const maxDevices = 50

// NoteDevice records a browser of a user by a hash. It returns whether it was known and whether
// others are. The oldest beyond maxDevices are deleted.
func (s *Store) NoteDevice(ctx context.Context, user linnet.ID, hash string) (known, others bool, err error) {
	r := &kv.Range{Key: record.DevicesKey(user), Desc: true, Limit: kv.MaxRange}
	if err := s.db.Read(ctx, r); err != nil {
		return false, false, fmt.Errorf("read the known browsers of a user: %w", err)
	}
	ops := []kv.Op{kv.Add{Key: r.Key, Member: hash, Score: s.db.Now().UnixMilli()}}
	for i, m := range r.Members {
		switch {
		case m.Member == hash:
			known = true
		case i >= maxDevices-1 && len(ops) < kv.MaxChanges:
			ops = append(ops, kv.Remove{Key: r.Key, Member: m.Member})
		}
	}
	_, err = s.db.Txn(ctx, []kv.Cond{db.UserPresent(user)}, ops...)
	return known, len(r.Members) > 0, err
}

// Refused reads the data for the e-mail about a rejected sign-up. ok is false if there is none.
func (s *Store) Refused(ctx context.Context, user linnet.ID) (r record.Refused, ok bool, err error) {
	get := &kv.Get{Key: record.RefusedKey(user)}
	if err := s.db.Read(ctx, get); err != nil || get.Version == 0 {
		return r, false, err
	}
	return r, true, record.Decode(get, &r)
}

// ForgetRefused deletes the data for the e-mail about a rejected sign-up.
func (s *Store) ForgetRefused(ctx context.Context, user linnet.ID) error {
	return s.db.Apply(ctx, kv.Delete{Key: record.RefusedKey(user)})
}

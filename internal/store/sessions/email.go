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

// Who has confirmed an address lies under its hash, in a shard of its own; that it is so
// stands in the user's secrets, which decide. An address is first taken under its hash, with
// a task, and then confirmed in the secrets: the task gives it back if that does not happen,
// and so does one that is written when somebody's address changes or goes.

// EmailOwner finds whose confirmed address has a hash; 0 if it is nobody's.
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

// claimSettles is how long a claim waits for the user's own record, before it is released as
// the remnant of a crash. No request takes as long.
const claimSettles = 5 * time.Minute

// TakeEmail makes a user the owner of an address, together with the task that gives it back
// if need be, which the caller runs once the secrets say the same. It reports false if the
// address is somebody else's; one that is the user's already is taken without a task.
func (s *Store) TakeEmail(ctx context.Context, hash string, user linnet.ID, t task.Task) (taken, anew bool, err error) {
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
			return false, false, fmt.Errorf("take an address: %w", err)
		}
		if made {
			return true, true, nil
		}
	}
	return false, false, db.TooManyRaces("address of user", user)
}

// SettleEmail gives an address back whose owner does not have it, or not any more. It may be
// repeated. ErrUnavailable while that is open: it was taken so lately that it may be
// confirmed yet.
func (s *Store) SettleEmail(ctx context.Context, hash string) error {
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
	if present.Version != 0 && sec.Pending() != "" && record.Hash(sec.Pending()) == hash && s.db.Now().Sub(time.UnixMilli(r.At)) < claimSettles {
		return fmt.Errorf("an address waits to be confirmed: %w", kv.ErrUnavailable)
	}
	_, err = s.db.Txn(ctx, []kv.Cond{kv.VersionIs{Key: record.EmailKey(hash), Version: version}}, kv.Delete{Key: record.EmailKey(hash)})
	return err
}

// ChangeMail changes the address in a user's secrets and what belongs to it by f, which may
// be called more than once, and returns what goes into the same transaction. It reports false
// if there is no such user.
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
			if db.Surely(&ctx) { // it may be one about what another call has written
				continue
			}
			return sec, false, err
		}
		ops := append(also, kv.Put{Key: get.Key, Data: record.Encode(sec), Version: get.Version + 1})
		made, err := s.db.Txn(ctx, []kv.Cond{db.Else(db.UserPresent(user), db.ErrGone), kv.VersionIs{Key: get.Key, Version: get.Version}}, ops...)
		switch {
		case errors.Is(err, db.ErrGone):
			return sec, false, nil
		case err != nil:
			return sec, false, fmt.Errorf("write address: %w", err)
		case made:
			sec.Version = get.Version + 1
			return sec, true, nil
		}
	}
	return sec, false, db.TooManyRaces("address of user", user)
}

// TokenOwner is the user to whose account a token of a link leads (NewReset), 0 for what is
// no such token.
func TokenOwner(token string) linnet.ID {
	id, _, _ := strings.Cut(token, "-")
	user, ok := linnet.ParseID(id)
	if !ok || len(token) > 100 {
		return 0
	}
	return user
}

// MailState reads how sending mails went.
func (s *Store) MailState(ctx context.Context) (r record.MailState, err error) {
	get := &kv.Get{Key: record.MailStateKey()}
	if err := s.db.Read(ctx, get); err != nil || get.Version == 0 {
		return r, err
	}
	return r, record.Decode(get, &r)
}

// NoteMail changes it by f. What several servers say at the same moment may get lost.
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

// maxDevices is how many browsers of a user are remembered.
const maxDevices = 50

// NoteDevice remembers a browser of a user by a hash, and tells whether it was known and
// whether others are. Of more than fifty the oldest are forgotten.
func (s *Store) NoteDevice(ctx context.Context, user linnet.ID, hash string) (known, others bool, err error) {
	r := &kv.Range{Key: record.DevicesKey(user), Desc: true, Limit: kv.MaxRange}
	if err := s.db.Read(ctx, r); err != nil {
		return false, false, fmt.Errorf("read devices: %w", err)
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

// Refused reads how somebody is told that there is no account for them; ok is false if they
// are not, or were.
func (s *Store) Refused(ctx context.Context, user linnet.ID) (r record.Refused, ok bool, err error) {
	get := &kv.Get{Key: record.RefusedKey(user)}
	if err := s.db.Read(ctx, get); err != nil || get.Version == 0 {
		return r, false, err
	}
	return r, true, record.Decode(get, &r)
}

// ForgetRefused forgets that.
func (s *Store) ForgetRefused(ctx context.Context, user linnet.ID) error {
	return s.db.Apply(ctx, kv.Delete{Key: record.RefusedKey(user)})
}

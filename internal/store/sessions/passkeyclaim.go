package sessions

import (
	"context"
	"errors"
	"fmt"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/task"
)

// PasskeyOwner returns the user who has claimed the passkey with a hash, or 0 if there is none.
func (s *Store) PasskeyOwner(ctx context.Context, hash string) (linnet.ID, error) {
	r, _, err := s.claim(ctx, record.PasskeyKey(hash))
	return linnet.ID(r.User), err
}

// ClaimPasskey claims a passkey for a user, or renews the user's claim. It stores t with the
// claim: the task that releases the claim if the passkey is not added. It returns false if
// another user has claimed the passkey.
func (s *Store) ClaimPasskey(ctx context.Context, hash string, user linnet.ID, t task.Task) (bool, error) {
	key := record.PasskeyKey(hash)
	for range db.MaxRaces {
		r, version, err := s.claim(ctx, key)
		if err != nil {
			return false, err
		}
		if version != 0 && linnet.ID(r.User) != user {
			return false, nil
		}
		claim := record.Claim{User: record.JID(user), At: s.db.Now().UnixMilli()}
		made, err := s.db.Txn(ctx, []kv.Cond{kv.VersionIs{Key: key, Version: version}}, append(t.Ops(), kv.Put{Key: key, Version: version + 1, Data: record.Encode(claim)})...)
		if err != nil && !errors.Is(err, kv.ErrUnknown) {
			return false, fmt.Errorf("claim a passkey: %w", err)
		}
		if made {
			return true, nil
		}
	}
	return false, db.TooManyRaces("passkey of user", user)
}

// ReleasePasskey releases the claim of a passkey that its user doesn't have. It can run more than
// once. removed is the time when the passkey was deleted, or zero. After a later claim the passkey
// may still be added. While that is possible, ReleasePasskey returns ErrUnavailable.
func (s *Store) ReleasePasskey(ctx context.Context, hash string, removed time.Time) error {
	key := record.PasskeyKey(hash)
	r, version, err := s.claim(ctx, key)
	if err != nil || version == 0 {
		return err
	}
	owner, present := &kv.Get{Key: record.PasskeysKey(linnet.ID(r.User))}, &kv.Get{Key: record.UserKey(linnet.ID(r.User))}
	if err := s.db.Read(ctx, owner, present); err != nil {
		return err
	}
	if present.Version != 0 {
		var all []record.Passkey
		if owner.Version != 0 {
			if err := record.Decode(owner, &all); err != nil {
				return err
			}
		}
		if record.HasPasskey(all, hash) {
			return nil
		}
		at := time.UnixMilli(r.At)
		if at.After(removed) && s.db.Now().Sub(at) < claimCrashAge {
			return fmt.Errorf("the passkey is still being added: %w", kv.ErrUnavailable)
		}
	}
	_, err = s.db.Txn(ctx, []kv.Cond{kv.VersionIs{Key: key, Version: version}}, kv.Delete{Key: key})
	return err
}

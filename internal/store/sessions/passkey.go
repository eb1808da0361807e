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
)

// Passkeys reads the passkeys of a user and the version of their record, which is 0 if the user
// never had any.
func (s *Store) Passkeys(ctx context.Context, user linnet.ID) (all []record.Passkey, version uint64, err error) {
	get := &kv.Get{Key: record.PasskeysKey(user)}
	if err := s.db.Read(ctx, get); err != nil || get.Version == 0 {
		return nil, 0, err
	}
	return all, get.Version, record.Decode(get, &all)
}

// SetPasskeys replaces the passkeys of a user, with other changes in the same transaction. It
// returns false if they have changed since they were read, or the user doesn't exist. It never
// deletes the record, so that versions are unique.
func (s *Store) SetPasskeys(ctx context.Context, user linnet.ID, all []record.Passkey, version uint64, also ...kv.Op) (bool, error) {
	put := putPasskeys(user, all, version)
	made, err := s.db.Txn(ctx, []kv.Cond{kv.VersionIs{Key: put.Key, Version: version}, db.UserPresent(user)}, append(also, put)...)
	if err != nil {
		return false, fmt.Errorf("write passkeys: %w", err)
	}
	return made, nil
}

func putPasskeys(user linnet.ID, all []record.Passkey, version uint64) kv.Put {
	if all == nil {
		all = []record.Passkey{}
	}
	return kv.Put{Key: record.PasskeysKey(user), Data: record.Encode(all), Version: version + 1}
}

// UsePasskeys opens a session and writes the user's passkeys as changed by the login.
func (s *Store) UsePasskeys(ctx context.Context, session string, t record.TokenRecord, all []record.Passkey, version uint64) (bool, error) {
	put := putPasskeys(t.User, all, version)
	return s.IssueToken(ctx, session, t, []kv.Cond{kv.VersionIs{Key: put.Key, Version: version}, db.UserPresent(t.User)}, put)
}

// Secured reports whether a user has an active second factor or a passkey.
func (s *Store) Secured(ctx context.Context, user linnet.ID) (bool, error) {
	factor, keys := &kv.Get{Key: record.TOTPKey(user)}, &kv.Get{Key: record.PasskeysKey(user)}
	if err := s.db.Read(ctx, factor, keys); err != nil {
		return false, err
	}
	var t record.TwoFactor
	var all []record.Passkey
	if factor.Version != 0 {
		if err := record.Decode(factor, &t); err != nil {
			return false, err
		}
	}
	if keys.Version != 0 {
		if err := record.Decode(keys, &all); err != nil {
			return false, err
		}
	}
	return t.On || len(all) > 0, nil
}

// ChallengeTTL is the lifetime of a challenge for a passkey.
const ChallengeTTL = 5 * time.Minute

// PutChallenge stores a challenge with its purpose under its hash.
func (s *Store) PutChallenge(ctx context.Context, challenge string, r record.Challenge) error {
	r.Expires = s.db.Now().Add(ChallengeTTL).UnixMilli()
	return s.db.Apply(ctx, kv.Put{Key: record.ChallengeKey(challenge), Version: 1, TTL: ChallengeTTL, Data: record.Encode(r)})
}

// TakeChallenge consumes a challenge, so that only one of several answers to it succeeds. It
// returns false if the store's response was lost.
func (s *Store) TakeChallenge(ctx context.Context, challenge string) (r record.Challenge, ok bool, err error) {
	get := &kv.Get{Key: record.ChallengeKey(challenge)}
	if err := s.db.Read(ctx, get); err != nil || get.Version == 0 {
		return r, false, err
	}
	if err := record.Decode(get, &r); err != nil {
		return r, false, err
	}
	ok, err = s.db.Txn(ctx, []kv.Cond{kv.Present{Key: get.Key}}, kv.Delete{Key: get.Key})
	if errors.Is(err, kv.ErrUnknown) {
		return r, false, nil
	}
	return r, ok && s.db.Now().UnixMilli() < r.Expires, err
}

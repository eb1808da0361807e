package identity

import (
	"context"
	"time"

	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/task"
)

// A credential ID belongs to one account (WebAuthn Level 3, section 7.1). It is claimed under its
// hash before the passkey is added. A task stored with each claim and each removal releases
// claims of passkeys that their user does not have.

var errPasskeyTaken = linnet.Errorf(linnet.Conflict, "This passkey belongs to another account. Create a new one.")

// passkeysArgs has the hashes of passkeys whose claims may have to be released.
type passkeysArgs struct {
	Hashes  []string `json:"hashes"`
	Removed int64    `json:"removed,omitempty"` // when they were removed, Unix milliseconds; 0 if they were claimed
}

// releasePasskeys releases the claims of passkeys that their users do not have.
func (s *Security) releasePasskeys(ctx context.Context, a passkeysArgs) (*passkeysArgs, error) {
	for _, hash := range a.Hashes {
		if err := s.st.Sessions.ReleasePasskey(ctx, hash, time.UnixMilli(a.Removed)); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// claim claims a passkey for a user. It returns Conflict if another account has it. The caller
// runs the task once the passkey is added.
func (s *Security) claim(ctx context.Context, user linnet.ID, hash string) (task.Task, error) {
	t, err := s.tasks.New(record.HashShard(hash), TaskPasskeys, passkeysArgs{Hashes: []string{hash}})
	if err != nil {
		return t, err
	}
	claimed, err := s.st.Sessions.ClaimPasskey(ctx, hash, user, t)
	if err == nil && !claimed {
		err = errPasskeyTaken
	}
	return t, core.StoreError(err)
}

// addClaimed claims a passkey and adds it to the passkeys of a user.
func (s *Security) addClaimed(ctx context.Context, user linnet.ID, all []record.Passkey, k record.Passkey, version uint64) error {
	began := s.st.Now()
	t, err := s.claim(ctx, user, k.Hash())
	if err != nil {
		return err
	}
	defer s.tasks.Run(ctx, t)
	if s.st.Now().Sub(began) > confirmWithin {
		return errNotAdded
	}
	return s.setPasskeys(ctx, user, all, append(all, k), version)
}

// claimUsed claims a passkey of an earlier release when its user logs in with it. The login
// succeeds even if the claim fails. Otherwise another account could lock the user out by claiming
// it first.
func (s *Security) claimUsed(ctx context.Context, user linnet.ID, k *record.Passkey) {
	owner, err := s.st.Sessions.PasskeyOwner(ctx, k.Hash())
	if err == nil && owner == user {
		return
	}
	var t task.Task
	if err == nil {
		t, err = s.claim(ctx, user, k.Hash())
	}
	if err != nil {
		s.opt.Log.Warn("cannot claim passkey", "user", user, "err", err)
		return
	}
	s.tasks.Run(ctx, t)
}

// setPasskeys replaces the passkeys of a user and releases the claims of those removed.
func (s *Security) setPasskeys(ctx context.Context, user linnet.ID, before, after []record.Passkey, version uint64) error {
	a := passkeysArgs{Removed: s.st.Now().UnixMilli()}
	for _, k := range before {
		if hash := k.Hash(); !record.HasPasskey(after, hash) {
			a.Hashes = append(a.Hashes, hash)
		}
	}
	var t task.Task
	var also []kv.Op
	if len(a.Hashes) > 0 {
		var err error
		if t, err = s.tasks.New(user.Shard(), TaskPasskeys, a); err != nil {
			return err
		}
		also = t.Ops()
	}
	if ok, err := s.st.Sessions.SetPasskeys(ctx, user, after, version, also...); err != nil || !ok {
		return againIf(!ok, err)
	}
	if t.ID != "" {
		s.tasks.Run(ctx, t)
	}
	return nil
}

package store

import (
	"context"
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

func policyKey(user linnet.ID) kv.Key { return idKey(kPolicy, user) }
func heldKey(user linnet.ID) kv.Key   { return idKey(kHeld, user) }

// policyRecord holds what a user has chosen; what is empty is the default.
type policyRecord struct {
	NotFollowing    linnet.Treatment `json:"not_following,omitempty"`
	NotFollowers    linnet.Treatment `json:"not_followers,omitempty"`
	NewAccounts     linnet.Treatment `json:"new_accounts,omitempty"`
	PrivateMentions linnet.Treatment `json:"private_mentions,omitempty"`
	Limited         linnet.Treatment `json:"limited,omitempty"`
}

func decodePolicy(get *kv.Get) (linnet.NotificationPolicy, error) {
	p := linnet.DefaultPolicy()
	if get.Version == 0 {
		return p, nil
	}
	var r policyRecord
	if err := decode(get, &r); err != nil {
		return p, err
	}
	return changedPolicy(p, linnet.PolicyChange(r)), nil
}

func changedPolicy(p linnet.NotificationPolicy, c linnet.PolicyChange) linnet.NotificationPolicy {
	for to, from := range map[*linnet.Treatment]linnet.Treatment{&p.NotFollowing: c.NotFollowing, &p.NotFollowers: c.NotFollowers,
		&p.NewAccounts: c.NewAccounts, &p.PrivateMentions: c.PrivateMentions, &p.Limited: c.Limited} {
		if from != "" {
			*to = from
		}
	}
	return p
}

// Policy asks for the notification policy of a user. The answer stands there
// after Run.
func (b *Batch) Policy(user linnet.ID) *linnet.NotificationPolicy {
	p := new(linnet.NotificationPolicy)
	get := &kv.Get{Key: policyKey(user)}
	b.ask(get, func() (err error) {
		*p, err = decodePolicy(get)
		return err
	})
	return p
}

// ChangePolicy changes a user's policy and returns it.
func (s *Store) ChangePolicy(ctx context.Context, user linnet.ID, c linnet.PolicyChange) (linnet.NotificationPolicy, error) {
	key := policyKey(user)
	for range maxRaces {
		get := &kv.Get{Key: key}
		if err := s.kv.Read(ctx, get); err != nil {
			return linnet.NotificationPolicy{}, fmt.Errorf("read policy: %w", err)
		}
		p, err := decodePolicy(get)
		if err != nil {
			return p, err
		}
		p = changedPolicy(p, c)
		failed, err := s.kv.Txn(ctx, []kv.Cond{kv.VersionIs{Key: key, Version: get.Version}, kv.Present{Key: userKey(user)}},
			kv.Put{Key: key, Data: encode(policyRecord(p)), Version: get.Version + 1})
		switch {
		case err != nil:
			return p, fmt.Errorf("write policy: %w", err)
		case failed < 0:
			return p, nil
		case failed == 1:
			return p, ErrGone
		}
	}
	return linnet.NotificationPolicy{}, errRaces("policy of", user)
}

// Held reads all notifications of a user that the policy holds back, newest
// first: at most as many as are kept.
func (s *Store) Held(ctx context.Context, user linnet.ID) ([]linnet.Notification, error) {
	var all []linnet.Notification
	sp := Span{Limit: kv.MaxRange}
	for range 2 + linnet.MaxNotifications/kv.MaxRange {
		page, err := s.noticesIn(ctx, sp, heldKey(user))
		if err != nil {
			return nil, err
		}
		all = append(all, page...)
		if len(page) < kv.MaxRange {
			break
		}
		sp.Below = page[len(page)-1].ID
	}
	return all, nil
}

// AcceptFrom keeps that a user accepts the notifications of some people whatever
// the policy says, with the tasks that merge what is held of them.
func (s *Store) AcceptFrom(ctx context.Context, user linnet.ID, from []linnet.ID, tasks ...kv.Op) error {
	ops := tasks
	for _, id := range from {
		ops = append(ops, kv.Add{Key: Accepted.Key(user), Member: id.String(), Score: s.Now().UnixMilli()},
			kv.Add{Key: idKey(kMerging, user), Member: id.String(), Score: s.Now().UnixMilli()})
	}
	_, err := s.kv.Txn(ctx, []kv.Cond{kv.Present{Key: userKey(user)}}, ops...)
	return err
}

// mergeChunk is how many notifications one transaction moves.
const mergeChunk = 400

// MergeHeld moves what is held of somebody to a user's notifications. It may be
// repeated.
func (s *Store) MergeHeld(ctx context.Context, user, from linnet.ID) error {
	all, err := s.Held(ctx, user)
	if err != nil {
		return err
	}
	var ops []kv.Op
	for i, n := range all {
		if n.From == from {
			n.Held = false
			ops = append(ops, kv.Remove{Key: heldKey(user), Member: noticeMember(n)},
				kv.Add{Key: noticesKey(user), Member: noticeMember(n), Score: n.ID.Millis()})
		}
		if len(ops) >= 2*mergeChunk || i == len(all)-1 && len(ops) > 0 {
			if _, err := s.kv.Txn(ctx, nil, ops...); err != nil {
				return fmt.Errorf("merge notifications: %w", err)
			}
			ops = nil
		}
	}
	return s.kv.Apply(ctx, kv.Trim{Key: noticesKey(user), Keep: linnet.MaxNotifications},
		kv.Remove{Key: idKey(kMerging, user), Member: from.String()})
}

// Merging reports whether notifications that a user has accepted are still being
// merged.
func (s *Store) Merging(ctx context.Context, user linnet.ID) (bool, error) {
	ids, err := s.All(ctx, idKey(kMerging, user), 1)
	return len(ids) > 0, err
}

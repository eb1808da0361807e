package accounts

import (
	"context"
	"errors"
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// CreateInvite stores a new invitation. It returns false if the limit is reached or the code
// exists.
func (s *Store) CreateInvite(ctx context.Context, i linnet.Invite) (bool, error) {
	r := record.Invite{By: record.JID(i.By), Most: i.Most, Created: i.Created.UnixMilli(), Collection: record.JID(i.Collection)}
	if !i.Expires.IsZero() {
		r.Expires = i.Expires.UnixMilli()
	}
	stats := record.ShardKey(record.KindStats, record.InviteShard)
	made, err := s.db.Txn(ctx, []kv.Cond{kv.Absent(record.InviteKey(i.Code)), kv.CounterBelow{Key: stats, Name: record.InvitesCounter, Limit: linnet.MaxInvites}},
		kv.Put{Key: record.InviteKey(i.Code), Version: 1, Data: record.Encode(r)},
		kv.Add{Key: record.InvitesKey(), Member: i.Code, Score: r.Created}, kv.Incr{Key: stats, Name: record.InvitesCounter, By: 1})
	if errors.Is(err, kv.ErrUnknown) {
		if _, ok, rerr := s.Invite(kv.Durable(ctx), i.Code); rerr == nil && ok {
			return true, nil
		}
	}
	if err != nil {
		return false, fmt.Errorf("write an invitation: %w", err)
	}
	return made, nil
}

// Invite reads an invitation; ok is false if there is none with this code.
func (s *Store) Invite(ctx context.Context, code string) (i linnet.Invite, ok bool, err error) {
	found, err := s.readInvites(ctx, []string{code})
	if err != nil || len(found) == 0 {
		return i, false, err
	}
	return found[0], true, nil
}

// Invites reads all invitations, the newest first.
func (s *Store) Invites(ctx context.Context) ([]linnet.Invite, error) {
	r := &kv.Range{Key: record.InvitesKey(), Desc: true, Limit: linnet.MaxInvites}
	if err := s.db.Read(ctx, r); err != nil {
		return nil, fmt.Errorf("list invitations: %w", err)
	}
	codes := make([]string, len(r.Members))
	for i, m := range r.Members {
		codes[i] = m.Member
	}
	return s.readInvites(ctx, codes)
}

func (s *Store) readInvites(ctx context.Context, codes []string) ([]linnet.Invite, error) {
	qs := make([]kv.Query, 0, 2*len(codes))
	for _, c := range codes {
		qs = append(qs, &kv.Get{Key: record.InviteKey(c)}, &kv.Counters{Key: record.InviteUsesKey(c), Names: []string{record.UsesCounter}})
	}
	if len(qs) == 0 {
		return nil, nil
	}
	if err := s.db.Read(ctx, qs...); err != nil {
		return nil, fmt.Errorf("read invitations: %w", err)
	}
	var out []linnet.Invite
	for i, c := range codes {
		get := qs[2*i].(*kv.Get)
		if get.Version == 0 {
			continue
		}
		var r record.Invite
		if err := record.Decode(get, &r); err != nil {
			return nil, err
		}
		out = append(out, r.Invite(c, qs[2*i+1].(*kv.Counters).Values[0]))
	}
	return out, nil
}

// RevokeInvite invalidates an invitation. It returns false if there is none.
func (s *Store) RevokeInvite(ctx context.Context, code string) (bool, error) {
	for range db.MaxRaces {
		get := &kv.Get{Key: record.InviteKey(code)}
		if err := s.db.Read(kv.Durable(ctx), get); err != nil || get.Version == 0 {
			return false, err
		}
		var r record.Invite
		if err := record.Decode(get, &r); err != nil {
			return false, err
		}
		r.Revoked = true
		made, err := s.db.Txn(ctx, []kv.Cond{kv.VersionIs{Key: get.Key, Version: get.Version}},
			kv.Put{Key: get.Key, Version: get.Version + 1, Data: record.Encode(r)})
		if err != nil || made {
			return err == nil, err
		}
	}
	return false, fmt.Errorf("the invitation changed too often while it was being updated: %w", kv.ErrUnavailable)
}

// DropInvite deletes an invitation that can no longer be used.
func (s *Store) DropInvite(ctx context.Context, code string) error {
	ops := []kv.Op{kv.Delete{Key: record.InviteKey(code)}, kv.Delete{Key: record.InviteUsesKey(code)}, kv.Delete{Key: record.InviteesKey(code)},
		kv.Remove{Key: record.InvitesKey(), Member: code}, kv.Incr{Key: record.ShardKey(record.KindStats, record.InviteShard), Name: record.InvitesCounter, By: -1}}
	_, err := s.db.Txn(ctx, []kv.Cond{kv.HasMember{Key: record.InvitesKey(), Member: code}}, ops...)
	return err
}

// useInvite uses an invitation for a user who doesn't exist yet. If two users want its last use,
// one gets it. It returns ErrInvite if the invitation is no longer valid.
func (s *Store) useInvite(ctx context.Context, code string, user linnet.ID) error {
	people, uses := record.InviteesKey(code), record.InviteUsesKey(code)
	for range db.MaxRaces {
		get := &kv.Get{Key: record.InviteKey(code)}
		if err := s.db.Read(ctx, get); err != nil {
			return err
		}
		var r record.Invite
		if get.Version == 0 {
			return ErrInvite
		}
		if err := record.Decode(get, &r); err != nil {
			return err
		}
		if i := r.Invite(code, 0); !i.Good(s.db.Now()) {
			return ErrInvite
		}
		_, err := s.db.Txn(ctx, []kv.Cond{db.Else(kv.NoMember{Key: people, Member: user.String()}, errUsed),
			db.Else(kv.CounterBelow{Key: uses, Name: record.UsesCounter, Limit: r.Most}, ErrInvite), db.Else(kv.VersionIs{Key: get.Key, Version: get.Version}, db.ErrRace)},
			kv.Add{Key: people, Member: user.String(), Score: user.Millis()}, kv.Incr{Key: uses, Name: record.UsesCounter, By: 1})
		switch {
		case errors.Is(err, kv.ErrUnknown): // the next attempt reads the result
			ctx = kv.Durable(ctx)
		case err == nil, errors.Is(err, errUsed): // by this call, with a lost response
			return nil
		case errors.Is(err, ErrInvite):
			return ErrInvite
		case !errors.Is(err, db.ErrRace):
			return fmt.Errorf("use an invitation: %w", err)
		}
	}
	return db.TooManyRaces("invitation of user", user)
}

// ErrInvite means that an invitation was revoked, expired or used up before the sign-up was
// complete.
var ErrInvite = errors.New("the invitation is no longer valid")

// errUsed means that the user has already used the invitation.
var errUsed = errors.New("the user has already used the invitation")

// returnInvite reverts useInvite for a user who was not created. It can run more than once.
func (s *Store) returnInvite(ctx context.Context, code string, user linnet.ID) error {
	people := record.InviteesKey(code)
	_, err := s.db.Txn(ctx, []kv.Cond{kv.HasMember{Key: people, Member: user.String()}},
		kv.Remove{Key: people, Member: user.String()}, kv.Incr{Key: record.InviteUsesKey(code), Name: record.UsesCounter, By: -1})
	if err != nil {
		return fmt.Errorf("undo the use of an invitation: %w", err)
	}
	return nil
}

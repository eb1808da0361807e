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

// TwoFactor reads a user's second factor. Its Version is 0 if there is none.
func (s *Store) TwoFactor(ctx context.Context, user linnet.ID) (t record.TwoFactor, err error) {
	get := &kv.Get{Key: record.TOTPKey(user)}
	if err := s.db.Read(ctx, get); err != nil || get.Version == 0 {
		return t, err
	}
	t.Version = get.Version
	return t, record.Decode(get, &t)
}

// SetTwoFactor replaces a user's second factor. It returns false if it has changed since it was
// read, or the user doesn't exist.
func (s *Store) SetTwoFactor(ctx context.Context, user linnet.ID, t record.TwoFactor) (bool, error) {
	made, err := s.db.Txn(ctx, []kv.Cond{kv.VersionIs{Key: record.TOTPKey(user), Version: t.Version}, db.UserPresent(user)},
		kv.Put{Key: record.TOTPKey(user), Data: record.Encode(t), Version: t.Version + 1})
	if err != nil {
		return false, fmt.Errorf("write a second factor: %w", err)
	}
	return made, nil
}

// EndTwoFactor removes a second factor.
func (s *Store) EndTwoFactor(ctx context.Context, user linnet.ID) error {
	return s.db.Apply(ctx, kv.Delete{Key: record.TOTPKey(user)})
}

// TicketTTL is the time a login has for its second factor.
const TicketTTL = 5 * time.Minute

// PutTicket stores, under its hash, a login whose password was checked with a version of the
// user's secrets.
func (s *Store) PutTicket(ctx context.Context, ticket string, user linnet.ID, version uint64) error {
	shard, hash, _ := splitSecret(ticket)
	return s.db.Apply(ctx, kv.Put{Key: record.HashKey(record.KindTicket, shard, hash), Version: 1, TTL: TicketTTL, Data: record.Encode(record.Ticket{User: record.JID(user), Secret: version})})
}

// Ticket returns the user of a login that waits for a second factor. ok is false if there is none.
func (s *Store) Ticket(ctx context.Context, ticket string) (user linnet.ID, ok bool, err error) {
	r, ok, err := s.ticket(ctx, ticket)
	return linnet.ID(r.User), ok, err
}

func (s *Store) ticket(ctx context.Context, ticket string) (r record.Ticket, ok bool, err error) {
	shard, hash, ok := splitSecret(ticket)
	if !ok {
		return r, false, nil
	}
	get := &kv.Get{Key: record.HashKey(record.KindTicket, shard, hash)}
	if err := s.db.Read(ctx, get); err != nil || get.Version == 0 {
		return r, false, err
	}
	return r, true, record.Decode(get, &r)
}

// UseTicket starts a session for a ticket, once, with the used second factor, if both and the
// password haven't changed. It returns false otherwise. After a lost response it also returns
// false. The ticket may be used, and the user logs in again.
func (s *Store) UseTicket(ctx context.Context, ticket, session string, used record.TwoFactor, t record.TokenRecord) (bool, error) {
	r, ok, err := s.ticket(ctx, ticket)
	if err != nil || !ok {
		return false, err
	}
	user := linnet.ID(r.User)
	shard, hash, _ := splitSecret(ticket)
	key := record.HashKey(record.KindTicket, shard, hash)
	conds := []kv.Cond{kv.Present{Key: key}, secretIs(user, r.Secret), kv.VersionIs{Key: record.TOTPKey(user), Version: used.Version}}
	t.User = user
	ok, err = s.IssueToken(ctx, session, t, conds,
		kv.Delete{Key: key}, kv.Put{Key: record.TOTPKey(user), Data: record.Encode(used), Version: used.Version + 1})
	if errors.Is(err, kv.ErrUnknown) {
		return false, nil
	}
	return ok, err
}

package sessions

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// NewReset generates the token of a link for a user.
func NewReset(user linnet.ID) string {
	_, secret, _ := strings.Cut(NewSecret(user.Shard()), "-")
	return user.String() + "-" + secret
}

// PutReset stores a reset link and revokes an earlier one. It returns false if there is no such
// user or a condition in needs doesn't hold.
func (s *Store) PutReset(ctx context.Context, token string, r record.Reset, needs ...kv.Cond) (bool, error) {
	expires := r.Expires.UnixMilli()
	made, err := s.db.Txn(ctx, append(needs, db.UserPresent(r.User)), kv.Put{Key: record.ResetKey(r.User), Version: uint64(s.db.Now().UnixNano()),
		TTL: r.Expires.Sub(s.db.Now()), Data: record.Encode(record.ResetRecord{Hash: record.Hash(token), TwoFactor: r.TwoFactor, Expires: expires})})
	if err != nil {
		return false, fmt.Errorf("write a reset link: %w", err)
	}
	return made, nil
}

// Reset finds the link with a token. ok is false if it is invalid.
func (s *Store) Reset(ctx context.Context, token string) (r record.Reset, ok bool, err error) {
	id, _, _ := strings.Cut(token, "-")
	user, ok := linnet.ParseID(id)
	if !ok || len(token) > 100 {
		return r, false, nil
	}
	get := &kv.Get{Key: record.ResetKey(user)}
	if err := s.db.Read(ctx, get); err != nil || get.Version == 0 {
		return r, false, err
	}
	var rec record.ResetRecord
	if err := record.Decode(get, &rec); err != nil {
		return r, false, err
	}
	r = record.Reset{User: user, TwoFactor: rec.TwoFactor, Expires: time.UnixMilli(rec.Expires), Version: get.Version}
	return r, rec.Hash == record.Hash(token) && s.db.Now().Before(r.Expires), nil
}

// UseReset uses a reset link and sets a password hash, or turns off two-factor login if hash is
// "", with other operations of the user's shard. It returns false if the link is no longer valid or
// the account has changed. If the response is lost it returns an error, and the link may be used.
func (s *Store) UseReset(ctx context.Context, r record.Reset, hash string, also ...kv.Op) (bool, error) {
	secret := &kv.Get{Key: record.SecretKey(r.User)}
	if err := s.db.Read(ctx, secret); err != nil {
		return false, err
	}
	conds := []kv.Cond{kv.VersionIs{Key: record.ResetKey(r.User), Version: r.Version}, db.UserPresent(r.User)}
	ops := append([]kv.Op{kv.Delete{Key: record.ResetKey(r.User)}}, also...)
	if hash == "" {
		ops = append(ops, kv.Delete{Key: record.TOTPKey(r.User)})
	} else {
		var sec record.Secret
		if secret.Version != 0 {
			if err := record.Decode(secret, &sec); err != nil {
				return false, err
			}
		}
		sec.SetPassword(hash)
		conds = append(conds, kv.VersionIs{Key: secret.Key, Version: secret.Version})
		ops = append(ops, kv.Put{Key: secret.Key, Data: record.Encode(sec), Version: secret.Version + 1})
	}
	made, err := s.db.Txn(ctx, conds, ops...)
	if err != nil {
		return false, fmt.Errorf("use a reset link: %w", err)
	}
	return made, nil
}

// Confirm records for a time that the owner of a session, identified by its hash, has entered the
// password again.
func (s *Store) Confirm(ctx context.Context, user linnet.ID, session string, ttl time.Duration) error {
	until := s.db.Now().Add(ttl).UnixMilli()
	return s.db.Apply(ctx, kv.Put{Key: record.HashKey(record.KindConfirmed, user.Shard(), session), Version: 1, TTL: ttl, Data: fmt.Append(nil, until)})
}

// Confirmed reports whether a confirmation is valid for a session.
func (s *Store) Confirmed(ctx context.Context, user linnet.ID, session string) (bool, error) {
	get := &kv.Get{Key: record.HashKey(record.KindConfirmed, user.Shard(), session)}
	if err := s.db.Read(ctx, get); err != nil {
		return false, fmt.Errorf("read an e-mail confirmation: %w", err)
	}
	return get.Version != 0, nil
}

// Limits of a security log: entries, entries of frequent events (SecurityEvent.Frequent), and the
// period in which repeated events count as one entry.
const (
	maxSecurityLog = 100
	maxFrequent    = 60
	securityRow    = time.Hour
)

// withEntry returns a log, newest first, with another entry, which may be older than others. It can
// reuse the log.
func withEntry(log []record.Security, e record.Security) []record.Security {
	i := slices.IndexFunc(log, func(old record.Security) bool { return old.At <= e.At })
	if i < 0 {
		i = len(log)
	}
	if i < len(log) && linnet.SecurityEvent(e.Event).Frequent() && e.At-log[i].At < securityRow.Milliseconds() && log[i].Like(e) {
		log[i].At, log[i].Count = e.At, max(log[i].Count, 1)+max(e.Count, 1)
		return log
	}
	log = slices.Insert(log, i, e)
	frequent := 0
	log = slices.DeleteFunc(log, func(e record.Security) bool {
		if linnet.SecurityEvent(e.Event).Frequent() {
			frequent++
			return frequent > maxFrequent
		}
		return false
	})
	return log[:min(len(log), maxSecurityLog)]
}

// LogSecurity adds an event to the security log of an account. It does nothing if the account
// doesn't exist.
func (s *Store) LogSecurity(ctx context.Context, user linnet.ID, e linnet.SecurityEntry) error {
	for range db.MaxRaces {
		get := &kv.Get{Key: record.SecurityLogKey(user)}
		if err := s.db.Read(ctx, get); err != nil {
			return fmt.Errorf("read the security log: %w", err)
		}
		var log []record.Security
		if get.Version != 0 {
			if err := record.Decode(get, &log); err != nil {
				return err
			}
		}
		log = withEntry(log, record.Security{At: e.At.UnixMilli(), Event: string(e.Event), By: record.JID(e.By), Count: e.Count, Device: e.Device, Place: e.Network, Detail: e.Detail})
		conds := []kv.Cond{db.Else(db.UserPresent(user), db.ErrDeleted), kv.VersionIs{Key: get.Key, Version: get.Version}}
		made, err := s.db.Txn(ctx, conds, kv.Put{Key: get.Key, Data: record.Encode(log), Version: get.Version + 1})
		if made || errors.Is(err, db.ErrDeleted) {
			return nil
		}
		if err != nil && !errors.Is(err, kv.ErrUnknown) {
			return fmt.Errorf("write the security log: %w", err)
		}
		// After a lost response an event may be logged twice, which is better than not at all.
	}
	return db.TooManyRaces("security log of user", user)
}

// SecurityLog reads the security log of an account, the latest entry first.
func (s *Store) SecurityLog(ctx context.Context, user linnet.ID) ([]linnet.SecurityEntry, error) {
	get := &kv.Get{Key: record.SecurityLogKey(user)}
	if err := s.db.Read(ctx, get); err != nil || get.Version == 0 {
		return nil, err
	}
	var log []record.Security
	if err := record.Decode(get, &log); err != nil {
		return nil, err
	}
	out := make([]linnet.SecurityEntry, len(log))
	for i, e := range log {
		out[i] = linnet.SecurityEntry{At: time.UnixMilli(e.At), Event: linnet.SecurityEvent(e.Event), By: linnet.ID(e.By),
			Count: e.Count, Device: e.Device, Network: e.Place, Detail: e.Detail}
	}
	return out, nil
}

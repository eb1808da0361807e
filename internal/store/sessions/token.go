package sessions

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// Secrets that are handed out (tokens, codes) have the form "shard.random": the shard of their user
// or app in hexadecimal, so that one read finds them, and 256 random bits. Only their SHA-256 is
// stored.

// NewSecret returns a random secret for a shard. Its characters need no escaping in URLs and
// headers.
func NewSecret(shard uint16) string {
	b := make([]byte, 32)
	rand.Read(b)
	return fmt.Sprintf("%03x-%s", shard, base64.RawURLEncoding.EncodeToString(b))
}

// splitSecret returns the shard and hash of a secret. ok is false for other texts.
func splitSecret(secret string) (shard uint16, hash string, ok bool) {
	head, _, found := strings.Cut(secret, "-")
	n, err := strconv.ParseUint(head, 16, 16)
	if !found || err != nil || len(head) != 3 || n >= kv.Shards || len(secret) > 100 {
		return 0, "", false
	}
	return uint16(n), record.Hash(secret), true
}

// WebSessionTTL is the lifetime of a browser session.
const WebSessionTTL = 90 * 24 * time.Hour

// IssueToken stores a token under its hash in the shard of its user, or of its app if it has none.
// conds and more are part of the same transaction.
func (s *Store) IssueToken(ctx context.Context, secret string, t record.TokenRecord, conds []kv.Cond, more ...kv.Op) (bool, error) {
	shard, hash, _ := splitSecret(secret)
	put := kv.Put{Key: record.HashKey(record.KindToken, shard, hash), Version: 1, Data: record.EncodeToken(&t)}
	if t.Web {
		put.TTL = WebSessionTTL
	}
	ops := append(more, put)
	if t.User != 0 {
		ops = append(ops, kv.Add{Key: record.IDKey(record.KindSessions, t.User), Member: hash, Score: t.Created.UnixMilli()})
	}
	made, err := s.db.Txn(ctx, conds, ops...)
	if err != nil {
		return false, fmt.Errorf("issue a token: %w", err)
	}
	return made, nil
}

// IssueSession is like IssueToken, after a password was checked. It returns false if the user's
// secrets no longer have the version that it was checked with.
func (s *Store) IssueSession(ctx context.Context, secret string, t record.TokenRecord, version uint64) (bool, error) {
	return s.IssueToken(ctx, secret, t, []kv.Cond{secretIs(t.User, version)})
}

// Token returns the record of a token. ok is false if it isn't valid. Its scopes are shared and
// must not be modified.
func (s *Store) Token(ctx context.Context, secret string) (t record.TokenRecord, ok bool, err error) {
	shard, hash, ok := splitSecret(secret)
	if !ok {
		return t, false, nil
	}
	cached, err := s.db.Token(ctx, shard, hash)
	if err == nil && cached == nil {
		// Clients discard a refused token. So an engine that has just lost its data must not report
		// the token as missing.
		err = s.db.Read(kv.Durable(ctx), &kv.Get{Key: record.HashKey(record.KindToken, shard, hash)})
	}
	if err != nil || cached == nil {
		return t, false, err
	}
	return *cached, true, nil
}

// Tokens reads the records of several tokens in one batch. The record of an invalid token is nil.
// They are shared and must not be modified.
func Tokens(ctx context.Context, s *Store, secrets []string) ([]*record.TokenRecord, error) {
	names := make([]db.TokenName, 0, len(secrets))
	at := make([]int, 0, len(secrets))
	for i, secret := range secrets {
		if shard, hash, ok := splitSecret(secret); ok {
			names, at = append(names, db.TokenName{Shard: shard, Hash: hash}), append(at, i)
		}
	}
	found, err := s.db.Tokens(ctx, names)
	if err != nil {
		return nil, err
	}
	if at := slices.Index(found, nil); at >= 0 { // see Token
		if err := s.db.Read(kv.Durable(ctx), &kv.Get{Key: record.HashKey(record.KindToken, names[at].Shard, names[at].Hash)}); err != nil {
			return nil, err
		}
	}
	out := make([]*record.TokenRecord, len(secrets))
	for i, t := range found {
		out[at[i]] = t
	}
	return out, nil
}

// TokenOf returns the record of a user's token by its hash, or nil if it isn't valid. It is shared
// and must not be modified.
func (s *Store) TokenOf(ctx context.Context, user linnet.ID, hash string) (*record.TokenRecord, error) {
	return s.db.Token(ctx, user.Shard(), hash)
}

// ForgetToken makes the next use of a token bypass the cache, see db.Forget.
func (s *Store) ForgetToken(hash string) {
	s.db.Forget(record.HashKey(record.KindToken, 0, hash))
}

// TokenValid reports whether a token is valid. It is identified by its hash and its owner: its
// user, or its app if it has none.
func (s *Store) TokenValid(ctx context.Context, owner linnet.ID, hash string) (bool, error) {
	get := &kv.Get{Key: record.HashKey(record.KindToken, owner.Shard(), hash)}
	if err := s.db.Read(ctx, get); err != nil {
		return false, fmt.Errorf("read a token: %w", err)
	}
	return get.Version != 0, nil
}

// NoteUse records that a user's token is in use, by its hash. It does nothing if the token has
// ended or its last recorded use is within every.
func (s *Store) NoteUse(ctx context.Context, user linnet.ID, hash string, every time.Duration) error {
	get := &kv.Get{Key: record.HashKey(record.KindToken, user.Shard(), hash)}
	if err := s.db.Read(ctx, get); err != nil || get.Version == 0 {
		return err
	}
	t, err := record.DecodeToken(get)
	if err != nil {
		return err
	}
	now := s.db.Now()
	if now.Sub(t.Used) < every {
		return nil
	}
	t.Used = now
	put := kv.Put{Key: get.Key, Version: get.Version + 1, Data: record.EncodeToken(&t)}
	if t.Web { // the expiry stays
		put.TTL = max(t.Created.Add(WebSessionTTL).Sub(now), time.Second)
	}
	_, err = s.db.Txn(kv.Relaxed(ctx), []kv.Cond{kv.VersionIs{Key: get.Key, Version: get.Version}}, put)
	return err
}

// RevokeToken ends a token.
func (s *Store) RevokeToken(ctx context.Context, secret string, user linnet.ID) error {
	shard, hash, ok := splitSecret(secret)
	if !ok {
		return nil
	}
	if user == 0 {
		return s.db.Apply(ctx, kv.Delete{Key: record.HashKey(record.KindToken, shard, hash)})
	}
	return s.db.Apply(ctx, endToken(user, hash)...)
}

// endToken returns the operations that end a user's token and everything with the same lifetime.
func endToken(user linnet.ID, hash string) []kv.Op {
	return append(endPush(user, hash), kv.Delete{Key: record.HashKey(record.KindToken, user.Shard(), hash)},
		kv.Remove{Key: record.IDKey(record.KindSessions, user), Member: hash})
}

// RevokeAll ends all tokens of a user and returns their hashes.
func (s *Store) RevokeAll(ctx context.Context, user linnet.ID) ([]string, error) {
	return s.RevokeOthers(ctx, user, "")
}

// RevokeOthers ends all tokens of a user except the one with a hash. It returns the hashes of the
// ended ones.
func (s *Store) RevokeOthers(ctx context.Context, user linnet.ID, keep string) ([]string, error) {
	var hashes []string
	var above *kv.Member
	for {
		r := &kv.Range{Key: record.IDKey(record.KindSessions, user), Above: above, Limit: kv.MaxRange}
		if err := s.db.Read(ctx, r); err != nil {
			return nil, fmt.Errorf("read sessions: %w", err)
		}
		var ops []kv.Op
		for _, m := range r.Members {
			if m.Member == keep {
				above = &m
				continue
			}
			hashes = append(hashes, m.Member)
			ops = append(ops, endToken(user, m.Member)...)
		}
		if len(ops) == 0 {
			return hashes, nil
		}
		if err := s.db.Apply(ctx, ops...); err != nil {
			return nil, fmt.Errorf("end sessions: %w", err)
		}
	}
}

// CodeTTL is the lifetime of an authorization code (RFC 6749 section 4.1.2 recommends at most 10
// minutes).
const CodeTTL = 10 * time.Minute

// PutCode stores a code under its hash in its user's shard.
func (s *Store) PutCode(ctx context.Context, secret string, c record.Code) error {
	shard, hash, _ := splitSecret(secret)
	return s.db.Apply(ctx, kv.Put{Key: record.HashKey(record.KindCode, shard, hash), Version: 1, TTL: CodeTTL,
		Data: record.Encode(record.CodeRecord{User: record.JID(c.User), App: record.JID(c.App), Redirect: c.RedirectURI, Scopes: c.Scopes, Challenge: c.Challenge, Secret: c.Secret, Device: c.Device, Place: c.Place})})
}

// GetCode returns a code. A used one has only a token and a user.
func (s *Store) GetCode(ctx context.Context, secret string) (c record.Code, ok bool, err error) {
	shard, hash, ok := splitSecret(secret)
	if !ok {
		return c, false, nil
	}
	get := &kv.Get{Key: record.HashKey(record.KindCode, shard, hash)}
	if err := s.db.Read(ctx, get); err != nil || get.Version == 0 {
		return c, false, err
	}
	var r record.CodeRecord
	if err := record.Decode(get, &r); err != nil {
		return c, false, err
	}
	return record.Code{User: linnet.ID(r.User), App: linnet.ID(r.App), RedirectURI: r.Redirect, Scopes: r.Scopes, Challenge: r.Challenge, Secret: r.Secret, Device: r.Device, Place: r.Place, Token: r.Token}, true, nil
}

// UseCode exchanges a code for a token in one transaction, so that only one attempt succeeds. It
// returns false if the code is used or the user's secrets have changed since it was created. The
// token's secret must be of the user's shard. The record of the code has the hash of the token, so
// that GetCode can detect a second use.
func (s *Store) UseCode(ctx context.Context, code, token string, t record.TokenRecord, version uint64) (bool, error) {
	shard, hash, ok := splitSecret(code)
	if !ok {
		return false, nil
	}
	key := record.HashKey(record.KindCode, shard, hash)
	return s.IssueToken(ctx, token, t, []kv.Cond{kv.VersionIs{Key: key, Version: 1}, secretIs(t.User, version)},
		kv.Put{Key: key, Version: 2, TTL: CodeTTL, Data: record.Encode(record.CodeRecord{User: record.JID(t.User), Token: record.Hash(token)})})
}

// UnusedAppTTL is the lifetime of an app without a token. Apps register before a login, and anyone
// can register any number of them.
const UnusedAppTTL = 7 * 24 * time.Hour

// CreateApp stores an app in a shard for UnusedAppTTL, or permanently if KeepApp is called in time.
// It sets the ID.
func (s *Store) CreateApp(ctx context.Context, shard uint16, a *linnet.App, secretHash string) error {
	for range db.MaxRaces {
		a.ID = s.db.NewID(shard, 0)
		made, err := s.db.Txn(ctx, []kv.Cond{kv.Absent(record.IDKey(record.KindApp, a.ID))}, kv.Put{Key: record.IDKey(record.KindApp, a.ID), Version: 1, TTL: UnusedAppTTL,
			Data: record.Encode(record.App{Name: a.Name, Website: a.Website, Redirects: a.RedirectURIs, Scopes: a.Scopes, Secret: secretHash, Created: a.CreatedAt.Unix(), Used: false})})
		if err != nil {
			return fmt.Errorf("write an app: %w", err)
		}
		if made {
			return nil
		}
	}
	return db.TooManyRaces("id of an app", a.ID)
}

// KeepApp stores an app permanently, before a token is issued to it. It returns false if the app is
// deleted. Only the first call writes.
func (s *Store) KeepApp(ctx context.Context, id linnet.ID) (bool, error) {
	for range db.MaxRaces {
		get := &kv.Get{Key: record.IDKey(record.KindApp, id)}
		if err := s.db.Read(ctx, get); err != nil || get.Version == 0 {
			return false, err
		}
		var r record.App
		if err := record.Decode(get, &r); err != nil {
			return false, err
		}
		switch {
		case r.Used && db.RetryDurable(&ctx):
			continue // the token relies on the write of another call
		case r.Used:
			return true, nil
		}
		r.Used = true
		made, err := s.db.Txn(ctx, []kv.Cond{kv.VersionIs{Key: get.Key, Version: get.Version}},
			kv.Put{Key: get.Key, Version: get.Version + 1, Data: record.Encode(r)})
		if err != nil {
			return false, fmt.Errorf("store an app: %w", err)
		}
		if made {
			return true, nil
		}
	}
	return false, db.TooManyRaces("app", id)
}

// App finds an app and the hash of its secret.
func (s *Store) App(ctx context.Context, id linnet.ID) (a linnet.App, secretHash string, ok bool, err error) {
	get := &kv.Get{Key: record.IDKey(record.KindApp, id)}
	if err := s.db.Read(ctx, get); err != nil || get.Version == 0 {
		return a, "", false, err
	}
	var r record.App
	if err := record.Decode(get, &r); err != nil {
		return a, "", false, err
	}
	return linnet.App{ID: id, Name: r.Name, Website: r.Website, RedirectURIs: r.Redirects, Scopes: r.Scopes,
		CreatedAt: time.Unix(r.Created, 0)}, r.Secret, true, nil
}

// secretIs returns the condition that a user's secrets have a version, so that the password has not
// changed. It guards changes that a password or a session permits.
func secretIs(user linnet.ID, version uint64) kv.Cond {
	return kv.VersionIs{Key: record.SecretKey(user), Version: version}
}

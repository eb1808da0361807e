package store

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// Secrets that are handed out (tokens, codes) are "shard.random": the shard of
// the user or app that they belong to in hexadecimal, so that one read finds
// them, and 256 random bits. Only their SHA-256 is kept.

// NewSecret draws a secret for a shard. It holds only characters that may stand
// in URLs and headers as they are.
func NewSecret(shard uint16) string {
	b := make([]byte, 32)
	rand.Read(b)
	return fmt.Sprintf("%03x-%s", shard, base64.RawURLEncoding.EncodeToString(b))
}

// splitSecret returns where a secret lies and its hash; ok is false for what
// cannot be one of ours.
func splitSecret(secret string) (shard uint16, hash string, ok bool) {
	head, _, found := strings.Cut(secret, "-")
	n, err := strconv.ParseUint(head, 16, 16)
	if !found || err != nil || len(head) != 3 || n >= kv.Shards || len(secret) > 100 {
		return 0, "", false
	}
	return uint16(n), Hash(secret), true
}

// Hash is the SHA-256 of a secret in hexadecimal.
func Hash(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// TokenRecord is what a token stands for.
type TokenRecord struct {
	User    linnet.ID
	App     linnet.ID
	Client  linnet.AppName
	Scopes  []string
	Web     bool
	Created time.Time
}

type tokenJSON struct {
	User    JID      `json:"user,omitempty"`
	App     JID      `json:"app,omitempty"`
	Name    string   `json:"name,omitempty"`
	Website string   `json:"site,omitempty"`
	Scopes  []string `json:"scopes,omitempty"`
	Web     bool     `json:"web,omitempty"`
	Created int64    `json:"created"`
}

// WebSessionTTL is how long a browser stays logged in.
const WebSessionTTL = 90 * 24 * time.Hour

// IssueToken keeps a token under its hash in the shard of its user, or of its
// app if it has none. Others, if given, go into the same transaction and shard.
func (s *Store) IssueToken(ctx context.Context, secret string, t TokenRecord, conds []kv.Cond, more ...kv.Op) (bool, error) {
	shard, hash, _ := splitSecret(secret)
	put := kv.Put{Key: hashKey(kToken, shard, hash), Version: 1, Data: encode(tokenJSON{JID(t.User), JID(t.App),
		t.Client.Name, t.Client.Website, t.Scopes, t.Web, t.Created.Unix()})}
	if t.Web {
		put.TTL = WebSessionTTL
	}
	ops := append(more, put)
	if t.User != 0 {
		ops = append(ops, kv.Add{Key: idKey(kSessions, t.User), Member: hash, Score: t.Created.UnixMilli()})
	}
	failed, err := s.kv.Txn(ctx, conds, ops...)
	if err != nil {
		return false, fmt.Errorf("issue token: %w", err)
	}
	return failed < 0, nil
}

// IssueSession is IssueToken for whoever has given a password; it reports false
// if the user's secrets are no longer of the version that it was held against.
func (s *Store) IssueSession(ctx context.Context, secret string, t TokenRecord, version uint64) (bool, error) {
	return s.IssueToken(ctx, secret, t, []kv.Cond{secretIs(t.User, version)})
}

// Token finds what a token stands for; ok is false if it is not in force.
func (s *Store) Token(ctx context.Context, secret string) (t TokenRecord, ok bool, err error) {
	shard, hash, ok := splitSecret(secret)
	if !ok {
		return t, false, nil
	}
	get := &kv.Get{Key: hashKey(kToken, shard, hash)}
	if err := s.kv.Read(ctx, get); err != nil || get.Version == 0 {
		return t, false, err
	}
	t, err = decodeToken(get)
	return t, err == nil, err
}

func decodeToken(get *kv.Get) (TokenRecord, error) {
	var r tokenJSON
	if err := decode(get, &r); err != nil {
		return TokenRecord{}, err
	}
	return TokenRecord{User: linnet.ID(r.User), App: linnet.ID(r.App), Client: linnet.AppName{Name: r.Name, Website: r.Website},
		Scopes: r.Scopes, Web: r.Web, Created: time.Unix(r.Created, 0)}, nil
}

// TokenStands tells whether a token is in force. It is named by its hash and by
// whom it belongs to: its user, or its app if it has none.
func (s *Store) TokenStands(ctx context.Context, owner linnet.ID, hash string) (bool, error) {
	get := &kv.Get{Key: hashKey(kToken, owner.Shard(), hash)}
	if err := s.kv.Read(ctx, get); err != nil {
		return false, fmt.Errorf("read token: %w", err)
	}
	return get.Version != 0, nil
}

// RevokeToken ends a token.
func (s *Store) RevokeToken(ctx context.Context, secret string, user linnet.ID) error {
	shard, hash, ok := splitSecret(secret)
	if !ok {
		return nil
	}
	ops := []kv.Op{kv.Delete{Key: hashKey(kToken, shard, hash)}}
	if user != 0 {
		ops = append(ops, kv.Remove{Key: idKey(kSessions, user), Member: hash})
	}
	return s.kv.Apply(ctx, ops...)
}

// RevokeAll ends all tokens of a user and returns their hashes.
func (s *Store) RevokeAll(ctx context.Context, user linnet.ID) ([]string, error) {
	return s.RevokeOthers(ctx, user, "")
}

// RevokeOthers ends all tokens of a user but the one with a hash, and returns the
// hashes of those that ended.
func (s *Store) RevokeOthers(ctx context.Context, user linnet.ID, keep string) ([]string, error) {
	var hashes []string
	var above *kv.Member
	for {
		r := &kv.Range{Key: idKey(kSessions, user), Above: above, Limit: kv.MaxRange}
		if err := s.kv.Read(ctx, r); err != nil {
			return nil, fmt.Errorf("read sessions: %w", err)
		}
		var ops []kv.Op
		for _, m := range r.Members {
			if m.Member == keep {
				above = &m
				continue
			}
			hashes = append(hashes, m.Member)
			ops = append(ops, kv.Delete{Key: hashKey(kToken, user.Shard(), m.Member)},
				kv.Remove{Key: r.Key, Member: m.Member})
		}
		if len(ops) == 0 {
			return hashes, nil
		}
		if err := s.kv.Apply(ctx, ops...); err != nil {
			return nil, fmt.Errorf("end sessions: %w", err)
		}
	}
}

// CodeTTL is how long an authorization code is good (RFC 6749 section 4.1.2
// recommends at most 10 minutes).
const CodeTTL = 10 * time.Minute

// Code is an authorization code's content. It is void once its user's secrets
// have another version: a new password ends what was allowed under the old one.
type Code struct {
	User        linnet.ID
	App         linnet.ID
	RedirectURI string
	Scopes      []string
	Challenge   string
	Secret      uint64 // version of the user's secrets at the time of the approval
}

type codeJSON struct {
	User      JID      `json:"user"`
	App       JID      `json:"app"`
	Redirect  string   `json:"redirect"`
	Scopes    []string `json:"scopes"`
	Challenge string   `json:"challenge,omitempty"`
	Secret    uint64   `json:"secret,omitempty"`
}

// PutCode keeps a code under its hash in its user's shard.
func (s *Store) PutCode(ctx context.Context, secret string, c Code) error {
	shard, hash, _ := splitSecret(secret)
	return s.kv.Apply(ctx, kv.Put{Key: hashKey(kCode, shard, hash), Version: 1, TTL: CodeTTL,
		Data: encode(codeJSON{JID(c.User), JID(c.App), c.RedirectURI, c.Scopes, c.Challenge, c.Secret})})
}

// GetCode finds a code that was not used yet.
func (s *Store) GetCode(ctx context.Context, secret string) (c Code, ok bool, err error) {
	shard, hash, ok := splitSecret(secret)
	if !ok {
		return c, false, nil
	}
	get := &kv.Get{Key: hashKey(kCode, shard, hash)}
	if err := s.kv.Read(ctx, get); err != nil || get.Version == 0 {
		return c, false, err
	}
	var r codeJSON
	if err := decode(get, &r); err != nil {
		return c, false, err
	}
	return Code{linnet.ID(r.User), linnet.ID(r.App), r.Redirect, r.Scopes, r.Challenge, r.Secret}, true, nil
}

// UseCode exchanges a code for a token in one transaction, so that of many
// attempts one succeeds, and none once the user's secrets are no longer of the
// version that the code was made under. The token's secret must be of the user's
// shard.
func (s *Store) UseCode(ctx context.Context, code, token string, t TokenRecord, version uint64) (bool, error) {
	shard, hash, ok := splitSecret(code)
	if !ok {
		return false, nil
	}
	key := hashKey(kCode, shard, hash)
	return s.IssueToken(ctx, token, t, []kv.Cond{kv.Present{Key: key}, secretIs(t.User, version)}, kv.Delete{Key: key})
}

type appJSON struct {
	Name      string   `json:"name"`
	Website   string   `json:"site,omitempty"`
	Redirects []string `json:"redirects"`
	Scopes    []string `json:"scopes"`
	Secret    string   `json:"secret"` // SHA-256
	Created   int64    `json:"created"`
	Used      bool     `json:"used,omitempty"` // a token was issued; absent in records of earlier releases, which never expire
}

// UnusedAppTTL is how long an app is kept that has not been given a token yet: apps
// register before anybody logs in, and anybody can register any number of them.
const UnusedAppTTL = 7 * 24 * time.Hour

// CreateApp keeps an app in a shard for UnusedAppTTL, or for ever if KeepApp is called
// within it; its ID is drawn here.
func (s *Store) CreateApp(ctx context.Context, shard uint16, a *linnet.App, secretHash string) error {
	for range maxRaces {
		a.ID = s.NewID(shard, 0)
		failed, err := s.kv.Txn(ctx, []kv.Cond{kv.Absent(idKey(kApp, a.ID))}, kv.Put{Key: idKey(kApp, a.ID), Version: 1, TTL: UnusedAppTTL,
			Data: encode(appJSON{a.Name, a.Website, a.RedirectURIs, a.Scopes, secretHash, a.CreatedAt.Unix(), false})})
		if err != nil {
			return fmt.Errorf("write app: %w", err)
		}
		if failed < 0 {
			return nil
		}
	}
	return errRaces("id of an app", a.ID)
}

// KeepApp keeps an app for ever, since a token is to be issued to it; it reports
// false if there is none any more. Only the first call writes.
func (s *Store) KeepApp(ctx context.Context, id linnet.ID) (bool, error) {
	for range maxRaces {
		get := &kv.Get{Key: idKey(kApp, id)}
		if err := s.kv.Read(ctx, get); err != nil || get.Version == 0 {
			return false, err
		}
		var r appJSON
		if err := decode(get, &r); err != nil {
			return false, err
		}
		switch {
		case r.Used && surely(&ctx):
			continue // who gets a token counts on what another call has written
		case r.Used:
			return true, nil
		}
		r.Used = true
		failed, err := s.kv.Txn(ctx, []kv.Cond{kv.VersionIs{Key: get.Key, Version: get.Version}},
			kv.Put{Key: get.Key, Version: get.Version + 1, Data: encode(r)})
		if err != nil {
			return false, fmt.Errorf("keep app: %w", err)
		}
		if failed < 0 {
			return true, nil
		}
	}
	return false, errRaces("app", id)
}

// App finds an app and the hash of its secret.
func (s *Store) App(ctx context.Context, id linnet.ID) (a linnet.App, secretHash string, ok bool, err error) {
	get := &kv.Get{Key: idKey(kApp, id)}
	if err := s.kv.Read(ctx, get); err != nil || get.Version == 0 {
		return a, "", false, err
	}
	var r appJSON
	if err := decode(get, &r); err != nil {
		return a, "", false, err
	}
	return linnet.App{ID: id, Name: r.Name, Website: r.Website, RedirectURIs: r.Redirects, Scopes: r.Scopes,
		CreatedAt: time.Unix(r.Created, 0)}, r.Secret, true, nil
}

package sessions

import (
	"context"
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// Sessions reads a user's latest tokens, at most limit. It deletes the entries of expired tokens.
func (s *Store) Sessions(ctx context.Context, user linnet.ID, limit int) ([]record.SessionRecord, error) {
	r := &kv.Range{Key: record.IDKey(record.KindSessions, user), Desc: true, Limit: limit}
	if err := s.db.Read(ctx, r); err != nil {
		return nil, fmt.Errorf("read sessions: %w", err)
	}
	qs := make([]kv.Query, len(r.Members))
	for i, m := range r.Members {
		qs[i] = &kv.Get{Key: record.HashKey(record.KindToken, user.Shard(), m.Member)}
	}
	if len(qs) == 0 {
		return nil, nil
	}
	if err := s.db.Read(ctx, qs...); err != nil {
		return nil, fmt.Errorf("read tokens: %w", err)
	}
	var out []record.SessionRecord
	var expired []kv.Op
	for i, q := range qs {
		get := q.(*kv.Get)
		if get.Version == 0 {
			expired = append(expired, kv.Remove{Key: r.Key, Member: r.Members[i].Member}, kv.Remove{Key: record.PushesKey(user), Member: r.Members[i].Member})
			continue
		}
		t, err := record.DecodeToken(get)
		if err != nil {
			return nil, err
		}
		out = append(out, record.SessionRecord{Hash: r.Members[i].Member, TokenRecord: t})
	}
	if len(expired) > 0 {
		if err := s.db.Apply(ctx, expired...); err != nil {
			return nil, fmt.Errorf("delete expired sessions: %w", err)
		}
	}
	return out, nil
}

// RevokeSession ends a user's token by its hash. It returns false if there was none.
func (s *Store) RevokeSession(ctx context.Context, user linnet.ID, hash string) (bool, error) {
	sessions := record.IDKey(record.KindSessions, user)
	made, err := s.db.Txn(ctx, []kv.Cond{kv.HasMember{Key: sessions, Member: hash}}, endToken(user, hash)...)
	if err != nil {
		return false, fmt.Errorf("end a session: %w", err)
	}
	return made, nil
}

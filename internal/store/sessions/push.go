package sessions

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/task"
)

// Push reads the subscription of a user's session; nil if there is none.
func (s *Store) Push(ctx context.Context, user linnet.ID, session string) (*linnet.PushSubscription, error) {
	p, _, err := s.push(ctx, user, session)
	return p, err
}

func (s *Store) push(ctx context.Context, user linnet.ID, session string) (p *linnet.PushSubscription, version uint64, err error) {
	get := &kv.Get{Key: record.PushKey(user, session)}
	if err := s.db.Read(ctx, get); err != nil || get.Version == 0 {
		return nil, 0, err
	}
	p, err = record.DecodePush(get)
	return p, get.Version, err
}

// PutPush stores the push subscription of a session in place of an earlier one, with a random ID.
// It lives as long as the session's token. The oldest beyond linnet.MaxPushes are deleted. It
// returns false if the session has ended.
func (s *Store) PutPush(ctx context.Context, p *linnet.PushSubscription) (bool, error) {
	token, user := &kv.Get{Key: record.HashKey(record.KindToken, p.User.Shard(), p.Session)}, p.User
	for range db.MaxRaces {
		get, all := &kv.Get{Key: record.PushKey(user, p.Session)}, &kv.Range{Key: record.PushesKey(user), Desc: true, Limit: kv.MaxRange}
		if err := s.db.Read(ctx, token, get, all); err != nil || token.Version == 0 {
			return false, err
		}
		t, err := record.DecodeToken(token)
		if err != nil {
			return false, err
		}
		p.ID = rand.Int32N(math.MaxInt32) + 1
		put := kv.Put{Key: get.Key, Version: get.Version + 1, Data: record.EncodePush(p)}
		if t.Web {
			put.TTL = max(t.Created.Add(WebSessionTTL).Sub(s.db.Now()), time.Minute)
		}
		ops := append(dropOldest(user, p.Session, all.Members), put, kv.Add{Key: all.Key, Member: p.Session, Score: s.db.Now().UnixMilli()})
		made, err := s.db.Txn(ctx, []kv.Cond{kv.VersionIs{Key: get.Key, Version: get.Version}, db.Else(kv.Present{Key: token.Key}, db.ErrDeleted), db.Else(db.UserPresent(user), db.ErrDeleted)}, ops...)
		switch {
		case errors.Is(err, db.ErrDeleted):
			return false, nil
		case err != nil:
			return false, fmt.Errorf("write a subscription: %w", err)
		case made:
			return true, nil
		}
	}
	return false, db.TooManyRaces("subscription of", user)
}

// dropOldest returns the operations that delete the oldest subscriptions of a user, so that there
// is room for another.
func dropOldest(user linnet.ID, session string, all []kv.Member) (ops []kv.Op) {
	room := linnet.MaxPushes - 1
	for _, m := range all {
		if m.Member == session {
			continue
		}
		if room--; room < 0 && len(ops) < kv.MaxChanges/2 {
			ops = append(ops, endPush(user, m.Member)...)
		}
	}
	return ops
}

// endPush returns the operations that end the subscription of a session.
func endPush(user linnet.ID, session string) []kv.Op {
	return []kv.Op{kv.Delete{Key: record.PushKey(user, session)}, kv.Remove{Key: record.PushesKey(user), Member: session}}
}

// ChangePush changes the subscription of a session; nil if there is none.
func (s *Store) ChangePush(ctx context.Context, user linnet.ID, session string, change func(*linnet.PushSubscription)) (*linnet.PushSubscription, error) {
	for range db.MaxRaces {
		get, token := &kv.Get{Key: record.PushKey(user, session)}, &kv.Get{Key: record.HashKey(record.KindToken, user.Shard(), session)}
		if err := s.db.Read(ctx, get, token); err != nil || get.Version == 0 || token.Version == 0 {
			return nil, err
		}
		p, err := record.DecodePush(get)
		if err != nil {
			return nil, err
		}
		t, err := record.DecodeToken(token)
		if err != nil {
			return nil, err
		}
		change(p)
		put := kv.Put{Key: get.Key, Version: get.Version + 1, Data: record.EncodePush(p)}
		if t.Web {
			put.TTL = max(t.Created.Add(WebSessionTTL).Sub(s.db.Now()), time.Minute)
		}
		made, err := s.db.Txn(ctx, []kv.Cond{kv.VersionIs{Key: get.Key, Version: get.Version}}, put)
		if err != nil {
			return nil, fmt.Errorf("write a subscription: %w", err)
		}
		if made {
			return p, nil
		}
	}
	return nil, db.TooManyRaces("subscription of", user)
}

// EndPush ends the subscription of a session, if it has one.
func (s *Store) EndPush(ctx context.Context, user linnet.ID, session string) error {
	return s.db.Apply(ctx, endPush(user, session)...)
}

// EndPushAt ends the subscription of a session if it is still the one with an id.
func (s *Store) EndPushAt(ctx context.Context, p *linnet.PushSubscription) error {
	now, version, err := s.push(ctx, p.User, p.Session)
	if err != nil || now == nil || now.ID != p.ID {
		return err
	}
	_, err = s.db.Txn(ctx, []kv.Cond{kv.VersionIs{Key: record.PushKey(p.User, p.Session), Version: version}}, endPush(p.User, p.Session)...)
	return err
}

// Pushes returns the push subscriptions of a user's valid sessions. It deletes the rest, because
// browser sessions expire without a clean-up.
func (s *Store) Pushes(ctx context.Context, user linnet.ID) ([]*linnet.PushSubscription, error) {
	all := &kv.Range{Key: record.PushesKey(user), Desc: true, Limit: 2 * linnet.MaxPushes}
	if err := s.db.Read(ctx, all); err != nil {
		return nil, fmt.Errorf("read subscriptions: %w", err)
	}
	qs := make([]kv.Query, 0, 2*len(all.Members))
	for _, m := range all.Members {
		qs = append(qs, &kv.Get{Key: record.PushKey(user, m.Member)}, &kv.Get{Key: record.HashKey(record.KindToken, user.Shard(), m.Member)})
	}
	if len(qs) == 0 {
		return nil, nil
	}
	if err := s.db.Read(ctx, qs...); err != nil {
		return nil, fmt.Errorf("read subscriptions: %w", err)
	}
	var out []*linnet.PushSubscription
	var ended []kv.Op
	for i, m := range all.Members {
		get, token := qs[2*i].(*kv.Get), qs[2*i+1].(*kv.Get)
		if get.Version == 0 || token.Version == 0 {
			ended = append(ended, endPush(user, m.Member)...)
			continue
		}
		p, err := record.DecodePush(get)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	if len(ended) == 0 {
		return out, nil
	}
	if err := s.db.Apply(ctx, ended...); err != nil {
		return nil, fmt.Errorf("delete subscriptions: %w", err)
	}
	return out, nil
}

// TakeBack replaces a delayed task by others of its shard, or by none. It returns false if the task
// has changed, because another server has taken it.
func (s *Store) TakeBack(ctx context.Context, shard uint16, id string, due time.Time, next ...kv.Op) (bool, error) {
	held := kv.ScoreIs{Key: task.LaterKey(shard), Member: id, Score: due.UnixMilli()}
	return s.db.Txn(ctx, []kv.Cond{held}, append(task.Recall(shard, id), next...)...)
}

// Leave writes a delayed task. It can run more than once.
func (s *Store) Leave(ctx context.Context, t task.Task) error { return s.db.Apply(ctx, t.Ops()...) }

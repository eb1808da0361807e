package store

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// A group is a user: to be its member is to follow it. What it has beside is who
// runs it and who is invited, which it relates to, so that both lie in its shard;
// and each user knows the groups among those followed, in one small set that is
// read whole.

// joined is the change of a user's set of groups that goes with a follow; nil if
// none does.
func (c *EdgeChange) joined(w *wish, version int64) kv.Op {
	switch {
	case w.kind != record.Follows():
		return nil
	case !w.live:
		return kv.Remove{Key: record.JoinedKey(c.Owner), Member: c.Other.String()}
	case c.Joins:
		return kv.Add{Key: record.JoinedKey(c.Owner), Member: c.Other.String(), Score: version}
	}
	return nil
}

// Related is the condition, in the owner's shard, that a relation is in force.
func Related(k record.EdgeKind, owner, other linnet.ID) kv.Cond {
	return kv.HasMember{Key: k.OwnedKey(owner), Member: other.String()}
}

// Unrelated is the condition, in the owner's shard, that a relation is not in
// force.
func Unrelated(k record.EdgeKind, owner, other linnet.ID) kv.Cond {
	return kv.NoMember{Key: k.OwnedKey(owner), Member: other.String()}
}

// RelatedBy is the condition, in the other side's shard, that it has heard of a
// relation.
func RelatedBy(k record.EdgeKind, owner, other linnet.ID) kv.Cond {
	return kv.HasMember{Key: k.CopyKey(other), Member: owner.String()}
}

// NeverEnded is the condition, in the owner's shard, that a relation was not ended
// lately: of what is begun once, however late and often a task runs.
func NeverEnded(k record.EdgeKind, owner, other linnet.ID) kv.Cond {
	return kv.NoMember{Key: record.IDKey(k.Owned+".gone", owner), Member: other.String()}
}

// Joined reads the groups that a user is in, the first one joined first.
func (s *Store) Joined(ctx context.Context, user linnet.ID) ([]linnet.ID, error) {
	return s.All(ctx, record.JoinedKey(user), kv.MaxRange)
}

// MembersSince reads the next of those who have been members of a group since a
// time (Unix milliseconds) or longer, after a position; more says that there may
// be others.
func (s *Store) MembersSince(ctx context.Context, group linnet.ID, at int64, from kv.Member, limit int) (ids []linnet.ID, next kv.Member, more bool, err error) {
	r := &kv.Range{Key: record.Follows().CopyKey(group), Below: &kv.Member{Score: at + 1}, Limit: limit}
	if from.Member != "" {
		r.Above = &from
	}
	if err := s.kv.Read(ctx, r); err != nil {
		return nil, from, false, fmt.Errorf("walk members: %w", err)
	}
	for _, m := range r.Members {
		id, _ := record.SplitEntry(m.Member)
		ids, from = append(ids, id), m
	}
	return ids, from, len(ids) == limit, nil
}

// AskJoined asks for the groups that the reader is in.
func (r *Reader) AskJoined() {
	if r != nil && r.groups() == nil {
		r.joined = true
	}
}

// InSince is since when (Unix milliseconds) the reader is in a group, after
// AskJoined and Run; ok is false for outsiders.
func (r *Reader) InSince(group linnet.ID) (since int64, ok bool) {
	if r == nil {
		return 0, false
	}
	since, ok = r.groups()[group]
	return since, ok
}

func (r *Reader) groups() map[linnet.ID]int64 {
	if g := r.own.groups(); g != nil {
		return g
	}
	return r.cached.groups()
}

func (m *marks) groups() map[linnet.ID]int64 {
	if m == nil {
		return nil
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.joined
}

// readJoined adds the question of AskJoined to the batch.
func (r *Reader) readJoined(found *marks) {
	q := &kv.Range{Key: record.JoinedKey(r.id), Limit: kv.MaxRange}
	r.b.ask(q, func() error {
		found.joined = make(map[linnet.ID]int64, len(q.Members))
		for _, m := range q.Members {
			id, _ := record.SplitEntry(m.Member)
			found.joined[id] = m.Score
		}
		return nil
	})
}

// Withdraw marks a status as taken out of its group. It may be repeated, and does
// nothing if there is no such status.
func (s *Store) Withdraw(ctx context.Context, id linnet.ID) error {
	for range maxRaces {
		get := &kv.Get{Key: record.StatusKey(id)}
		if err := s.kv.Read(kv.Durable(ctx), get); err != nil || get.Version == 0 {
			return err
		}
		st, err := record.DecodeStatus(id, get)
		if err != nil || st.Withdrawn {
			return err
		}
		st.Withdrawn = true
		failed, err := s.kv.Txn(ctx, []kv.Cond{kv.VersionIs{Key: get.Key, Version: get.Version}},
			kv.Put{Key: get.Key, Data: record.EncodeStatus(st), Version: get.Version + 1})
		if errors.Is(err, kv.ErrUnknown) {
			continue // the loop reads what became of it
		}
		if err != nil || failed < 0 {
			return err
		}
	}
	return errRaces("status", id)
}

// TalkID is the id of the conversation that a user has in a chat. It follows from
// the two, as that of others follows from their people.
func TalkID(owner, chat linnet.ID) linnet.ID {
	h := sha256.Sum256(fmt.Appendf(nil, "chat.%d.%d", owner, chat))
	return linnet.ID(max(binary.BigEndian.Uint64(h[:])>>1, 1))
}

// ChatNotice is the notification by which a member hears of a status in a chat: one
// of a mention, as clients know it for direct messages. It follows from the two.
func ChatNotice(user linnet.ID, st *linnet.Status) linnet.Notification {
	n := WatchNotice(user, st)
	n.Type = linnet.NotifyMention
	return n
}

// NotifyMember gives a member of a chat its ChatNotice of a status, for as long as
// they are in it. It reports false, and may be repeated, if they have it already.
func (s *Store) NotifyMember(ctx context.Context, st *linnet.Status, user linnet.ID) (bool, error) {
	n := ChatNotice(user, st)
	failed, err := s.kv.Txn(ctx, []kv.Cond{kv.NoMember{Key: record.NoticesKey(user), Member: record.NoticeMember(n)},
		Related(record.Follows(), user, st.Group), UserPresent(user)}, s.NoticeOps(user, n)...)
	return err == nil && failed < 0, err
}

// UnnotifyMembers takes the ChatNotice of a status from some members.
func (s *Store) UnnotifyMembers(ctx context.Context, st *linnet.Status, users []linnet.ID) error {
	ops := make([]kv.Op, len(users))
	for i, u := range users {
		ops[i] = kv.Remove{Key: record.NoticesKey(u), Member: record.NoticeMember(ChatNotice(u, st))}
	}
	return s.kv.Apply(ctx, ops...)
}

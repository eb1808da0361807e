package db

import (
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

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

package db

import (
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// AskMemberships reads the groups that the reader is in.
func (r *Reader) AskMemberships() {
	if r != nil && r.groups() == nil {
		r.memberships = true
	}
}

// InSince returns when the reader joined a group (Unix milliseconds), after AskMemberships and Run.
// ok is false for non-members.
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

func (m *viewerStates) groups() map[linnet.ID]int64 {
	if m == nil {
		return nil
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.memberships
}

// readMemberships adds the read of AskMemberships to the batch.
func (r *Reader) readMemberships(found *viewerStates) {
	q := &kv.Range{Key: record.MembershipsKey(r.id), Limit: kv.MaxRange}
	r.b.ask(q, func() error {
		found.memberships = make(map[linnet.ID]int64, len(q.Members))
		for _, m := range q.Members {
			id, _ := record.SplitEntry(m.Member)
			found.memberships[id] = m.Score
		}
		return nil
	})
}

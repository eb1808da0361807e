package db

import (
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// AskJoined reads the groups that the reader is in.
func (r *Reader) AskJoined() {
	if r != nil && r.groups() == nil {
		r.joined = true
	}
}

// InSince returns when the reader joined a group (Unix milliseconds), after AskJoined and Run. ok
// is false for outsiders.
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
	return m.joined
}

// readJoined adds the read of AskJoined to the batch.
func (r *Reader) readJoined(found *viewerStates) {
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

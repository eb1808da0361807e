package db

import (
	"slices"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// NoticesMuted reads whether notifications from an account, or about a thread, are suppressed for a
// user. This is so if one of the two blocks the other, or if the user mutes the account's
// notifications or the thread that begins with root (0: none). It takes one query, or none if the
// user's relationship flags are cached. The result is filled by Run.
func (b *Batch) NoticesMuted(user, from, root linnet.ID) *bool {
	muted := new(bool)
	now := b.s.Now()
	if c := b.s.cache; c.alive.Load() {
		m, _ := c.readers.Get(user)
		if set := m.known(); set != nil && set.whole {
			*muted = set.To(from, now).muted() || root != 0 && set.of[root]&stateMutesThread != 0
			return muted
		}
	}
	q := &kv.Scores{Key: record.RelationshipsKey(user), Members: []string{record.Mutes.Member(from), record.Blocking.Member(from), record.BlockedBy.Member(from)}}
	if root != 0 {
		q.Members = append(q.Members, record.MutesThread.Member(root))
	}
	b.ask(q, func() error {
		for i, found := range q.Found {
			if !found {
				continue
			}
			_, mark := FlagStates(kv.Member{Score: q.Values[i], Member: q.Members[i]})
			*muted = *muted || mark.at(now).muted() || mark&stateMutesThread != 0
		}
		return nil
	})
	return muted
}

// muted reports whether a relationship flag suppresses an account's notifications.
func (m ViewerState) muted() bool { return m.Blocked() || m.MutesNotices() }

// AskRelationships reads all relationship flags of the reader, unless they are known. It saves a
// round trip for callers that read threads later.
func (r *Reader) AskRelationships() {
	if r != nil && r.known() == nil {
		r.relationships = true
	}
}

// AskThread reads whether the reader has muted the thread that begins with root.
func (r *Reader) AskThread(root linnet.ID) {
	if r == nil {
		return
	}
	set := r.known()
	if (set == nil || !set.whole && !r.Person(root).Known()) && !slices.Contains(r.threads, root) {
		r.threads = append(r.threads, root)
	}
}

// MutesThread reports whether the reader has muted a thread, after AskThread and Run.
func (r *Reader) MutesThread(root linnet.ID) bool {
	if r == nil {
		return false
	}
	if set := r.known(); set != nil && set.whole {
		return set.of[root]&stateMutesThread != 0
	}
	return r.Person(root)&stateMutesThread != 0
}

// askThreads reads threads one by one if there are too many relationship flags to be read
// completely. askPeople has read the flags if they were not known. The results are among the states
// of accounts, because ids are unique.
func (r *Reader) askThreads(found *viewerStates, threads []linnet.ID) {
	if len(threads) == 0 {
		return
	}
	set := r.known()
	if set == nil {
		r.b.after = append(r.b.after, func() error {
			if !found.relationships.whole {
				r.threads = append(r.threads, threads...)
			}
			return nil
		})
		return
	}
	if set.whole {
		return
	}
	for part := range slices.Chunk(threads, kv.MaxRange) {
		q := &kv.Scores{Key: record.RelationshipsKey(r.id)}
		for _, root := range part {
			q.Members = append(q.Members, record.MutesThread.Member(root))
		}
		r.b.ask(q, func() error {
			for i, root := range part {
				if found.people[root] |= stateKnown; q.Found[i] {
					found.people[root] |= stateMutesThread
				}
			}
			return nil
		})
	}
}

package db

import (
	"slices"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// NoticesMuted asks whether a user wants to be told of nothing that somebody does, or of
// nothing in a thread: because one of the two blocks the other, the user mutes the
// person with their notifications, or has muted the thread that begins with root
// (0: none). It takes one question, or none if the user's relationship flags are cached. The
// answer stands there after Run.
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

// muted reports whether a relationship flag keeps a person's notifications out.
func (m ViewerState) muted() bool { return m.Blocked() || m.MutesNotices() }

// AskRelationships asks for all relationship flags of the reader, unless they are known: where
// threads will be asked about, so that this takes no round trip of its own.
func (r *Reader) AskRelationships() {
	if r != nil && r.known() == nil {
		r.relationships = true
	}
}

// AskThread asks whether the reader has muted the thread that begins with root.
func (r *Reader) AskThread(root linnet.ID) {
	if r == nil {
		return
	}
	set := r.known()
	if (set == nil || !set.whole && !r.Person(root).Known()) && !slices.Contains(r.threads, root) {
		r.threads = append(r.threads, root)
	}
}

// MutesThread reports whether the reader has muted a thread; after Run those
// asked for are known.
func (r *Reader) MutesThread(root linnet.ID) bool {
	if r == nil {
		return false
	}
	if set := r.known(); set != nil && set.whole {
		return set.of[root]&stateMutesThread != 0
	}
	return r.Person(root)&stateMutesThread != 0
}

// askThreads asks about threads by name, if the relationship flags are too many to be read
// whole; askPeople has asked for those, if they were not known. The answers stand
// among the states of people: ids are of one kind only.
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

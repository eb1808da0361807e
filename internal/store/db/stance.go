package db

import (
	"slices"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// muteMarks reads the score of a mute.
func muteMarks(score int64) Marks {
	m := Marks(score>>1) << markEnds
	if score&1 != 0 {
		m |= markMutesNotices
	}
	return m
}

// stanceMark is the mark that stands for a stance.
func stanceMark(c record.Stance) Marks {
	switch c {
	case record.HidesReposts:
		return markHidesReposts
	case record.MutesThread:
		return markMutesThread
	case record.Mutes:
		return markMutes
	case record.Blocking:
		return markBlocks
	case record.BlockedBy:
		return markBlockedBy
	case record.Narrowed:
		return markNarrowed
	}
	return 0
}

// StanceOp is the change that takes or gives up a stance, for a transaction in
// the user's shard.
func StanceOp(user, other linnet.ID, c record.Stance, on bool) kv.Op {
	if on {
		return kv.Add{Key: record.StanceKey(user), Member: c.Member(other)}
	}
	return kv.Remove{Key: record.StanceKey(user), Member: c.Member(other)}
}

// Stands is the condition that a user has a stance to somebody.
func Stands(user, other linnet.ID, c record.Stance) kv.Cond {
	return kv.HasMember{Key: record.StanceKey(user), Member: c.Member(other)}
}

// Unbarred are the conditions that of a user and somebody neither blocks the
// other, for a transaction in the user's shard.
func Unbarred(user, other linnet.ID) []kv.Cond {
	return []kv.Cond{kv.NoMember{Key: record.StanceKey(user), Member: record.Blocking.Member(other)},
		kv.NoMember{Key: record.StanceKey(user), Member: record.BlockedBy.Member(other)}}
}

// StanceMarks reads a member of the set.
func StanceMarks(m kv.Member) (linnet.ID, Marks) {
	id, kind := record.SplitEntry(m.Member)
	if id != 0 && len(record.LanguagesIn(kind)) > 0 {
		return id, markNarrowed
	}
	if id == 0 || len(kind) != 1 || record.Stance(kind[0]) == record.Narrowed {
		return 0, 0
	}
	mark := stanceMark(record.Stance(kind[0]))
	if mark == markMutes {
		mark |= muteMarks(m.Score)
	}
	return id, mark
}

// stanceMost is how many stances are read whole and remembered. Who has more is
// asked about person by person.
const stanceMost = 256

// Stances are what is known of all stances of a user, as read at one time. They
// are shared and never changed.
type Stances struct {
	whole     bool // of holds all; else there are more than stanceMost
	of        map[linnet.ID]Marks
	languages languages
}

// Whole reports whether these are all.
func (s *Stances) Whole() bool { return s.whole }

// None reports whether the user has no stance to anybody.
func (s *Stances) None() bool { return s.whole && len(s.of) == 0 }

// To are the stances to somebody at a time, if these are all.
func (s *Stances) To(id linnet.ID, at time.Time) Marks { return s.of[id].at(at) }

// Stances asks for all stances of a user. The answer stands there after Run.
func (b *Batch) Stances(user linnet.ID) *Stances {
	set := &Stances{}
	r := &kv.Range{Key: record.StanceKey(user), Limit: stanceMost + 1}
	b.ask(r, func() error {
		if set.whole = len(r.Members) <= stanceMost; !set.whole || len(r.Members) == 0 {
			return nil
		}
		set.of = make(map[linnet.ID]Marks, len(r.Members))
		for _, m := range r.Members {
			id, mark := StanceMarks(m)
			set.of[id] |= mark
			if mark&markNarrowed != 0 {
				set.languages.add(m.Member)
			}
		}
		return nil
	})
	return set
}

// askStances asks for a user's stances to some people, and adds them to their
// marks.
func (b *Batch) askStances(user linnet.ID, people []linnet.ID, found *marks) {
	marks := found.people
	if len(people) > 0 {
		b.askLanguages(user, people, found)
	}
	for part := range slices.Chunk(people, kv.MaxRange/len(record.StanceLetters)) {
		q := &kv.Scores{Key: record.StanceKey(user)}
		for _, id := range part {
			for i := range len(record.StanceLetters) {
				q.Members = append(q.Members, record.Stance(record.StanceLetters[i]).Member(id))
			}
		}
		b.ask(q, func() error {
			for i, found := range q.Found {
				if found {
					id, mark := StanceMarks(kv.Member{Score: q.Values[i], Member: q.Members[i]})
					marks[id] |= mark
				}
			}
			return nil
		})
	}
}

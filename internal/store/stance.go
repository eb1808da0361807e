package store

import (
	"context"
	"fmt"
	"slices"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// Stance is one thing on which a user's view of a person depends, besides a
// follow. All of a user's lie in one small set, a member for each person and
// kind, so that a page asks one question for all of them and each is changed by
// a change without conditions.
type Stance byte

// The stances. Their letters lie in stores.
const (
	HidesReposts Stance = 'r' // the person's reposts are not wanted at home
	MutesThread  Stance = 't' // towards the first status of a thread: see mutethread.go
	Mutes        Stance = 'm' // the person is muted, see muteScore
	Blocking     Stance = 'b' // the user blocks the person
	BlockedBy    Stance = 'x' // the person blocks the user
	Narrowed     Stance = 'l' // only what they write in some languages is wanted at home: see followlang.go
)

// stances are the letters of all towards people.
const stances = "rmbx"

func stanceKey(user linnet.ID) kv.Key { return idKey(kUserStances, user) }

func (c Stance) member(other linnet.ID) string { return other.String() + string(c) }

// stanceMark is the mark that stands for a stance.
func stanceMark(c Stance) Marks {
	switch c {
	case HidesReposts:
		return markHidesReposts
	case MutesThread:
		return markMutesThread
	case Mutes:
		return markMutes
	case Blocking:
		return markBlocks
	case BlockedBy:
		return markBlockedBy
	case Narrowed:
		return markNarrowed
	}
	return 0
}

// SetStance takes or gives up a stance.
func (s *Store) SetStance(ctx context.Context, user, other linnet.ID, c Stance, on bool) error {
	if err := s.kv.Apply(ctx, StanceOp(user, other, c, on)); err != nil {
		return fmt.Errorf("write stance: %w", err)
	}
	return nil
}

// StanceOp is the change that takes or gives up a stance, for a transaction in
// the user's shard.
func StanceOp(user, other linnet.ID, c Stance, on bool) kv.Op {
	if on {
		return kv.Add{Key: stanceKey(user), Member: c.member(other)}
	}
	return kv.Remove{Key: stanceKey(user), Member: c.member(other)}
}

// Stands is the condition that a user has a stance to somebody.
func Stands(user, other linnet.ID, c Stance) kv.Cond {
	return kv.HasMember{Key: stanceKey(user), Member: c.member(other)}
}

// Unbarred are the conditions that of a user and somebody neither blocks the
// other, for a transaction in the user's shard.
func Unbarred(user, other linnet.ID) []kv.Cond {
	return []kv.Cond{kv.NoMember{Key: stanceKey(user), Member: Blocking.member(other)},
		kv.NoMember{Key: stanceKey(user), Member: BlockedBy.member(other)}}
}

// stanceMarks reads a member of the set.
func stanceMarks(m kv.Member) (linnet.ID, Marks) {
	id, kind := splitEntry(m.Member)
	if id != 0 && len(languagesIn(kind)) > 0 {
		return id, markNarrowed
	}
	if id == 0 || len(kind) != 1 || Stance(kind[0]) == Narrowed {
		return 0, 0
	}
	mark := stanceMark(Stance(kind[0]))
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
	r := &kv.Range{Key: stanceKey(user), Limit: stanceMost + 1}
	b.ask(r, func() error {
		if set.whole = len(r.Members) <= stanceMost; !set.whole || len(r.Members) == 0 {
			return nil
		}
		set.of = make(map[linnet.ID]Marks, len(r.Members))
		for _, m := range r.Members {
			id, mark := stanceMarks(m)
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
	for part := range slices.Chunk(people, kv.MaxRange/len(stances)) {
		q := &kv.Scores{Key: stanceKey(user)}
		for _, id := range part {
			for i := range len(stances) {
				q.Members = append(q.Members, Stance(stances[i]).member(id))
			}
		}
		b.ask(q, func() error {
			for i, found := range q.Found {
				if found {
					id, mark := stanceMarks(kv.Member{Score: q.Values[i], Member: q.Members[i]})
					marks[id] |= mark
				}
			}
			return nil
		})
	}
}

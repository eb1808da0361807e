package db

import (
	"slices"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// muteMarks returns the state for the score of a mute.
func muteMarks(score int64) ViewerState {
	m := ViewerState(score>>1) << stateEnds
	if score&1 != 0 {
		m |= stateMutesNotices
	}
	return m
}

// flagState returns the state of a relationship flag.
func flagState(c record.RelationshipFlag) ViewerState {
	switch c {
	case record.HidesReposts:
		return stateHidesReposts
	case record.MutesThread:
		return stateMutesThread
	case record.Mutes:
		return stateMutes
	case record.Blocking:
		return stateBlocks
	case record.BlockedBy:
		return stateBlockedBy
	case record.Narrowed:
		return stateNarrowed
	}
	return 0
}

// RelationshipOp returns the change that sets or clears a relationship flag, for a transaction in
// the user's shard.
func RelationshipOp(user, other linnet.ID, c record.RelationshipFlag, on bool) kv.Op {
	if on {
		return kv.Add{Key: record.RelationshipsKey(user), Member: c.Member(other)}
	}
	return kv.Remove{Key: record.RelationshipsKey(user), Member: c.Member(other)}
}

// HasFlag is the condition that a user has a relationship flag for an account.
func HasFlag(user, other linnet.ID, c record.RelationshipFlag) kv.Cond {
	return kv.HasMember{Key: record.RelationshipsKey(user), Member: c.Member(other)}
}

// NoBlocks returns the conditions that neither of two users blocks the other, for a transaction in
// the user's shard.
func NoBlocks(user, other linnet.ID) []kv.Cond {
	return []kv.Cond{kv.NoMember{Key: record.RelationshipsKey(user), Member: record.Blocking.Member(other)},
		kv.NoMember{Key: record.RelationshipsKey(user), Member: record.BlockedBy.Member(other)}}
}

// FlagStates decodes a member of the set.
func FlagStates(m kv.Member) (linnet.ID, ViewerState) {
	id, kind := record.SplitEntry(m.Member)
	if id != 0 && len(record.LanguagesIn(kind)) > 0 {
		return id, stateNarrowed
	}
	if id == 0 || len(kind) != 1 || record.RelationshipFlag(kind[0]) == record.Narrowed {
		return 0, 0
	}
	mark := flagState(record.RelationshipFlag(kind[0]))
	if mark == stateMutes {
		mark |= muteMarks(m.Score)
	}
	return id, mark
}

// relationshipsMost limits the relationship flags that are read completely and cached. If a user
// has more, accounts are read one by one.
const relationshipsMost = 256

// Relationships are the known relationship flags of a user, as of one read. They are shared and
// never changed.
type Relationships struct {
	whole     bool // all flags; or more than relationshipsMost if whole is false
	of        map[linnet.ID]ViewerState
	languages languages
	tags      []string // folded followed tags, even if not whole
}

// Whole reports whether all flags are known.
func (s *Relationships) Whole() bool { return s.whole }

// None reports whether the user has no relationship flags.
func (s *Relationships) None() bool { return s.whole && len(s.of) == 0 }

// To returns the relationship flags for an account at a time, if all flags are known.
func (s *Relationships) To(id linnet.ID, at time.Time) ViewerState { return s.of[id].at(at) }

// Relationships reads all relationship flags of a user. The result is filled by Run.
func (b *Batch) Relationships(user linnet.ID) *Relationships {
	set := &Relationships{}
	r := &kv.Range{Key: record.RelationshipsKey(user), Limit: linnet.MaxFollowedTags + relationshipsMost + 1}
	b.ask(r, func() error {
		flags := r.Members
		for len(flags) > 0 { // tags come first
			tag, ok := record.FollowedTagOf(flags[0].Member)
			if !ok {
				break
			}
			set.tags, flags = append(set.tags, tag), flags[1:]
		}
		if set.whole = len(flags) <= relationshipsMost; !set.whole || len(flags) == 0 {
			return nil
		}
		set.of = make(map[linnet.ID]ViewerState, len(flags))
		for _, m := range flags {
			id, mark := FlagStates(m)
			set.of[id] |= mark
			if mark&stateNarrowed != 0 {
				set.languages.add(m.Member)
			}
		}
		return nil
	})
	return set
}

// askRelationships reads a user's relationship flags for some accounts, and adds them to their
// states.
func (b *Batch) askRelationships(user linnet.ID, people []linnet.ID, found *viewerStates) {
	states := found.people
	if len(people) > 0 {
		b.askLanguages(user, people, found)
	}
	for part := range slices.Chunk(people, kv.MaxRange/len(record.RelationshipFlags)) {
		q := &kv.Scores{Key: record.RelationshipsKey(user)}
		for _, id := range part {
			for i := range len(record.RelationshipFlags) {
				q.Members = append(q.Members, record.RelationshipFlag(record.RelationshipFlags[i]).Member(id))
			}
		}
		b.ask(q, func() error {
			for i, found := range q.Found {
				if found {
					id, state := FlagStates(kv.Member{Score: q.Values[i], Member: q.Members[i]})
					states[id] |= state
				}
			}
			return nil
		})
	}
}

package db

import (
	"slices"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// In which languages a user wants somebody's statuses at home stands among the
// relationship flags: one member, the person's id with the letter of Narrowed and each language
// behind a bar, as in 123l|de|en. So pages that need it ask for nothing more. Its
// score is below that of all other relationship flags: of a user who has too many of these to be
// read whole, those about languages are. Who has no such member is wanted in all.

// languages are those in which people are wanted; nil: nobody is narrowed.
type languages map[linnet.ID][]string

func (l *languages) set(id linnet.ID, codes []string) {
	if *l == nil {
		*l = languages{}
	}
	(*l)[id] = codes
}

// add adds what a member of the set of relationship flags says. Two that were written at the
// same time mean both.
func (l *languages) add(member string) {
	id, kind := record.SplitEntry(member)
	codes := append(slices.Clone((*l)[id]), record.LanguagesIn(kind)...)
	slices.Sort(codes)
	l.set(id, slices.Compact(codes))
}

// LanguagesQuery asks for all members of a user's about languages.
func LanguagesQuery(user linnet.ID) *kv.Range {
	return &kv.Range{Key: record.RelationshipsKey(user), Below: &kv.Member{}, Limit: kv.MaxRange}
}

// askLanguages asks about some people, for a user who has too many relationship flags to be read
// whole.
func (b *Batch) askLanguages(user linnet.ID, people []linnet.ID, found *viewerStates) {
	q := LanguagesQuery(user)
	b.ask(q, func() error {
		for _, m := range q.Members {
			if id, mark := FlagStates(m); slices.Contains(people, id) {
				found.people[id] |= mark
				found.languages.add(m.Member)
			}
		}
		return nil
	})
}

// Languages are those in which statuses of somebody are wanted, sorted, after
// AskPerson and Run; none: all. They must not be modified.
func (r *Reader) Languages(id linnet.ID) []string {
	if r == nil {
		return nil
	}
	if set := r.known(); set != nil && set.whole {
		return set.languages[id]
	}
	if codes := r.own.spoken(id); codes != nil {
		return codes
	}
	return r.cached.spoken(id)
}

func (m *viewerStates) spoken(id linnet.ID) []string {
	if m == nil {
		return nil
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.languages[id]
}

// Languages are those in which somebody is wanted, if these are all relationship flags.
func (s *Relationships) Languages(id linnet.ID) []string { return s.languages[id] }

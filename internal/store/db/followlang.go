package db

import (
	"slices"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// The languages in which a user wants an account's statuses at home are among the relationship
// flags. The member is the account's id with the letter of Narrowed and each language after a bar,
// such as 123l|de|en. So pages need no further query. Its score is below the scores of all other
// flags, so it is read even for users with too many flags to be read completely. An account without
// such a member is shown in all languages.

// languages are the selected languages by account; nil: none are restricted.
type languages map[linnet.ID][]string

func (l *languages) set(id linnet.ID, codes []string) {
	if *l == nil {
		*l = languages{}
	}
	(*l)[id] = codes
}

// add adds a member of the relationship flags. Two members written concurrently both apply.
func (l *languages) add(member string) {
	id, kind := record.SplitEntry(member)
	codes := append(slices.Clone((*l)[id]), record.LanguagesIn(kind)...)
	slices.Sort(codes)
	l.set(id, slices.Compact(codes))
}

// LanguagesQuery reads all of a user's members for languages.
func LanguagesQuery(user linnet.ID) *kv.Range {
	return &kv.Range{Key: record.RelationshipsKey(user), Below: &kv.Member{}, Limit: kv.MaxRange}
}

// askLanguages reads the languages for some accounts, if a user has too many relationship flags to
// be read completely.
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

// Languages returns the languages in which statuses of an account are shown, sorted, after
// AskPerson and Run. An empty result means all. It must not be modified.
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

// Languages returns the languages in which an account is shown, if these are all relationship
// flags.
func (s *Relationships) Languages(id linnet.ID) []string { return s.languages[id] }

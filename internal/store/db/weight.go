package db

import "linnet/internal/linnet"

// The weights are approximate memory sizes of cached values in bytes.

func userWeight(u *linnet.User) uint32 {
	n := 332 + len(u.Login) + len(u.Name) + len(u.Note) + len(u.AvatarAlt) + len(u.BannerAlt) + len(u.Feed)
	for _, f := range u.Fields {
		n += 56 + len(f.Name) + len(f.Value)
	}
	return uint32(n + 40*len(u.Mentions))
}

func statusWeight(st *linnet.Status) uint32 {
	n := 415 + len(st.Text) + len(st.Warning) + 40*len(st.Mentions) + 8*len(st.Promoters)
	n += 8 * len(st.Edits)
	for _, media := range [][]linnet.Attachment{st.Media, st.Former} {
		for i := range media {
			n += 400 + len(media[i].Description)
		}
	}
	for _, t := range st.Tags {
		n += 16 + len(t)
	}
	if st.Poll != nil {
		n += 150 + 16*len(st.Poll.Options) + len(st.Poll.Text())
	}
	return uint32(n)
}

// policyWeight is the weight of a notification policy, whose texts are constants.
const policyWeight = 200

// unreadWeight is the weight of a count.
const unreadWeight = 100

// pushedWeight is the weight of a boolean.
const pushedWeight = 100

func tokenWeight(hash string, t *cachedToken) uint32 {
	n := 250 + 2*len(hash) + len(t.Client.Name) + len(t.Client.Website) + len(t.Device) + len(t.Place)
	for _, sc := range t.Scopes {
		n += 16 + len(sc)
	}
	return uint32(n)
}

// filtersWeight returns the approximate memory size of cached filters, with the automaton that
// finds their keywords.
func filtersWeight(set *linnet.FilterSet) uint32 {
	n := 250
	for i := range set.Filters {
		f := &set.Filters[i]
		n += 200 + len(f.Title) + 64*len(f.Statuses)
		for _, k := range f.Keywords {
			n += 80 + 30*len(k.Keyword)
		}
	}
	return uint32(n)
}

// weigh returns the approximate memory size of viewer states in bytes, which the cache limits.
func (m *viewerStates) weigh() uint32 {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.weighed = m.weight()
	return m.weighed
}

func (m *viewerStates) weight() uint32 {
	n := 400 + 40*(len(m.statuses)+len(m.people)+len(m.memberships)) + 64*len(m.languages)
	if m.exclusive != nil {
		n += 24 + 8*len(*m.exclusive)
	}
	if m.relationships != nil {
		n += 64 + 40*len(m.relationships.of) + 64*len(m.relationships.languages) + 48*len(m.relationships.tags)
	}
	return uint32(n)
}

// grown reports whether the states weigh a quarter more than in the cache.
func (m *viewerStates) grown() bool {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.weight() > m.weighed+m.weighed/4
}

package db

import (
	"maps"
	"slices"
	"sync"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// mostStates limits the cached statuses and accounts of one reader.
const mostStates = 1024

// viewerStates are the cached states of one reader since the reader's last change.
type viewerStates struct {
	mu            sync.RWMutex
	statuses      map[linnet.ID]ViewerState
	untouched     linnet.ID                 // the reader has no state for later statuses; 0: unknown, see youngest
	people        map[linnet.ID]ViewerState // with their relationship flags
	exclusive     *[]linnet.ID              // lists; nil: not read
	relationships *Relationships            // nil: not read
	memberships   map[linnet.ID]int64       // groups, by the time of joining; nil: not read
	languages     languages                 // of accounts that were read one by one
	weighed       uint32                    // weight in the cache
}

// Reader reads, within a Batch, the states of statuses and accounts for a user. A nil Reader is a
// visitor without any states.
type Reader struct {
	b                *Batch
	id               linnet.ID
	cached           *viewerStates // shared with other requests; nil if there are none
	own              *viewerStates // results of this batch
	epoch            uint64
	statuses         []linnet.ID // to be read
	people           []linnet.ID
	exclusive        bool // to be read
	relationships    bool
	memberships      bool
	threads          []linnet.ID
	later            []linnet.ID // accounts to read if there are too many relationship flags
	knownStatus      linnet.ID   // a status with a state from Know; 0: none
	knownStatusState ViewerState

	filters    *linnet.FilterSet // nil if unknown or not requested
	askFilters bool              // to be read
}

func newViewerStates() *viewerStates {
	return &viewerStates{statuses: map[linnet.ID]ViewerState{}, people: map[linnet.ID]ViewerState{}}
}

// relationshipsAlone returns only the relationship flags of the states, or nil if there are none.
// They are in a separate set, and read completely.
func (m *viewerStates) relationshipsAlone() *viewerStates {
	set := m.known()
	if set == nil {
		return nil
	}
	left := newViewerStates()
	left.relationships = set
	return left
}

// withoutStatus returns the states without one status, named by its member of a set, or with ""
// without all. Copying the rest costs less than reading all visible states again.
func (m *viewerStates) withoutStatus(member string) *viewerStates {
	left := m.without(member, func(left *viewerStates) *map[linnet.ID]ViewerState { return &left.statuses })
	if id, one := linnet.ParseID(member); !one {
		left.untouched = 0
	} else if left.untouched != 0 {
		left.untouched = max(left.untouched, id)
	}
	return left
}

// withoutPerson is withoutStatus for an account.
func (m *viewerStates) withoutPerson(member string) *viewerStates {
	return m.without(member, func(left *viewerStates) *map[linnet.ID]ViewerState { return &left.people })
}

func (m *viewerStates) without(member string, in func(*viewerStates) *map[linnet.ID]ViewerState) *viewerStates {
	m.mu.RLock()
	defer m.mu.RUnlock()
	left := &viewerStates{statuses: m.statuses, untouched: m.untouched, people: m.people,
		exclusive: m.exclusive, relationships: m.relationships, memberships: m.memberships, languages: maps.Clone(m.languages)}
	id, one := linnet.ParseID(member)
	if !one {
		*in(left) = nil
	}
	left.statuses, left.people = cloned(left.statuses), cloned(left.people)
	if one {
		delete(*in(left), id)
	}
	return left
}

// cloned returns a writable copy of a map, which can be nil.
func cloned(m map[linnet.ID]ViewerState) map[linnet.ID]ViewerState {
	if m == nil {
		return map[linnet.ID]ViewerState{}
	}
	return maps.Clone(m)
}

// Reader begins reads of a user's viewer states. It returns nil for visitors.
func (b *Batch) Reader(user linnet.ID) *Reader {
	if user == 0 {
		return nil
	}
	r := &b.reader
	if r.b != nil { // it belongs to another user
		r = new(Reader)
	}
	*r = Reader{b: b, id: user, epoch: b.s.cache.epoch(user)}
	if c := b.s.cache; c.alive.Load() {
		r.cached, _ = c.readers.Get(user)
	}
	b.readers = append(b.readers, r)
	return r
}

// AskStatus reads the viewer state of a status, and returns the already known part.
func (r *Reader) AskStatus(id linnet.ID) ViewerState {
	m := r.Status(id)
	if r != nil && !m.Known() {
		r.statuses = append(r.statuses, id)
	}
	return m
}

// Know sets the viewer state of one status for this batch: whether the reader has favourited,
// boosted or bookmarked it. It is for callers that have read it in the same request.
func (r *Reader) Know(id linnet.ID, favourite, repost, bookmark bool) {
	if r == nil {
		return
	}
	m := NoViewerState
	if favourite {
		m |= stateFavourite
	}
	if repost {
		m |= stateRepost
	}
	if bookmark {
		m |= stateBookmark
	}
	r.knownStatus, r.knownStatusState = id, m
}

// AskPerson reads the relation to an account, and returns the already known part.
func (r *Reader) AskPerson(id linnet.ID) ViewerState {
	m := r.Person(id)
	if r != nil && id != 0 && !m.Known() && !slices.Contains(r.people, id) {
		r.people = append(r.people, id)
	}
	return m
}

// AskExclusive reads the reader's lists whose members are not shown at home.
func (r *Reader) AskExclusive() {
	if r != nil && r.lists() == nil {
		r.exclusive = true
	}
}

// Status returns the viewer state of a status, after AskStatus and Run.
func (r *Reader) Status(id linnet.ID) ViewerState {
	if r == nil {
		return 0
	}
	if r.knownStatus == id && id != 0 {
		return r.knownStatusState
	}
	if m := r.own.status(id); m != 0 {
		return m
	}
	return r.cached.status(id)
}

// Person returns the relation to an account, after AskPerson and Run.
func (r *Reader) Person(id linnet.ID) ViewerState {
	if r == nil {
		return 0
	}
	m := r.own.person(id)
	if m == 0 {
		m = r.cached.person(id)
	}
	if m>>stateEnds != 0 {
		return m.at(r.b.s.Now())
	}
	return m
}

// AskRelationship reads only the relationship flags for an account.
func (r *Reader) AskRelationship(id linnet.ID) {
	if r == nil || id == 0 {
		return
	}
	switch set := r.known(); {
	case set == nil:
		r.later = append(r.later, id)
	case !set.whole:
		r.AskPerson(id)
	}
}

// Relationship returns the relationship flags for an account, after AskRelationship and Run.
func (r *Reader) Relationship(id linnet.ID) ViewerState {
	if r == nil {
		return 0
	}
	if set := r.known(); set != nil && set.whole {
		return set.To(id, r.b.s.Now())
	}
	return r.Person(id)
}

// Indifferent reports whether the reader is known to have no relationship flags.
func (r *Reader) Indifferent() bool {
	if r == nil {
		return true
	}
	set := r.known()
	return set != nil && set.None()
}

// Exclusive returns the lists whose members are not shown at home, after AskExclusive and Run. They
// must not be modified.
func (r *Reader) Exclusive() []linnet.ID {
	if r == nil {
		return nil
	}
	if l := r.lists(); l != nil {
		return *l
	}
	return nil
}

func (r *Reader) lists() *[]linnet.ID {
	if l := r.own.lists(); l != nil {
		return l
	}
	return r.cached.lists()
}

func (m *viewerStates) status(id linnet.ID) ViewerState {
	if m == nil {
		return 0
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	state := m.statuses[id]
	if state == 0 && m.untouched != 0 && id > m.untouched {
		return NoViewerState
	}
	return state
}

// clocksApart is the tolerated difference of server clocks, and the maximum time by which ids run
// ahead of them.
const clocksApart = 2 * time.Second

// youngest returns an id above every existing status. A later change of the reader evicts the
// cached states. So while they are cached, the reader has no state for later statuses, and need not
// read it. These are most of the statuses that a returning reader sees.
func (s *DB) youngest() linnet.ID {
	return linnet.MakeID(s.Now().Add(clocksApart), kv.Shards-1, 63)
}

func (m *viewerStates) person(id linnet.ID) ViewerState {
	if m == nil {
		return 0
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.people[id]
}

func (m *viewerStates) lists() *[]linnet.ID {
	if m == nil {
		return nil
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.exclusive
}

func (r *Reader) known() *Relationships {
	if set := r.own.known(); set != nil {
		return set
	}
	return r.cached.known()
}

func (m *viewerStates) known() *Relationships {
	if m == nil {
		return nil
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.relationships
}

// asks reports whether any reads are requested.
func (r *Reader) asks() bool { return r.asksStates() || r.askFilters }

func (r *Reader) asksStates() bool {
	return len(r.statuses) > 0 || len(r.people) > 0 || r.exclusive || r.relationships || r.memberships || len(r.threads) > 0 || len(r.later) > 0
}

// ask adds the reads to the batch.
func (r *Reader) ask() {
	if r.askFilters {
		r.readFilters()
	}
	if !r.asksStates() {
		return
	}
	statuses, people, exclusive, later := r.statuses, r.people, r.exclusive, r.later
	r.statuses, r.people, r.exclusive, r.later = nil, nil, false, nil
	relationships, threads := r.relationships, r.threads
	r.relationships, r.threads = false, nil
	found := newViewerStates()
	if len(statuses) > 0 {
		r.put(found.statuses, record.Favourites().OwnedKey(r.id), statuses, stateKnown, stateFavourite)
		r.put(found.statuses, record.Reposts().OwnedKey(r.id), statuses, stateKnown, stateRepost)
		r.put(found.statuses, record.Bookmarks.Key(r.id), statuses, stateKnown, stateBookmark)
	}
	if len(people) > 0 || len(later) > 0 || exclusive || relationships || len(threads) > 0 {
		r.askPeople(found, people, later)
		r.askThreads(found, threads)
	}
	if r.memberships {
		r.memberships = false
		r.readMemberships(found)
	}
	if exclusive {
		found.exclusive = r.b.Exclusive(r.id)
	}
	r.b.after = append(r.b.after, func() error {
		r.learn(found)
		return nil
	})
}

// put reads which of ids are in a set. It marks all of them as read, and those in the set as
// members.
func (r *Reader) put(to map[linnet.ID]ViewerState, key kv.Key, ids []linnet.ID, all, in ViewerState) {
	m := r.b.has(key, ids)
	r.b.after = append(r.b.after, func() error {
		for i, id := range ids {
			to[id] |= all
			if m.found[i] {
				to[id] |= in
			}
		}
		return nil
	})
}

// askPeople reads the relation to some accounts. The relationship flags are read completely when
// they are first needed. If there are too many, the accounts, including later, are read one by one.
func (r *Reader) askPeople(found *viewerStates, people, later []linnet.ID) {
	set := r.known()
	if set == nil {
		found.relationships = r.b.Relationships(r.id)
	}
	if len(people) > 0 {
		r.put(found.people, record.Follows().OwnedKey(r.id), people, 0, stateFollows)
	}
	if set != nil && !set.whole {
		r.b.askRelationships(r.id, people, found)
	}
	r.b.after = append(r.b.after, func() error {
		if set == nil && !found.relationships.whole {
			r.people = append(r.people, people...)
			for _, id := range later {
				r.AskPerson(id)
			}
			return nil
		}
		if set == nil {
			set = found.relationships
		}
		for _, id := range people {
			found.people[id] |= stateKnown | set.of[id]
		}
		return nil
	})
}

// learn stores the results for this batch. If nothing has changed meanwhile, it also caches them.
func (r *Reader) learn(found *viewerStates) {
	if r.own == nil {
		r.own = found
	} else {
		r.own.add(found)
	}
	c := r.b.s.cache
	c.store(r.id, r.epoch, func() {
		if m := r.cached; m != nil && len(m.statuses)+len(m.people) < mostStates {
			m.setUntouched(r.b.s.youngest())
			if m.add(found); m.grown() {
				c.readers.Set(r.id, m)
			}
			return
		}
		fresh := newViewerStates()
		fresh.relationships = r.known()
		fresh.setUntouched(r.cached.above())
		fresh.setUntouched(r.b.s.youngest())
		fresh.add(r.own)
		c.readers.Set(r.id, fresh)
	})
}

// above returns the id above which the reader has no states, or 0 if unknown.
func (m *viewerStates) above() linnet.ID {
	if m == nil {
		return 0
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.untouched
}

// setUntouched records that the reader has no states for statuses above an id, unless a lower id is
// known.
func (m *viewerStates) setUntouched(id linnet.ID) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.untouched == 0 {
		m.untouched = id
	}
}

func (m *viewerStates) add(o *viewerStates) {
	if m == o {
		return
	}
	o.mu.RLock()
	defer o.mu.RUnlock()
	m.mu.Lock()
	defer m.mu.Unlock()
	for id, v := range o.statuses {
		m.statuses[id] = v
	}
	for id, v := range o.people {
		m.people[id] = v
	}
	for id, v := range o.languages {
		m.languages.set(id, v)
	}
	if o.exclusive != nil {
		m.exclusive = o.exclusive
	}
	if o.relationships != nil {
		m.relationships = o.relationships
	}
	if o.memberships != nil {
		m.memberships = o.memberships
	}
}

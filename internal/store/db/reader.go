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

// mostStates is how many statuses, and people, are remembered of one reader.
const mostStates = 1024

// viewerStates are what was asked of one reader since the reader last changed any of
// it.
type viewerStates struct {
	mu            sync.RWMutex
	statuses      map[linnet.ID]ViewerState
	untouched     linnet.ID                 // with statuses above it the reader has done nothing; 0: not known, see youngest
	people        map[linnet.ID]ViewerState // with the relationship flags to them
	exclusive     *[]linnet.ID              // lists; nil: not asked
	relationships *Relationships            // nil: not asked
	joined        map[linnet.ID]int64       // groups, by since when; nil: not asked
	languages     languages                 // of people who were asked about by name
	weighed       uint32                    // as the cache has it
}

// Reader asks, within a Batch, how a user stands to statuses and people. A nil
// Reader is nobody, who stands to nothing.
type Reader struct {
	b             *Batch
	id            linnet.ID
	cached        *viewerStates // shared with other requests; nil if there are none
	own           *viewerStates // answers to this batch's questions
	epoch         uint64
	statuses      []linnet.ID // to be asked
	people        []linnet.ID
	exclusive     bool // to be asked
	relationships bool
	joined        bool
	threads       []linnet.ID
	later         []linnet.ID // people to be asked about if the relationship flags turn out to be too many
	told          linnet.ID   // a status whose state the caller knows, see Know; 0: none
	toldState     ViewerState

	filters    *linnet.FilterSet // nil: not known, or not asked for
	askFilters bool              // to be asked
}

func newViewerStates() *viewerStates {
	return &viewerStates{statuses: map[linnet.ID]ViewerState{}, people: map[linnet.ID]ViewerState{}}
}

// relationshipsAlone returns the states without all that is no relationship flag; nil if that is
// nothing. Relationship flags lie elsewhere than what else changes, and are read whole.
func (m *viewerStates) relationshipsAlone() *viewerStates {
	set := m.known()
	if set == nil {
		return nil
	}
	left := newViewerStates()
	left.relationships = set
	return left
}

// withoutStatus returns the states without that of one status, named as the member
// of a set is, or "", of all: to ask again for all that somebody sees costs more than to
// copy the rest.
func (m *viewerStates) withoutStatus(member string) *viewerStates {
	left := m.without(member, func(left *viewerStates) *map[linnet.ID]ViewerState { return &left.statuses })
	if id, one := linnet.ParseID(member); !one {
		left.untouched = 0
	} else if left.untouched != 0 {
		left.untouched = max(left.untouched, id)
	}
	return left
}

// withoutPerson is withoutStatus for somebody.
func (m *viewerStates) withoutPerson(member string) *viewerStates {
	return m.without(member, func(left *viewerStates) *map[linnet.ID]ViewerState { return &left.people })
}

func (m *viewerStates) without(member string, in func(*viewerStates) *map[linnet.ID]ViewerState) *viewerStates {
	m.mu.RLock()
	defer m.mu.RUnlock()
	left := &viewerStates{statuses: m.statuses, untouched: m.untouched, people: m.people,
		exclusive: m.exclusive, relationships: m.relationships, joined: m.joined, languages: maps.Clone(m.languages)}
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

// cloned is a map of the same that may be written, where there was none too.
func cloned(m map[linnet.ID]ViewerState) map[linnet.ID]ViewerState {
	if m == nil {
		return map[linnet.ID]ViewerState{}
	}
	return maps.Clone(m)
}

// Reader begins questions about a user's viewer states; nil for nobody.
func (b *Batch) Reader(user linnet.ID) *Reader {
	if user == 0 {
		return nil
	}
	r := &b.reader
	if r.b != nil { // it is of somebody else
		r = new(Reader)
	}
	*r = Reader{b: b, id: user, epoch: b.s.cache.epoch(user)}
	if c := b.s.cache; c.alive.Load() {
		r.cached, _ = c.readers.Get(user)
	}
	b.readers = append(b.readers, r)
	return r
}

// AskStatus asks for the viewer state of a status; what is known already it returns.
func (r *Reader) AskStatus(id linnet.ID) ViewerState {
	m := r.Status(id)
	if r != nil && !m.Known() {
		r.statuses = append(r.statuses, id)
	}
	return m
}

// Know makes the viewer state of one status known to this batch alone, for who has learnt it in
// the same request: whether it is a favourite, reposted, or a bookmark of the reader's.
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
	r.told, r.toldState = id, m
}

// AskPerson asks for the relation to somebody; what is known already it returns.
func (r *Reader) AskPerson(id linnet.ID) ViewerState {
	m := r.Person(id)
	if r != nil && id != 0 && !m.Known() && !slices.Contains(r.people, id) {
		r.people = append(r.people, id)
	}
	return m
}

// AskExclusive asks for the reader's lists whose members do not stand at home.
func (r *Reader) AskExclusive() {
	if r != nil && r.lists() == nil {
		r.exclusive = true
	}
}

// Status returns the viewer state of a status; after Run those asked for are known.
func (r *Reader) Status(id linnet.ID) ViewerState {
	if r == nil {
		return 0
	}
	if r.told == id && id != 0 {
		return r.toldState
	}
	if m := r.own.status(id); m != 0 {
		return m
	}
	return r.cached.status(id)
}

// Person returns the relation to somebody; after Run those asked for are known.
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

// AskRelationship asks for the relationship flag to somebody, and for no more.
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

// Relationship returns the relationship flag to somebody, after AskRelationship and Run.
func (r *Reader) Relationship(id linnet.ID) ViewerState {
	if r == nil {
		return 0
	}
	if set := r.known(); set != nil && set.whole {
		return set.To(id, r.b.s.Now())
	}
	return r.Person(id)
}

// Indifferent reports whether the reader is known to have no relationship flag to anybody.
func (r *Reader) Indifferent() bool {
	if r == nil {
		return true
	}
	set := r.known()
	return set != nil && set.None()
}

// Exclusive are, after Run, the lists whose members do not stand at home, if
// they were asked for. They must not be modified.
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

// clocksApart is by how much the clocks of two servers may differ, and ids run ahead of them.
const clocksApart = 2 * time.Second

// youngest is an id above that of every status there is now. Whatever the reader does with
// a status later throws out what is kept, so that with those that are younger nothing has
// been done as long as it is kept: what has just been posted, which is nearly all that
// somebody sees who looks again, need not be asked about.
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

// asks reports whether there is anything to ask.
func (r *Reader) asks() bool { return r.asksStates() || r.askFilters }

func (r *Reader) asksStates() bool {
	return len(r.statuses) > 0 || len(r.people) > 0 || r.exclusive || r.relationships || r.joined || len(r.threads) > 0 || len(r.later) > 0
}

// ask adds the questions to the batch.
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
	if r.joined {
		r.joined = false
		r.readJoined(found)
	}
	if exclusive {
		found.exclusive = r.b.Exclusive(r.id)
	}
	r.b.after = append(r.b.after, func() error {
		r.learn(found)
		return nil
	})
}

// put asks which of ids are in a set: all get one mark, those in it another.
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

// askPeople asks for the relation to some people. The relationship flags are read whole
// when they are first needed; if they turn out to be too many, the people are
// asked about once more, by name, and so are those of later.
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

// learn keeps answers for this batch, and for later requests if nothing has
// changed since they were asked.
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

// above is the id above which the reader has done nothing; 0 if that is not known.
func (m *viewerStates) above() linnet.ID {
	if m == nil {
		return 0
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.untouched
}

// setUntouched keeps that with statuses above an id the reader has done nothing, unless
// more is known.
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
	if o.joined != nil {
		m.joined = o.joined
	}
}

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

// Marks are what is known about a reader's relation to a status or a person.
type Marks uint64

const (
	markKnown Marks = 1 << iota
	markFavourite
	markRepost
	markBookmark
	markFollows
	markHidesReposts
	markMutesThread
	markMutes
	markMutesNotices
	markBlocks
	markBlockedBy
	markNarrowed

	markEnds = 16 // bits from here on: when the mute ends, Unix milliseconds; 0: never
)

// Known reports whether the relation is known at all.
func (m Marks) Known() bool { return m&markKnown != 0 }

// Favourite reports whether the status is a favourite of the reader.
func (m Marks) Favourite() bool { return m&markFavourite != 0 }

// Repost reports whether the reader has reposted the status.
func (m Marks) Repost() bool { return m&markRepost != 0 }

// Bookmark reports whether the reader keeps the status.
func (m Marks) Bookmark() bool { return m&markBookmark != 0 }

// Follows reports whether the reader follows the person.
func (m Marks) Follows() bool { return m&markFollows != 0 }

// HidesReposts reports whether the reader does not want the person's reposts.
func (m Marks) HidesReposts() bool { return m&markHidesReposts != 0 }

// Narrowed reports whether the reader wants of the person only what is written in some
// languages, see Languages.
func (m Marks) Narrowed() bool { return m&markNarrowed != 0 }

// Mutes reports whether the reader mutes the person.
func (m Marks) Mutes() bool { return m&markMutes != 0 }

// MutesNotices reports whether the reader mutes the person's notifications too.
func (m Marks) MutesNotices() bool { return m&markMutesNotices != 0 }

// MuteEnds is when the mute ends; zero if there is none, or no end.
func (m Marks) MuteEnds() time.Time {
	if m>>markEnds == 0 {
		return time.Time{}
	}
	return time.UnixMilli(int64(m >> markEnds))
}

// Blocks reports whether the reader blocks the person.
func (m Marks) Blocks() bool { return m&markBlocks != 0 }

// BlockedBy reports whether the person blocks the reader.
func (m Marks) BlockedBy() bool { return m&markBlockedBy != 0 }

// Barred reports whether one of the two blocks the other.
func (m Marks) Barred() bool { return m&(markBlocks|markBlockedBy) != 0 }

// at is what is left of marks at a time: a mute may have ended.
func (m Marks) at(now time.Time) Marks {
	if ends := m >> markEnds; ends != 0 && now.UnixMilli() >= int64(ends) {
		return m & (1<<markEnds - 1) &^ (markMutes | markMutesNotices)
	}
	return m
}

// NoMarks are those of a status with which the reader has done nothing.
const NoMarks = markKnown

// mostMarks is how many statuses, and people, are remembered of one reader.
const mostMarks = 1024

// marks are what was asked of one reader since the reader last changed any of
// it.
type marks struct {
	mu        sync.RWMutex
	statuses  map[linnet.ID]Marks
	people    map[linnet.ID]Marks // with the stances to them
	exclusive *[]linnet.ID        // lists; nil: not asked
	stances   *Stances            // nil: not asked
	joined    map[linnet.ID]int64 // groups, by since when; nil: not asked
	languages languages           // of people who were asked about by name
	weighed   uint32              // as the cache has it
}

// Reader asks, within a Batch, how a user stands to statuses and people. A nil
// Reader is nobody, who stands to nothing.
type Reader struct {
	b         *Batch
	id        linnet.ID
	cached    *marks // shared with other requests; nil if there are none
	own       *marks // answers to this batch's questions
	epoch     uint64
	statuses  []linnet.ID // to be asked
	people    []linnet.ID
	exclusive bool // to be asked
	stances   bool
	joined    bool
	threads   []linnet.ID
	later     []linnet.ID // people to be asked about if the stances turn out to be too many

	filters    *linnet.FilterSet // nil: not known, or not asked for
	askFilters bool              // to be asked
}

func newMarks() *marks {
	return &marks{statuses: map[linnet.ID]Marks{}, people: map[linnet.ID]Marks{}}
}

// stancesAlone returns the marks without all that is no stance; nil if that is
// nothing. Stances lie elsewhere than what else changes, and are read whole.
func (m *marks) stancesAlone() *marks {
	set := m.known()
	if set == nil {
		return nil
	}
	left := newMarks()
	left.stances = set
	return left
}

// withoutStatus returns the marks without those of one status, named as the member
// of a set is: to ask again for all that somebody sees costs more than to copy them.
func (m *marks) withoutStatus(member string) *marks {
	return m.without(member, func(left *marks) map[linnet.ID]Marks { return left.statuses })
}

// withoutPerson is withoutStatus for somebody.
func (m *marks) withoutPerson(member string) *marks {
	return m.without(member, func(left *marks) map[linnet.ID]Marks { return left.people })
}

func (m *marks) without(member string, in func(*marks) map[linnet.ID]Marks) *marks {
	id, ok := linnet.ParseID(member)
	if !ok {
		return m.stancesAlone()
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	left := &marks{statuses: maps.Clone(m.statuses), people: maps.Clone(m.people),
		exclusive: m.exclusive, stances: m.stances, joined: m.joined, languages: maps.Clone(m.languages)}
	delete(in(left), id)
	return left
}

// Reader begins questions about a user's marks; nil for nobody.
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
		r.cached, _ = c.readers.GetIfPresent(user)
	}
	b.readers = append(b.readers, r)
	return r
}

// AskStatus asks for the marks of a status; what is known already it returns.
func (r *Reader) AskStatus(id linnet.ID) Marks {
	m := r.Status(id)
	if r != nil && !m.Known() {
		r.statuses = append(r.statuses, id)
	}
	return m
}

// AskPerson asks for the relation to somebody; what is known already it returns.
func (r *Reader) AskPerson(id linnet.ID) Marks {
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

// Status returns the marks of a status; after Run those asked for are known.
func (r *Reader) Status(id linnet.ID) Marks {
	if r == nil {
		return 0
	}
	if m := r.own.status(id); m != 0 {
		return m
	}
	return r.cached.status(id)
}

// Person returns the relation to somebody; after Run those asked for are known.
func (r *Reader) Person(id linnet.ID) Marks {
	if r == nil {
		return 0
	}
	m := r.own.person(id)
	if m == 0 {
		m = r.cached.person(id)
	}
	if m>>markEnds != 0 {
		return m.at(r.b.s.Now())
	}
	return m
}

// AskStance asks for the stance to somebody, and for no more.
func (r *Reader) AskStance(id linnet.ID) {
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

// Stance returns the stance to somebody, after AskStance and Run.
func (r *Reader) Stance(id linnet.ID) Marks {
	if r == nil {
		return 0
	}
	if set := r.known(); set != nil && set.whole {
		return set.To(id, r.b.s.Now())
	}
	return r.Person(id)
}

// Indifferent reports whether the reader is known to have no stance to anybody.
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

func (m *marks) status(id linnet.ID) Marks {
	if m == nil {
		return 0
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.statuses[id]
}

func (m *marks) person(id linnet.ID) Marks {
	if m == nil {
		return 0
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.people[id]
}

func (m *marks) lists() *[]linnet.ID {
	if m == nil {
		return nil
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.exclusive
}

func (r *Reader) known() *Stances {
	if set := r.own.known(); set != nil {
		return set
	}
	return r.cached.known()
}

func (m *marks) known() *Stances {
	if m == nil {
		return nil
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.stances
}

// asks reports whether there is anything to ask.
func (r *Reader) asks() bool { return r.asksMarks() || r.askFilters }

func (r *Reader) asksMarks() bool {
	return len(r.statuses) > 0 || len(r.people) > 0 || r.exclusive || r.stances || r.joined || len(r.threads) > 0 || len(r.later) > 0
}

// ask adds the questions to the batch.
func (r *Reader) ask() {
	if r.askFilters {
		r.readFilters()
	}
	if !r.asksMarks() {
		return
	}
	statuses, people, exclusive, later := r.statuses, r.people, r.exclusive, r.later
	r.statuses, r.people, r.exclusive, r.later = nil, nil, false, nil
	stances, threads := r.stances, r.threads
	r.stances, r.threads = false, nil
	found := newMarks()
	if len(statuses) > 0 {
		r.put(found.statuses, record.Favourites().OwnedKey(r.id), statuses, markKnown, markFavourite)
		r.put(found.statuses, record.Reposts().OwnedKey(r.id), statuses, markKnown, markRepost)
		r.put(found.statuses, record.Bookmarks.Key(r.id), statuses, markKnown, markBookmark)
	}
	if len(people) > 0 || len(later) > 0 || exclusive || stances || len(threads) > 0 {
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
func (r *Reader) put(to map[linnet.ID]Marks, key kv.Key, ids []linnet.ID, all, in Marks) {
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

// askPeople asks for the relation to some people. The stances are read whole
// when they are first needed; if they turn out to be too many, the people are
// asked about once more, by name, and so are those of later.
func (r *Reader) askPeople(found *marks, people, later []linnet.ID) {
	set := r.known()
	if set == nil {
		found.stances = r.b.Stances(r.id)
	}
	if len(people) > 0 {
		r.put(found.people, record.Follows().OwnedKey(r.id), people, 0, markFollows)
	}
	if set != nil && !set.whole {
		r.b.askStances(r.id, people, found)
	}
	r.b.after = append(r.b.after, func() error {
		if set == nil && !found.stances.whole {
			r.people = append(r.people, people...)
			for _, id := range later {
				r.AskPerson(id)
			}
			return nil
		}
		if set == nil {
			set = found.stances
		}
		for _, id := range people {
			found.people[id] |= markKnown | set.of[id]
		}
		return nil
	})
}

// learn keeps answers for this batch, and for later requests if nothing has
// changed since they were asked.
func (r *Reader) learn(found *marks) {
	if r.own == nil {
		r.own = found
	} else {
		r.own.add(found)
	}
	c := r.b.s.cache
	c.store(r.id, r.epoch, func() {
		if m := r.cached; m != nil && len(m.statuses)+len(m.people) < mostMarks {
			if m.add(found); m.grown() {
				c.readers.Set(r.id, m)
			}
			return
		}
		fresh := newMarks()
		fresh.stances = r.known()
		fresh.add(r.own)
		c.readers.Set(r.id, fresh)
	})
}

func (m *marks) add(o *marks) {
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
	if o.stances != nil {
		m.stances = o.stances
	}
	if o.joined != nil {
		m.joined = o.joined
	}
}

package rediskv

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/rueidis"

	"linnet/internal/kv"
)

const (
	// mirrorParts is how many locks the mirror has.
	mirrorParts = 64
	// mirrorAge is how long a feed is answered from memory before the server is
	// asked again, changed or not: it lets the feed live on there.
	mirrorAge = 10 * time.Second
	// mirrorEntry is about what a feed takes besides its ids: key, map, times.
	mirrorEntry = 250
)

// mirror keeps the newest ids of feeds that were read lately, so that a page of
// one that has not changed costs no round trip. The feeds are read over a
// connection a node of which the server notes what it reads, and over which it
// tells of the next change of that (client tracking in its default mode, OPTOUT: one
// message for each change of a feed that somebody reads here, none for others).
//
// What this process writes is forgotten before the write returns. A reader leaves
// an empty entry before it asks and fills it in only if that entry still stands:
// whoever hears of a change, or makes one, removes it, so nothing that was read
// before a change is kept behind it. While the connections may be deaf, nothing is
// kept.
type mirror struct {
	client rueidis.Client
	age    time.Duration
	room   int // bytes of a part
	alive  atomic.Bool
	parts  [mirrorParts]mirrorPart
}

type mirrorPart struct {
	mu    sync.Mutex
	feeds map[kv.Key]*mirrored
	bytes int
}

// mirrored is the newest part of a warm feed. It is not changed once it is known.
type mirrored struct {
	known bool // false: somebody is about to read it
	at    time.Time
	limit int // how many ids were asked for
	floor uint64
	ids   []uint64
}

func (f *mirrored) weight() int { return mirrorEntry + 8*cap(f.ids) }

// startMirror connects it; with no memory for it there is none.
func (e *Engine) startMirror(ctx context.Context) error {
	if e.opts.KeepFeeds == 0 {
		return nil
	}
	m := &mirror{age: mirrorAge, room: int(e.opts.KeepFeeds / mirrorParts)}
	if e.opts.FeedTTL > 0 {
		m.age = min(m.age, e.opts.FeedTTL/renewShare)
	}
	for i := range m.parts {
		m.parts[i].feeds = map[kv.Key]*mirrored{}
	}
	t, err := e.listen([]string{"OPTOUT"}, m.heard)
	if err != nil {
		return fmt.Errorf("keep feeds: %w", err)
	}
	m.client = t.client
	t.beat(ctx)
	go t.run(ctx)
	e.mirror = m
	return nil
}

func (m *mirror) part(k kv.Key) *mirrorPart { return &m.parts[k.Shard%mirrorParts] }

// answer answers the first queries, as long as they ask for the newest ids of feeds
// that are kept, and returns how many. Only the first: behind another query of its
// shard a feed may not be older than that one's answer.
func (m *mirror) answer(qs []kv.Query) int {
	if m == nil || !m.alive.Load() {
		return 0
	}
	for i := range qs {
		if q, ok := qs[i].(*kv.Feed); !ok || !newest(q) || !m.part(q.Key).answer(q, m.age) {
			return i
		}
	}
	return len(qs)
}

func (p *mirrorPart) answer(q *kv.Feed, age time.Duration) bool {
	p.mu.Lock()
	f := p.feeds[q.Key]
	p.mu.Unlock()
	if f == nil || !f.known || q.Limit > f.limit && len(f.ids) == f.limit || time.Since(f.at) > age {
		return false
	}
	q.State, q.Floor = kv.Warm, f.floor
	q.IDs = slices.Clone(f.ids[:min(q.Limit, len(f.ids))])
	return true
}

// filling is a feed that is about to be read, to be kept.
type filling struct {
	q     *kv.Feed
	place *mirrored
}

// begin notes which of the queries, of which the first were not answered, will be
// kept.
func (m *mirror) begin(qs []kv.Query) (fill []filling) {
	if m == nil || !m.alive.Load() {
		return nil
	}
	for i := range qs {
		q, ok := qs[i].(*kv.Feed)
		if !ok || !newest(q) {
			break
		}
		if place := m.place(q.Key); place != nil {
			fill = append(fill, filling{q, place})
		}
	}
	return fill
}

// place leaves an empty entry, unless there is one.
func (m *mirror) place(k kv.Key) *mirrored {
	p := m.part(k)
	p.mu.Lock()
	defer p.mu.Unlock()
	if f := p.feeds[k]; f != nil && !f.known || !m.alive.Load() {
		return nil
	}
	p.remove(k)
	place := &mirrored{}
	p.add(k, place)
	return place
}

// end keeps what was read (all of it, if ok) unless it has changed since.
func (m *mirror) end(fill []filling, ok bool) {
	for _, f := range fill {
		p := m.part(f.q.Key)
		p.mu.Lock()
		if p.feeds[f.q.Key] == f.place {
			p.remove(f.q.Key)
			if ok && f.q.State == kv.Warm {
				p.add(f.q.Key, &mirrored{known: true, at: time.Now(), limit: f.q.Limit, floor: f.q.Floor, ids: slices.Clone(f.q.IDs)})
				p.shrink(m.room)
			}
		}
		p.mu.Unlock()
	}
}

func (p *mirrorPart) add(k kv.Key, f *mirrored) {
	p.feeds[k] = f
	p.bytes += f.weight()
}

func (p *mirrorPart) remove(k kv.Key) {
	if f := p.feeds[k]; f != nil {
		p.bytes -= f.weight()
		delete(p.feeds, k)
	}
}

// shrink removes whichever feeds come first out of the map, which is any.
func (p *mirrorPart) shrink(room int) {
	for k := range p.feeds {
		if p.bytes <= room {
			return
		}
		p.remove(k)
	}
}

// written forgets what a write may have changed, before it returns.
func (m *mirror) written(changes []kv.Op) {
	if m == nil {
		return
	}
	for _, c := range changes {
		if s := shapeOf(c); s == feedShape || s == anyShape {
			m.forget(kv.KeyOfOp(c))
		}
	}
}

func (m *mirror) forget(k kv.Key) {
	p := m.part(k)
	p.mu.Lock()
	p.remove(k)
	p.mu.Unlock()
}

// heard takes what the tracker tells.
func (m *mirror) heard(changed []kv.Key, alive bool) {
	if !alive {
		m.alive.Store(false) // before: an entry that is made later sees it
		for i := range m.parts {
			p := &m.parts[i]
			p.mu.Lock()
			clear(p.feeds)
			p.bytes = 0
			p.mu.Unlock()
		}
		return
	}
	for _, k := range changed {
		m.forget(k)
	}
	m.alive.Store(true)
}

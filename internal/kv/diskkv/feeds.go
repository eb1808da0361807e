package diskkv

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"linnet/internal/kv"
)

// feedOverhead estimates the bytes that a feed takes beside its ids and the
// text of its key: the struct, its place in the map.
const feedOverhead = 176

// feeds holds all feeds, a stripe for each shard. Nothing in it waits for
// anything but the lock of one stripe.
type feeds struct {
	now   func() time.Time
	limit int64
	life  time.Duration // of a feed that nobody reads; 0: for ever
	bytes atomic.Int64
	ticks atomic.Uint64 // counts reads; the order in which feeds were read
	evict sync.Mutex    // held by whoever forgets feeds

	kinds   sync.Map // kind -> the one copy of its text; a handful
	stripes [kv.Shards]stripe
}

type stripe struct {
	mu    sync.Mutex
	feeds map[feedKey]*feed
}

type feedKey struct{ kind, id string }

func newFeeds(limit int64, life time.Duration, now func() time.Time) *feeds {
	return &feeds{now: now, limit: limit, life: life}
}

// isFeed says whether a change concerns feeds only.
func isFeed(c kv.Op) bool {
	switch c.(type) {
	case kv.Push, kv.Pull, kv.Merge, kv.Fill, kv.Filled:
		return true
	}
	return false
}

// feedChanges copies the changes that may concern feeds, since they are made by
// a goroutine that may outlive the call.
func feedChanges(changes []kv.Op) []kv.Op {
	var some []kv.Op
	for _, c := range changes {
		switch o := c.(type) {
		case kv.Merge:
			o.IDs = slices.Clone(o.IDs)
			c = o
		case kv.Filled:
			o.IDs = slices.Clone(o.IDs)
			c = o
		case kv.Push, kv.Pull, kv.Fill, kv.Delete:
		default:
			continue
		}
		some = append(some, c)
	}
	return some
}

// change makes the first of the changes, up to one that concerns the disk, and
// returns how many that are.
func (fs *feeds) change(changes []kv.Op) int {
	n := len(changes)
	for i, c := range changes {
		if !fs.changeOne(c) {
			n = i
			break
		}
	}
	fs.bound()
	return n
}

// changeAll makes those of the changes that concern feeds.
func (fs *feeds) changeAll(changes []kv.Op) {
	for _, c := range changes {
		fs.changeOne(c)
	}
	fs.bound()
}

// changeOne reports false if c does not concern a feed: if it is of another
// shape, or deletes what is not a feed here.
func (fs *feeds) changeOne(c kv.Op) bool {
	switch c := c.(type) {
	case kv.Push:
		fs.push(&c)
	case kv.Pull:
		fs.with(c.Key, func(f *feed) { f.pull(c.ID) })
	case kv.Merge:
		fs.with(c.Key, func(f *feed) { f.merge(c.IDs, kv.FeedMax) })
	case kv.Filled:
		fs.with(c.Key, func(f *feed) { f.filled(c) })
	case kv.Fill:
		fs.fill(c)
	case kv.Delete:
		return fs.delete(c.Key)
	default:
		return false
	}
	return true
}

// push is what nearly all calls are: it is kept short.
func (fs *feeds) push(c *kv.Push) {
	s := &fs.stripes[c.Key.Shard]
	s.mu.Lock()
	if f := fs.find(s, feedKey{c.Key.Kind, c.Key.ID}); f != nil {
		before := cap(f.ids)
		f.push(c.ID)
		if after := cap(f.ids); after != before {
			fs.bytes.Add(int64(after-before) * 8)
		}
	}
	s.mu.Unlock()
}

// with calls do with the feed under k, unless it is cold.
func (fs *feeds) with(k kv.Key, do func(*feed)) {
	s := &fs.stripes[k.Shard]
	s.mu.Lock()
	defer s.mu.Unlock()
	f := fs.find(s, feedKey{k.Kind, k.ID})
	if f == nil {
		return
	}
	before := cap(f.ids)
	do(f)
	fs.bytes.Add(int64(cap(f.ids)-before) * 8)
}

// find returns nil if the feed is cold; one whose filler gave up becomes so.
func (fs *feeds) find(s *stripe, k feedKey) *feed {
	f := s.feeds[k]
	if f != nil && f.filler != nil && !fs.now().Before(f.filler.until) {
		fs.drop(s, k, f)
		return nil
	}
	return f
}

func (fs *feeds) fill(c kv.Fill) {
	s := &fs.stripes[c.Key.Shard]
	s.mu.Lock()
	defer s.mu.Unlock()
	k := feedKey{c.Key.Kind, c.Key.ID}
	f := fs.find(s, k)
	if f != nil && f.filler == nil {
		return
	}
	if f == nil {
		// The caller's strings may be parts of something large.
		k = feedKey{fs.intern(k.kind), strings.Clone(k.id)}
		f = &feed{}
		if s.feeds == nil {
			s.feeds = map[feedKey]*feed{}
		}
		s.feeds[k] = f
		fs.bytes.Add(size(k, f))
	}
	now := fs.now()
	f.filler = &filler{token: strings.Clone(c.Token), until: now.Add(c.TTL)}
	f.read, f.seen = fs.ticks.Add(1), now.UnixNano()
}

// intern returns the same string for equal kinds, so that comparing keys does
// not fetch another copy from memory each time.
func (fs *feeds) intern(kind string) string {
	if one, ok := fs.kinds.Load(kind); ok {
		return one.(string)
	}
	kind = strings.Clone(kind)
	one, _ := fs.kinds.LoadOrStore(kind, kind)
	return one.(string)
}

// page answers a query.
func (fs *feeds) page(q *kv.Feed) {
	tick := fs.ticks.Add(1)
	s := &fs.stripes[q.Key.Shard]
	s.mu.Lock()
	defer s.mu.Unlock()
	k := feedKey{q.Key.Kind, q.Key.ID}
	f := fs.find(s, k)
	if f != nil && fs.life > 0 {
		now := fs.now()
		if fs.outlived(f, now) {
			fs.drop(s, k, f)
			f = nil
		} else {
			f.seen = now.UnixNano()
		}
	}
	if f != nil {
		f.read = tick
	}
	f.page(q)
}

// outlived says whether nobody has read a feed for as long as feeds live. Pushes
// do not ask: it would cost them more than the push.
func (fs *feeds) outlived(f *feed, now time.Time) bool {
	return fs.life > 0 && f.filler == nil && now.UnixNano()-f.seen >= int64(fs.life)
}

// delete makes a feed cold and reports whether there was one.
func (fs *feeds) delete(k kv.Key) bool {
	s := &fs.stripes[k.Shard]
	s.mu.Lock()
	defer s.mu.Unlock()
	fk := feedKey{k.Kind, k.ID}
	f := s.feeds[fk]
	if f == nil {
		return false
	}
	fs.drop(s, fk, f)
	return true
}

// has says whether k is the key of a feed that is not cold.
func (fs *feeds) has(k kv.Key) bool {
	s := &fs.stripes[k.Shard]
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.feeds[feedKey{k.Kind, k.ID}] != nil
}

func (fs *feeds) drop(s *stripe, k feedKey, f *feed) {
	delete(s.feeds, k)
	fs.bytes.Add(-size(k, f))
}

func size(k feedKey, f *feed) int64 {
	return int64(feedOverhead + len(k.id) + cap(f.ids)*8)
}

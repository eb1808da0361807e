// Package feeds keeps all feeds of an embedded store in memory, bounded in bytes.
//
// It knows the contract of feeds in package kv and nothing of the disk. A feed is
// a cache: when memory is short, the one that was read longest ago of some is
// forgotten, and its reader fills it again.
package feeds

import (
	"hash/maphash"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"linnet/internal/kv"
)

// overhead estimates the bytes that a feed takes beside its ids and the
// text of its key: the struct, its place in the map.
const overhead = 240

// Feeds holds feeds. It is safe for concurrent use, and nothing in it waits for
// anything but the lock of one stripe. Make it with New.
type Feeds struct {
	now   func() time.Time
	limit int64
	life  time.Duration // of a feed that nobody reads; 0: for ever
	bytes atomic.Int64
	ticks atomic.Uint64 // counts reads; the order in which feeds were read
	evict sync.Mutex    // held by whoever forgets feeds

	seed    maphash.Seed
	stripes [feedStripes]stripe
}

// feedStripes is into how many parts feeds are split by their shards: few enough that
// a pass of a fan-out has some in each, and enough for the processors.
const feedStripes = 64

type stripe struct {
	mu    sync.Mutex
	index index
}

// look returns the feed under k, whatever its state, or nil.
func (s *stripe) look(hash uint64, k kv.Key) *feed {
	f, at := s.index.find(hash, int(hash))
	for f != nil && !f.named(k) {
		f, at = s.index.find(hash, at+1)
	}
	return f
}

func stripeOf(k kv.Key) int { return int(k.Shard) % feedStripes }

// New makes a Feeds that takes about limit bytes at most. A feed that nobody reads
// lives for life, or for ever if that is 0.
func New(limit int64, life time.Duration, now func() time.Time) *Feeds {
	return &Feeds{now: now, limit: limit, life: life, seed: maphash.MakeSeed()}
}

// Bytes is about how much memory the feeds take.
func (fs *Feeds) Bytes() int64 { return fs.bytes.Load() }

// hash is what the index of a stripe has a key under.
func (fs *Feeds) hash(k kv.Key) uint64 {
	return fs.hashOf(k, fs.hashText(k.Kind))
}

// hashOf is hash of a key whose kind has been hashed.
func (fs *Feeds) hashOf(k kv.Key, kind uint64) uint64 {
	return fs.hashText(k.ID) ^ kind ^ uint64(k.Shard)<<32
}

func (fs *Feeds) hashText(s string) uint64 { return maphash.String(fs.seed, s) }

// Concerns says whether a change concerns feeds only.
func Concerns(c kv.Op) bool {
	switch c.(type) {
	case *kv.Push, kv.Pull, kv.Merge, kv.Fill, kv.Filled:
		return true
	}
	return false
}

// Copy copies the changes that may concern feeds, for whoever makes them when
// the caller may have used its own again.
func Copy(changes []kv.Op) []kv.Op {
	var some []kv.Op
	for _, c := range changes {
		switch o := c.(type) {
		case kv.Merge:
			o.IDs = slices.Clone(o.IDs)
			c = o
		case kv.Filled:
			o.IDs = slices.Clone(o.IDs)
			c = o
		case *kv.Push:
			p := *o
			c = &p
		case kv.Pull, kv.Fill, kv.Delete:
		default:
			continue
		}
		some = append(some, c)
	}
	return some
}

// ChangeFirst makes the first of the changes, up to one that concerns the disk, and
// returns how many that are.
func (fs *Feeds) ChangeFirst(changes []kv.Op) int {
	n := 0
	for n < len(changes) {
		if pushes := pushesIn(changes[n:]); pushes > 1 {
			fs.pushAll(changes[n : n+pushes])
			n += pushes
		} else if fs.changeOne(changes[n]) {
			n++
		} else {
			break
		}
	}
	fs.bound()
	return n
}

// Change makes those of the changes that concern feeds.
func (fs *Feeds) Change(changes []kv.Op) {
	for _, c := range changes {
		fs.changeOne(c)
	}
	fs.bound()
}

// changeOne reports false if c does not concern a feed: if it is of another
// shape, or deletes what is not a feed here.
func (fs *Feeds) changeOne(c kv.Op) bool {
	switch c := c.(type) {
	case *kv.Push:
		fs.with(c.Key, func(f *feed) { f.push(c.ID) })
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

// with calls do with the feed under k, unless it is cold.
func (fs *Feeds) with(k kv.Key, do func(*feed)) {
	s := &fs.stripes[stripeOf(k)]
	s.mu.Lock()
	defer s.mu.Unlock()
	if f := fs.find(s, fs.hash(k), k); f != nil {
		fs.changeFeed(f, do)
	}
}

// changeFeed calls do with a feed whose ids are all in its list, and counts what it
// takes more.
func (fs *Feeds) changeFeed(f *feed, do func(*feed)) {
	before := cap(f.ids)
	f.gather()
	do(f)
	if after := cap(f.ids); after != before {
		fs.bytes.Add(int64(after-before) * 8)
	}
}

// find returns nil if the feed is cold; one whose filler gave up becomes so.
func (fs *Feeds) find(s *stripe, hash uint64, k kv.Key) *feed {
	f := s.look(hash, k)
	if f != nil && f.filler != nil && !fs.now().Before(f.filler.until) {
		fs.drop(s, hash, f)
		return nil
	}
	return f
}

func (fs *Feeds) fill(c kv.Fill) {
	s := &fs.stripes[stripeOf(c.Key)]
	s.mu.Lock()
	defer s.mu.Unlock()
	hash := fs.hash(c.Key)
	f := fs.find(s, hash, c.Key)
	if f != nil && f.filler == nil {
		return
	}
	if f == nil {
		f = &feed{key: keyText(c.Key), shard: c.Key.Shard}
		s.index.add(hash, f)
		fs.bytes.Add(size(f))
	}
	now := fs.now()
	f.filler = &filler{token: strings.Clone(c.Token), until: now.Add(c.TTL)}
	f.read, f.seen = fs.ticks.Add(1), now.UnixNano()
}

// Page answers a query.
func (fs *Feeds) Page(q *kv.Feed) {
	tick := fs.ticks.Add(1)
	hash := fs.hash(q.Key)
	s := &fs.stripes[stripeOf(q.Key)]
	s.mu.Lock()
	defer s.mu.Unlock()
	f := fs.find(s, hash, q.Key)
	if f != nil && fs.life > 0 {
		now := fs.now()
		if fs.outlived(f, now) {
			fs.drop(s, hash, f)
			f = nil
		} else {
			f.seen = now.UnixNano()
		}
	}
	if f == nil {
		q.State, q.Floor, q.IDs = kv.Cold, 0, nil
		return
	}
	f.read = tick
	fs.changeFeed(f, func(f *feed) { f.page(q) })
}

// outlived says whether nobody has read a feed for as long as feeds live. Pushes
// do not ask: it would cost them more than the push.
func (fs *Feeds) outlived(f *feed, now time.Time) bool {
	return fs.life > 0 && f.filler == nil && now.UnixNano()-f.seen >= int64(fs.life)
}

// delete makes a feed cold and reports whether there was one.
func (fs *Feeds) delete(k kv.Key) bool {
	s := &fs.stripes[stripeOf(k)]
	s.mu.Lock()
	defer s.mu.Unlock()
	hash := fs.hash(k)
	f := s.look(hash, k)
	if f == nil {
		return false
	}
	fs.drop(s, hash, f)
	return true
}

// Has says whether k is the key of a feed that is not cold.
func (fs *Feeds) Has(k kv.Key) bool {
	s := &fs.stripes[stripeOf(k)]
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.look(fs.hash(k), k) != nil
}

func (fs *Feeds) drop(s *stripe, hash uint64, f *feed) {
	if s.index.remove(hash, f) {
		fs.bytes.Add(-size(f))
	}
}

func size(f *feed) int64 {
	return int64(overhead + len(f.key) + cap(f.ids)*8)
}

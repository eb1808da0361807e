// Package feeds caches the feeds of an embedded store in memory, up to a limit in bytes.
//
// It implements the contract of feeds in package kv, independent of the disk. When memory is short,
// it evicts the least recently read feed of a sample, which its reader fills again.
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

// overhead estimates the bytes of a feed without its ids and key: the struct and its index slot.
const overhead = 240

// Feeds contains feeds. It is safe for concurrent use, and waits for nothing but the lock of one
// stripe. Create it with New.
type Feeds struct {
	now   func() time.Time
	limit int64
	life  time.Duration // lifetime of an unread feed, 0 for no expiry
	bytes atomic.Int64
	ticks atomic.Uint64 // counts reads, for the order of the last reads
	evict sync.Mutex    // held during evictions

	seed    maphash.Seed
	stripes [feedStripes]stripe
}

// feedStripes is the number of stripes, to which feeds belong by shard. It is small enough that a
// batch of a fan-out has several feeds per stripe, and large enough for all processors.
const feedStripes = 64

type stripe struct {
	mu    sync.Mutex
	index index
}

// look returns the feed of k in any state, or nil.
func (s *stripe) look(hash uint64, k kv.Key) *feed {
	f, at := s.index.find(hash, int(hash))
	for f != nil && !f.named(k) {
		f, at = s.index.find(hash, at+1)
	}
	return f
}

func stripeOf(k kv.Key) int { return int(k.Shard) % feedStripes }

// New returns a Feeds that takes about limit bytes. An unread feed expires after life, or never if
// life is 0.
func New(limit int64, life time.Duration, now func() time.Time) *Feeds {
	return &Feeds{now: now, limit: limit, life: life, seed: maphash.MakeSeed()}
}

// Bytes returns the approximate memory of the feeds.
func (fs *Feeds) Bytes() int64 { return fs.bytes.Load() }

// hash returns the hash of a key for the index.
func (fs *Feeds) hash(k kv.Key) uint64 {
	return fs.hashOf(k, fs.hashText(k.Kind))
}

// hashOf returns the hash of a key from the hash of its kind.
func (fs *Feeds) hashOf(k kv.Key, kind uint64) uint64 {
	return fs.hashText(k.ID) ^ kind ^ uint64(k.Shard)<<32
}

func (fs *Feeds) hashText(s string) uint64 { return maphash.String(fs.seed, s) }

// Concerns reports whether a change concerns feeds only.
func Concerns(c kv.Op) bool {
	switch c.(type) {
	case *kv.Push, kv.Pull, kv.Merge, kv.Fill, kv.Filled:
		return true
	}
	return false
}

// Copy copies the changes that may concern feeds, for a caller that applies them after the
// originals may have been reused.
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

// ChangeFirst applies the first changes, up to one that concerns the disk, and returns their
// number.
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

// Change applies the changes that concern feeds.
func (fs *Feeds) Change(changes []kv.Op) {
	for _, c := range changes {
		fs.changeOne(c)
	}
	fs.bound()
}

// changeOne applies a change. It returns false if the change does not concern a feed, or deletes a
// key without a feed.
func (fs *Feeds) changeOne(c kv.Op) bool {
	switch c := c.(type) {
	case *kv.Push:
		fs.with(c.Key, func(f *feed) { f.push(c.ID) })
	case kv.Pull:
		fs.with(c.Key, func(f *feed) {
			if i, ok := slices.BinarySearch(f.ids, c.ID); ok {
				f.ids = slices.Delete(f.ids, i, i+1)
				f.update()
			}
		})
	case kv.Merge:
		fs.with(c.Key, func(f *feed) { f.merge(c.IDs, kv.FeedMax) })
	case kv.Filled:
		fs.with(c.Key, func(f *feed) { f.filled(c) })
	case kv.Fill:
		fs.fill(c)
	case kv.Delete:
		s := &fs.stripes[stripeOf(c.Key)]
		s.mu.Lock()
		defer s.mu.Unlock()
		hash := fs.hash(c.Key)
		f := s.look(hash, c.Key)
		if f == nil {
			return false
		}
		fs.drop(s, hash, f)
		return true
	default:
		return false
	}
	return true
}

// with calls do with the feed of k, unless it is cold.
func (fs *Feeds) with(k kv.Key, do func(*feed)) {
	s := &fs.stripes[stripeOf(k)]
	s.mu.Lock()
	defer s.mu.Unlock()
	if f := fs.find(s, fs.hash(k), k); f != nil {
		fs.changeFeed(f, do)
	}
}

// changeFeed calls do with a feed after gather, and updates the total size.
func (fs *Feeds) changeFeed(f *feed, do func(*feed)) {
	before := cap(f.ids)
	f.gather()
	do(f)
	if after := cap(f.ids); after != before {
		fs.bytes.Add(int64(after-before) * 8)
	}
}

// find returns the feed of k, or nil if it is cold. It drops a feed whose filler has expired.
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

// outlived reports whether a feed has expired. Pushes do not check this, because the check would
// cost more than a push.
func (fs *Feeds) outlived(f *feed, now time.Time) bool {
	return fs.life > 0 && f.filler == nil && now.UnixNano()-f.seen >= int64(fs.life)
}

// Has reports whether k has a feed that is not cold.
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

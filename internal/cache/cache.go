// Package cache holds values in memory, bounded by number or weight.
//
// It wraps the otter library. Each instance of that generic library takes seconds to compile, again
// in every package that can reach it. So this package instantiates it once for ids and once for
// strings, behind an interface, and adds only the conversion of values.
package cache

import (
	"time"

	"github.com/maypok86/otter/v2"

	"linnet/internal/linnet"
)

// Options bounds a cache.
type Options[K linnet.ID | string, V any] struct {
	// Max is the largest sum of weights, or the largest number of entries if Weigh is nil.
	Max uint64

	// Weigh returns the weight of an entry, such as its size in bytes. It must not use
	// the cache.
	Weigh func(K, V) uint32

	// TTL is how long after it was set an entry expires; 0 means never.
	TTL time.Duration
}

// Cache maps keys to values, and evicts entries that are used seldom when it is full.
// It is safe for concurrent use.
type Cache[K linnet.ID | string, V any] struct {
	entries entries[K]
}

// New returns an empty cache.
func New[K linnet.ID | string, V any](o Options[K, V]) *Cache[K, V] {
	var weigh func(K, any) uint32
	if o.Weigh != nil {
		weigh = func(key K, value any) uint32 { return o.Weigh(key, value.(V)) }
	}
	var made any
	switch weigh := any(weigh).(type) {
	case func(linnet.ID, any) uint32:
		made = newIDs(o.Max, weigh, o.TTL)
	case func(string, any) uint32:
		made = newStrings(o.Max, weigh, o.TTL)
	}
	return &Cache[K, V]{made.(entries[K])}
}

// Get returns the value of a key. It reports false if there is none or it has expired.
func (c *Cache[K, V]) Get(key K) (V, bool) {
	value, ok := c.entries.get(key)
	if !ok {
		var none V
		return none, false
	}
	return value.(V), true
}

// Set stores the value of a key in place of an earlier one.
func (c *Cache[K, V]) Set(key K, value V) { c.entries.set(key, value) }

// Delete removes a key.
func (c *Cache[K, V]) Delete(key K) { c.entries.delete(key) }

// Clear removes all keys.
func (c *Cache[K, V]) Clear() { c.entries.clear() }

// Max returns the bound that the cache was made with.
func (c *Cache[K, V]) Max() uint64 { return c.entries.max() }

// Close stops the cache's background work. The cache can still be used.
func (c *Cache[K, V]) Close() { c.entries.close() }

// entries is a cache of the library. Importers of this package see the interface only,
// so they do not compile the library's code.
type entries[K linnet.ID | string] interface {
	get(K) (any, bool)
	set(K, any)
	delete(K)
	clear()
	max() uint64
	close()
}

type library[K linnet.ID | string] struct{ *otter.Cache[K, any] }

func (c library[K]) get(key K) (any, bool) { return c.GetIfPresent(key) }
func (c library[K]) set(key K, value any)  { c.Set(key, value) }
func (c library[K]) delete(key K)          { c.Invalidate(key) }
func (c library[K]) clear()                { c.InvalidateAll() }
func (c library[K]) max() uint64           { return c.GetMaximum() }
func (c library[K]) close()                { c.StopAllGoroutines() }

// These two are the only instances. They are not inlined, lest callers compile them too.

//go:noinline
func newIDs(most uint64, weigh func(linnet.ID, any) uint32, ttl time.Duration) entries[linnet.ID] {
	return newLibrary(most, weigh, ttl)
}

//go:noinline
func newStrings(most uint64, weigh func(string, any) uint32, ttl time.Duration) entries[string] {
	return newLibrary(most, weigh, ttl)
}

func newLibrary[K linnet.ID | string](most uint64, weigh func(K, any) uint32, ttl time.Duration) entries[K] {
	o := &otter.Options[K, any]{}
	if weigh == nil {
		o.MaximumSize = int(most)
	} else {
		o.MaximumWeight, o.Weigher = most, weigh
	}
	if ttl > 0 {
		o.ExpiryCalculator = otter.ExpiryWriting[K, any](ttl)
	}
	return library[K]{otter.Must(o)}
}

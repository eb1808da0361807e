package db

import (
	"context"
	"errors"
	"hash/maphash"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"linnet/internal/cache"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// CountedUser is a user with the counts, as of one read. It is shared and never changed. A later
// state is another CountedUser.
type CountedUser struct {
	User                           *linnet.User
	Followers, Following, Statuses int64

	last      linnet.ID // the newest counted status; 0: none
	ref       UserRef   // to this user, for batches that find it cached
	uncounted bool      // only in the cache: the counts have changed and must be read

	// newest is the user's newest status, if this process wrote it, or 0 if unknown. It may be
	// outdated if other processes write.
	newest linnet.ID
}

// Ref returns a reference to the user, which must not be modified.
func (u *CountedUser) Ref() *UserRef { return &u.ref }

// CountedStatus is a status with its tally, as of one read. It is shared and never changed.
type CountedStatus struct {
	Status                       *linnet.Status
	Replies, Reposts, Favourites int64
	Quotes                       int64

	closed    int64     // replies that are not public
	ref       StatusRef // to this status, for batches that find it cached
	uncounted bool      // only in the cache: the tally has changed and must be read
}

// recordCache caches users, statuses and viewer states in the process. Every write goes through it
// (see watched) and evicts the affected entries before it returns. If its caller returned early,
// they are evicted when the write is visible (kv.Late). Writes of other processes are reported by
// the engine's tracker.
//
// A fill races with invalidation: a reader may read the old state, be suspended, and store it after
// a writer has evicted it. So each fill notes the epoch of its stripe before it reads, and stores
// its result only if the epoch is unchanged. Every invalidation raises the epoch after the
// eviction, so a reader that sees the new epoch finds no old state.
type recordCache struct {
	alive    atomic.Bool // changes by other processes are reported
	stripes  [4096]stripe
	users    *cache.Cache[linnet.ID, *CountedUser]
	statuses *cache.Cache[linnet.ID, *CountedStatus]
	readers  *cache.Cache[linnet.ID, *viewerStates]
	filters  *cache.Cache[linnet.ID, *linnet.FilterSet]
	tokens   *cache.Cache[string, *cachedToken] // by hash
	policies *cache.Cache[linnet.ID, linnet.NotificationPolicy]
	pushed   *cache.Cache[linnet.ID, bool] // whether a user has a push subscription
	unread   *cache.Cache[linnet.ID, unreadCount]
	newest   newestSlices
}

// unreadAge is how long a count of unread notifications is cached at most. Changes of the
// notifications and of the user's relations, filters and markers discard it at once. Changes of the
// accounts and statuses that the notifications are about do not.
const unreadAge = 30 * time.Second

// unreadCount is a user's number of visible unread notifications, and when it was counted. The time
// replaces an expiry of the cache, which would need a goroutine.
type unreadCount struct {
	n  int
	at time.Time
}

// tokenAge limits how long a token is cached. A token that expires by itself, such as a browser
// session after months, may be used that much longer.
const tokenAge = 10 * time.Minute

type cachedToken struct {
	record.TokenRecord
	until time.Time
}

type stripe struct {
	mu    sync.Mutex // held to change the epoch, or to store by it
	epoch atomic.Uint64
}

func newCache(bytes int64) *recordCache {
	return &recordCache{
		users: cache.New(cache.Options[linnet.ID, *CountedUser]{Max: uint64(bytes / 4),
			Weigh: func(_ linnet.ID, u *CountedUser) uint32 { return userWeight(u.User) }}),
		statuses: cache.New(cache.Options[linnet.ID, *CountedStatus]{Max: uint64(bytes / 2),
			Weigh: func(_ linnet.ID, st *CountedStatus) uint32 { return statusWeight(st.Status) }}),
		readers: cache.New(cache.Options[linnet.ID, *viewerStates]{Max: uint64(bytes / 4),
			Weigh: func(_ linnet.ID, m *viewerStates) uint32 { return m.weigh() }}),
		filters: cache.New(cache.Options[linnet.ID, *linnet.FilterSet]{Max: uint64(bytes / 16),
			Weigh: func(_ linnet.ID, set *linnet.FilterSet) uint32 { return filtersWeight(set) }}),
		tokens: cache.New(cache.Options[string, *cachedToken]{Max: uint64(bytes / 16),
			Weigh: func(hash string, t *cachedToken) uint32 { return tokenWeight(hash, t) }}),
		pushed: cache.New(cache.Options[linnet.ID, bool]{Max: uint64(bytes / 64),
			Weigh: func(linnet.ID, bool) uint32 { return pushedWeight }}),
		unread: cache.New(cache.Options[linnet.ID, unreadCount]{Max: uint64(bytes / 64),
			Weigh: func(linnet.ID, unreadCount) uint32 { return unreadWeight }}),
		policies: cache.New(cache.Options[linnet.ID, linnet.NotificationPolicy]{Max: uint64(bytes / 64),
			Weigh: func(linnet.ID, linnet.NotificationPolicy) uint32 { return policyWeight }}),
	}
}

// stripe spreads ids by the golden ratio. Ids of one shard and almost the same time, such as a
// status and its replies, differ in few bits.
func (c *recordCache) stripe(id linnet.ID) *stripe {
	return &c.stripes[uint64(id)*0x9e3779b97f4a7c15>>52] // 12 bits: the number of stripes
}

// epoch returns the epoch for the start of a fill.
func (c *recordCache) epoch(id linnet.ID) uint64 { return c.stripe(id).epoch.Load() }

// store calls f, which stores a read result, unless id may have changed since epoch.
func (c *recordCache) store(id linnet.ID, epoch uint64, f func()) {
	s := c.stripe(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.epoch.Load() == epoch && c.alive.Load() {
		f()
	}
}

// changed evicts the entries that depend on a member of a key, or with "" on any member.
func (c *recordCache) changed(k kv.Key, member string) {
	var forget func(linnet.ID)
	switch strings.TrimSuffix(k.Kind, ".gone") { // of an ended relation
	case record.KindToken:
		c.forget(hashID(k.ID), func(linnet.ID) { c.tokens.Delete(k.ID) })
		return
	case record.KindGlobal:
		slot, id := c.newest.slot(k)
		if slot == nil { // not a key of a known slice
			return
		}
		c.forget(id, func(linnet.ID) { slot.Store(nil) })
		return
	case record.KindUser:
		forget = func(id linnet.ID) { c.users.Delete(id) }
	case record.KindCounts:
		forget = c.uncountUser
	case record.KindStatus:
		forget = func(id linnet.ID) { c.statuses.Delete(id) }
	case record.KindTally:
		forget = c.uncountStatus
	case record.KindRelationships:
		forget = func(id linnet.ID) { c.readers.Delete(id); c.unread.Delete(id) }
	case record.Follows().Owned:
		forget = func(id linnet.ID) {
			c.forgetStates(id, func(m *viewerStates) *viewerStates { return m.withoutPerson(member) })
			c.unread.Delete(id)
		}
	case record.Favourites().Owned, record.Reposts().Owned, record.KindBookmarks:
		forget = func(id linnet.ID) {
			c.forgetStates(id, func(m *viewerStates) *viewerStates { return m.withoutStatus(member) })
		}
	case record.KindExclusive, record.KindMemberships:
		forget = func(id linnet.ID) { c.forgetStates(id, (*viewerStates).relationshipsAlone) }
	case record.KindFilters:
		forget = func(id linnet.ID) { c.filters.Delete(id); c.unread.Delete(id) }
	case record.KindPolicy:
		forget = func(id linnet.ID) { c.policies.Delete(id) }
	case record.KindNotices, record.KindMarkers:
		forget = func(id linnet.ID) { c.unread.Delete(id) }
	case record.KindPushes:
		forget = func(id linnet.ID) { c.pushed.Delete(id) }
	default:
		return
	}
	if id, ok := linnet.ParseID(k.ID); ok {
		c.forget(id, forget)
	}
}

// forget evicts the entries that depend on an id.
func (c *recordCache) forget(id linnet.ID, out func(linnet.ID)) {
	s := c.stripe(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	out(id)
	s.epoch.Add(1)
}

// hashID maps a hash to an id for its stripe.
func hashID(hash string) linnet.ID { return linnet.ID(maphash.String(hashSeed, hash)) }

var hashSeed = maphash.MakeSeed()

// TokenName is the name of a token: the shard of its owner and its hash.
type TokenName struct {
	Shard uint16
	Hash  string
}

// Token returns the token with a hash, or nil if it is not valid. It is shared and must not be
// modified.
func (s *DB) Token(ctx context.Context, shard uint16, hash string) (*record.TokenRecord, error) {
	if t, ok := s.cache.tokens.Get(hash); ok && s.Now().Before(t.until) && s.cache.alive.Load() && !kv.IsDurable(ctx) {
		return &t.TokenRecord, nil // without allocations
	}
	all, err := s.Tokens(ctx, []TokenName{{shard, hash}})
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// Tokens is like Token for several tokens. It reads all tokens that aren't cached in one batch.
func (s *DB) Tokens(ctx context.Context, names []TokenName) ([]*record.TokenRecord, error) {
	now, cached := s.Now(), s.cache.alive.Load() && !kv.IsDurable(ctx)
	out, epochs := make([]*record.TokenRecord, len(names)), make([]uint64, len(names))
	var qs []kv.Query
	var missing []int
	for i, n := range names {
		if t, ok := s.cache.tokens.Get(n.Hash); ok && now.Before(t.until) && cached {
			out[i] = &t.TokenRecord
			continue
		}
		epochs[i] = s.cache.epoch(hashID(n.Hash))
		qs, missing = append(qs, &kv.Get{Key: record.HashKey(record.KindToken, n.Shard, n.Hash)}), append(missing, i)
	}
	if len(qs) == 0 {
		return out, nil
	}
	if err := s.Read(ctx, qs...); err != nil {
		return nil, err
	}
	for at, i := range missing {
		get := qs[at].(*kv.Get)
		if get.Version == 0 {
			continue
		}
		t, err := record.DecodeToken(get)
		if err != nil {
			return nil, err
		}
		t.Hash = names[i].Hash
		s.cache.store(hashID(t.Hash), epochs[i], func() { s.cache.tokens.Set(t.Hash, &cachedToken{t, now.Add(tokenAge)}) })
		out[i] = &t
	}
	return out, nil
}

// Unread returns the number of unread notifications that user is shown. It calls count, which reads
// them, unless a count is cached and still holds.
func (s *DB) Unread(user linnet.ID, count func() (int, error)) (int, error) {
	if c, ok := s.cache.unread.Get(user); ok && s.cache.alive.Load() && s.Now().Sub(c.at) < unreadAge {
		return c.n, nil
	}
	epoch := s.cache.epoch(user)
	n, err := count()
	if err == nil {
		s.cache.store(user, epoch, func() { s.cache.unread.Set(user, unreadCount{n, s.Now()}) })
	}
	return n, err
}

// CachedUser returns a user's record if it is cached, even if the counts have changed, or nil. It
// must not be modified.
func (s *DB) CachedUser(id linnet.ID) *linnet.User {
	if u, ok := s.cache.users.Get(id); ok && s.cache.alive.Load() {
		return u.User
	}
	return nil
}

// Forget evicts the entries that depend on a key. Writes of this and other processes evict them
// anyway. Forget is for callers that learn of a write in another way and must not lag behind.
func (s *DB) Forget(k kv.Key) { s.cache.changed(k, "") }

// uncountUser evicts a user's counts. The record has not changed, and reading and decoding it again
// would be most of the cost.
func (c *recordCache) uncountUser(id linnet.ID) {
	if u, ok := c.users.Get(id); ok && !u.uncounted {
		c.users.Set(id, &CountedUser{User: u.User, uncounted: true})
	}
}

// uncountStatus evicts a status's tally, like uncountUser.
func (c *recordCache) uncountStatus(id linnet.ID) {
	if st, ok := c.statuses.Get(id); ok && !st.uncounted {
		c.statuses.Set(id, &CountedStatus{Status: st.Status, uncounted: true})
	}
}

// freshStatus is the cached state before a status is written.
type freshStatus struct {
	c                  *recordCache
	epoch, authorEpoch uint64
	author             *CountedUser // nil: not cached
}

// BeginStatus records the cached state before a status is written, so that the writer need not read
// its own writes. The id and author must be known.
func (s *DB) BeginStatus(st *linnet.Status) freshStatus {
	f := freshStatus{c: s.cache, epoch: s.cache.epoch(st.ID), authorEpoch: s.cache.epoch(st.Author)}
	f.author, _ = s.cache.users.Get(st.Author)
	return f
}

// Written caches a status and its author after the transaction that writes the record, data.
func (f freshStatus) Written(st *linnet.Status, data []byte) {
	f.c.created(st.ID, f.epoch, data)
	f.c.posted(f.author, f.authorEpoch, st)
}

// created caches a new status without counts, as it would be read. written is the record. epoch was
// read before the transaction, which has raised it by one. If it is higher, the status may have
// been changed since.
func (c *recordCache) created(id linnet.ID, epoch uint64, written []byte) {
	st, err := record.DecodeStatus(id, &kv.Get{Data: written, Version: 1})
	if err != nil {
		return
	}
	whole := &CountedStatus{Status: st}
	whole.ref.set(whole)
	c.store(id, epoch+1, func() { c.statuses.Set(id, whole) })
}

// posted caches the author of a new status, with one more status if it counts. before is the cached
// author at epoch, read before the transaction, or nil. The transaction has raised the epoch by one
// if it counts the status, and otherwise not.
func (c *recordCache) posted(before *CountedUser, epoch uint64, st *linnet.Status) {
	if before == nil || before.uncounted {
		return
	}
	whole := &CountedUser{User: before.User, Followers: before.Followers, Following: before.Following, Statuses: before.Statuses, last: before.last, newest: st.ID}
	if Counted(st) {
		whole.Statuses, whole.last, epoch = whole.Statuses+1, max(whole.last, st.ID), epoch+1
	}
	whole.ref.set(whole)
	c.store(st.Author, epoch, func() { c.users.Set(st.Author, whole) })
}

// forgetStates evicts a reader's viewer states, except for the result of left. The old states do
// not change, because running requests may use them.
func (c *recordCache) forgetStates(id linnet.ID, left func(*viewerStates) *viewerStates) {
	m, ok := c.readers.Get(id)
	if !ok {
		return
	}
	if left := left(m); left != nil {
		c.readers.Set(id, left)
	} else {
		c.readers.Delete(id)
	}
}

// trackedKinds returns the kinds of key that changed handles.
func trackedKinds() []string {
	return []string{record.KindUser, record.KindCounts, record.KindStatus, record.KindTally, record.Follows().Owned, record.Favourites().Owned, record.Reposts().Owned, record.KindBookmarks, record.KindRelationships, record.KindExclusive, record.KindMemberships, record.KindFilters, record.KindToken, record.KindPolicy, record.KindPushes, record.KindGlobal, record.KindNotices, record.KindMarkers}
}

// lost evicts everything and caches nothing until changes are reported again. It raises the epochs
// first, so that no running fill is stored, and again after the eviction.
func (c *recordCache) lost() {
	c.alive.Store(false)
	c.raiseAll()
	c.users.Clear()
	c.statuses.Clear()
	c.readers.Clear()
	c.filters.Clear()
	c.tokens.Clear()
	c.policies.Clear()
	c.pushed.Clear()
	c.unread.Clear()
	c.newest.forgetAll()
	c.raiseAll()
}

func (c *recordCache) raiseAll() {
	for i := range c.stripes {
		s := &c.stripes[i]
		s.mu.Lock()
		s.epoch.Add(1)
		s.mu.Unlock()
	}
}

// Follow enables the caches although other processes write to the engine: it receives their changes
// until ctx ends. If the engine cannot report changes, nothing is cached, which is correct but
// slower.
func (s *DB) Follow(ctx context.Context) error {
	tracker, ok := s.engine.(kv.Tracker)
	if !ok {
		return nil
	}
	err := tracker.Track(ctx, trackedKinds(), func(changed []kv.Key, alive bool) {
		if !alive {
			s.cache.lost()
			return
		}
		for _, k := range changed {
			s.cache.changed(k, "")
		}
		if !s.cache.alive.Load() { // without reports, recorded changes are incomplete
			s.cache.raiseAll()
		}
		s.cache.alive.Store(true)
	})
	if errors.Is(err, kv.ErrRefused) { // a wrapper of an engine that reports no changes
		return nil
	}
	return err
}

// watched is the engine as the store uses it. Before a write returns, even with an error, it evicts
// the entries that the write may have changed.
type watched struct {
	kv.Store
	cache *recordCache
}

// Watched returns an engine whose writes evict entries from the store's caches before they return.
// It is for bulk writes that bypass the store's methods.
func (s *DB) Watched(engine kv.Store) kv.Store { return watched{engine, s.cache} }

func (w watched) Txn(ctx context.Context, conds []kv.Cond, changes ...kv.Op) (int, error) {
	failed, err := w.Store.Txn(ctx, bare(conds), changes...)
	w.forget(changes)
	return failed, err
}

func (w watched) Apply(ctx context.Context, changes ...kv.Op) error {
	err := w.Store.Apply(ctx, changes...)
	w.forget(changes)
	return err
}

func (w watched) forget(changes []kv.Op) {
	for _, op := range changes {
		switch op.(type) {
		case *kv.Push, kv.Pull, kv.Merge, kv.Fill, kv.Filled: // feeds are not cached here
		default:
			w.cache.changed(kv.KeyOfOp(op), memberOf(op))
		}
	}
}

// memberOf returns the only member of a set that a change affects, or "".
func memberOf(op kv.Op) string {
	switch op := op.(type) {
	case kv.Add:
		return op.Member
	case kv.Remove:
		return op.Member
	}
	return ""
}

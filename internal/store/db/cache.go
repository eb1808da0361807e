package db

import (
	"context"
	"errors"
	"hash/maphash"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"linnet/internal/cache"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// CountedUser is a user with the counts, as read at one time. It is shared and
// never changed; a later state is another CountedUser.
type CountedUser struct {
	User                           *linnet.User
	Followers, Following, Statuses int64

	last      linnet.ID // the newest status that is counted; 0: none
	ref       UserRef   // to itself, for batches that find it cached
	uncounted bool      // only in the cache: the counts have changed and must be read

	// newest is the user's newest status, if this process wrote it; 0 if that is not
	// known. Where others write too it may be out of date.
	newest linnet.ID
}

// Ref is where the user stands, which must not be modified.
func (u *CountedUser) Ref() *UserRef { return &u.ref }

// CountedStatus is a status with its tally, as read at one time. It is shared
// and never changed.
type CountedStatus struct {
	Status                       *linnet.Status
	Replies, Reposts, Favourites int64
	Quotes                       int64

	closed    int64     // replies that not everybody may see
	ref       StatusRef // to itself, for batches that find it cached
	uncounted bool      // only in the cache: the tally has changed and must be read
}

// recordCache holds users, statuses and readers' state in the process. Every write
// goes through it (see watched) and throws out what it may have changed before
// it returns, or, if its caller has gone before, when it is visible (kv.Late); what
// other processes write comes through the engine's tracker.
//
// A fill races with its invalidation: a reader may fetch the old state, lose the
// processor, and store it after a writer has thrown it out. So each fill notes
// the epoch of its stripe before it asks, and is stored only if the epoch is
// still the same; every invalidation raises it, after the old state was thrown
// out: who has seen the new epoch finds nothing old any more.
type recordCache struct {
	alive    atomic.Bool // changes by others are heard
	stripes  [4096]stripe
	users    *cache.Cache[linnet.ID, *CountedUser]
	statuses *cache.Cache[linnet.ID, *CountedStatus]
	readers  *cache.Cache[linnet.ID, *viewerStates]
	filters  *cache.Cache[linnet.ID, *linnet.FilterSet]
	tokens   *cache.Cache[string, *keptToken] // by hash
	policies *cache.Cache[linnet.ID, linnet.NotificationPolicy]
	pushed   *cache.Cache[linnet.ID, bool] // whether a user has a device to push to
	unread   *cache.Cache[linnet.ID, unreadCount]
	newest   newestSlices
}

// unreadAge is how long a count of unread notifications is cached at most. Changes of the
// notifications and of the user's relations, filters and markers discard it at once. Changes of the
// accounts and statuses that the notifications are about do not.
const unreadAge = 30 * time.Second

// unreadCount is the number of unread notifications that a user is shown, and when it was counted.
// The time takes the place of an expiry of the cache, which would need a goroutine and an end.
type unreadCount struct {
	n  int
	at time.Time
}

// tokenAge is how long a token is kept at most: one that ends by itself, as those of
// browsers do after months, may be used so much longer.
const tokenAge = 10 * time.Minute

type keptToken struct {
	record.TokenRecord
	until time.Time
}

type stripe struct {
	mu    sync.Mutex // of whoever changes the epoch or stores by it
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
		tokens: cache.New(cache.Options[string, *keptToken]{Max: uint64(bytes / 16),
			Weigh: func(hash string, t *keptToken) uint32 { return tokenWeight(hash, t) }}),
		pushed: cache.New(cache.Options[linnet.ID, bool]{Max: uint64(bytes / 64),
			Weigh: func(linnet.ID, bool) uint32 { return pushedWeight }}),
		unread: cache.New(cache.Options[linnet.ID, unreadCount]{Max: uint64(bytes / 64),
			Weigh: func(linnet.ID, unreadCount) uint32 { return unreadWeight }}),
		policies: cache.New(cache.Options[linnet.ID, linnet.NotificationPolicy]{Max: uint64(bytes / 64),
			Weigh: func(linnet.ID, linnet.NotificationPolicy) uint32 { return policyWeight }}),
	}
}

// stripe spreads ids by the golden ratio: those of one shard and almost the same
// time, such as a status and the answers to it, differ in few bits.
func (c *recordCache) stripe(id linnet.ID) *stripe {
	return &c.stripes[uint64(id)*0x9e3779b97f4a7c15>>52] // 12 bits, as many as there are stripes
}

// epoch notes where a fill begins.
func (c *recordCache) epoch(id linnet.ID) uint64 { return c.stripe(id).epoch.Load() }

// store runs f, which stores what was read of id, unless id may have changed
// since epoch.
func (c *recordCache) store(id linnet.ID, epoch uint64, f func()) {
	s := c.stripe(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.epoch.Load() == epoch && c.alive.Load() {
		f()
	}
}

// changed throws out what depends on a key: on a member of it, or "", on any.
func (c *recordCache) changed(k kv.Key, member string) {
	var forget func(linnet.ID)
	switch strings.TrimSuffix(k.Kind, ".gone") { // of a relation that ended
	case record.KindToken:
		c.forget(hashID(k.ID), func(linnet.ID) { c.tokens.Delete(k.ID) })
		return
	case record.KindGlobal:
		slot, id := c.newest.slot(k)
		if slot == nil { // of no slice that is known: not ours
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
	case record.KindExclusive, record.KindJoined:
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

// forget throws out what depends on an id.
func (c *recordCache) forget(id linnet.ID, out func(linnet.ID)) {
	s := c.stripe(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	out(id)
	s.epoch.Add(1)
}

// hashID stands for a hash where stripes go by ids.
func hashID(hash string) linnet.ID { return linnet.ID(maphash.String(hashSeed, hash)) }

var hashSeed = maphash.MakeSeed()

// Token is what a token stands for, by its hash; nil if it is not in force. It is
// shared and must not be modified.
func (s *DB) Token(ctx context.Context, shard uint16, hash string) (*record.TokenRecord, error) {
	now := s.Now()
	if t, ok := s.cache.tokens.Get(hash); ok && now.Before(t.until) && s.cache.alive.Load() && !kv.IsDurable(ctx) {
		return &t.TokenRecord, nil
	}
	epoch := s.cache.epoch(hashID(hash))
	get := &kv.Get{Key: record.HashKey(record.KindToken, shard, hash)}
	if err := s.Read(ctx, get); err != nil || get.Version == 0 {
		return nil, err
	}
	t, err := record.DecodeToken(get)
	if err != nil {
		return nil, err
	}
	t.Hash = hash
	s.cache.store(hashID(hash), epoch, func() { s.cache.tokens.Set(hash, &keptToken{t, now.Add(tokenAge)}) })
	return &t, nil
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

// KeptUser is a user's record if it is kept, whatever has become of the counts; nil if
// it must be asked for. It must not be modified.
func (s *DB) KeptUser(id linnet.ID) *linnet.User {
	if u, ok := s.cache.users.Get(id); ok && s.cache.alive.Load() {
		return u.User
	}
	return nil
}

// Forget makes the next reader of what depends on a key ask again. Writes of this
// process and, by the engine, those of others do so by themselves; this is for who has
// heard of one on another way and must not be slower.
func (s *DB) Forget(k kv.Key) { s.cache.changed(k, "") }

// uncountUser throws out a user's counts. The record is not among what has changed;
// to read and decode it again is most of what a change of the counts would cost.
func (c *recordCache) uncountUser(id linnet.ID) {
	if u, ok := c.users.Get(id); ok && !u.uncounted {
		c.users.Set(id, &CountedUser{User: u.User, uncounted: true})
	}
}

// uncountStatus throws out a status's tally, likewise.
func (c *recordCache) uncountStatus(id linnet.ID) {
	if st, ok := c.statuses.Get(id); ok && !st.uncounted {
		c.statuses.Set(id, &CountedStatus{Status: st.Status, uncounted: true})
	}
}

// freshStatus is what was kept before a status is written.
type freshStatus struct {
	c                  *recordCache
	epoch, authorEpoch uint64
	author             *CountedUser // nil: not kept
}

// BeginStatus notes what is kept before a status, whose id and author are known, is
// written, so that the writer need not read what it has written itself.
func (s *DB) BeginStatus(st *linnet.Status) freshStatus {
	f := freshStatus{c: s.cache, epoch: s.cache.epoch(st.ID), authorEpoch: s.cache.epoch(st.Author)}
	f.author, _ = s.cache.users.Get(st.Author)
	return f
}

// Written keeps a status and its author as they are once the transaction has been
// made that writes the record, data.
func (f freshStatus) Written(st *linnet.Status, data []byte) {
	f.c.created(st.ID, f.epoch, data)
	f.c.posted(f.author, f.authorEpoch, st)
}

// created keeps a status that was just written, with nothing counted yet, as it
// would be read. written is the record; epoch is that of the moment before the
// transaction, which has raised it by one itself: if it stands higher, somebody
// else may have changed the status since.
func (c *recordCache) created(id linnet.ID, epoch uint64, written []byte) {
	st, err := record.DecodeStatus(id, &kv.Get{Data: written, Version: 1})
	if err != nil {
		return
	}
	whole := &CountedStatus{Status: st}
	whole.ref.set(whole)
	c.store(id, epoch+1, func() { c.statuses.Set(id, whole) })
}

// posted keeps the author of a status that was just written, with one status more
// where it counts, as the counts would be read. before is what was kept, if
// anything, at epoch, the moment before the transaction. The transaction has raised
// that by one itself if it counts the status, else not at all.
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

// forgetStates throws out a reader's viewer states but for those that are left: requests
// under way may hold the old ones, which therefore stay as they are.
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

// trackedKinds are the kinds of key that changed knows.
func trackedKinds() []string {
	return []string{record.KindUser, record.KindCounts, record.KindStatus, record.KindTally, record.Follows().Owned, record.Favourites().Owned, record.Reposts().Owned, record.KindBookmarks, record.KindRelationships, record.KindExclusive, record.KindJoined, record.KindFilters, record.KindToken, record.KindPolicy, record.KindPushes, record.KindGlobal, record.KindNotices, record.KindMarkers}
}

// lost throws everything out and keeps nothing until changes are heard again. The
// epochs rise before, so that no fill under way is stored, and once more when
// nothing old is left.
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

// Follow lets the store keep what it reads although other processes write to
// the engine as well: it hears of their changes until ctx ends. If the engine
// cannot tell, nothing is kept, which is right but slower.
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
		if !s.cache.alive.Load() { // what was noted while nothing was heard is worth nothing
			s.cache.raiseAll()
		}
		s.cache.alive.Store(true)
	})
	if errors.Is(err, kv.ErrRefused) { // a wrapper of an engine that cannot tell
		return nil
	}
	return err
}

// watched is the engine as the store uses it: what a write may have changed is
// forgotten, whatever its outcome, before it returns.
type watched struct {
	kv.Store
	cache *recordCache
}

// Watched is an engine as the store uses its own: what is written through it is
// forgotten by the store's caches before the write returns. For what writes very many
// records past the store's own methods.
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
		case *kv.Push, kv.Pull, kv.Merge, kv.Fill, kv.Filled: // feeds are not kept here
		default:
			w.cache.changed(kv.KeyOfOp(op), memberOf(op))
		}
	}
}

// memberOf returns the only member of a set that a change concerns, or "".
func memberOf(op kv.Op) string {
	switch op := op.(type) {
	case kv.Add:
		return op.Member
	case kv.Remove:
		return op.Member
	}
	return ""
}

// randomStart is where the sequence of an id begins within its millisecond, in
// the lower half so that there is room above.
func randomStart() uint8 { return uint8(rand.Uint32() & 31) }

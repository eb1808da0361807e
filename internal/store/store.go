// Package store contains every read and write of records over the port. Package record defines keys
// and formats. The store does not know permissions: higher layers decide whether an action is
// allowed. The packages below it hold the records by subject. They do not know each other, and all
// use package db.
//
// Invariants:
//
//   - All data of a user is in the user's shard, and all data about a status in its author's
//     shard, so that an action is one transaction. A task writes the other side of a
//     relation.
//   - A feed may be missing at any time. The sets of posts and the graph contain everything
//     that a feed contains.
//   - After a write returns, no later read in this process sees the earlier data. Writes of
//     other processes become visible when the engine reports them. While it cannot report,
//     nothing is cached.
package store

import (
	"context"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/accounts"
	"linnet/internal/store/archives"
	"linnet/internal/store/db"
	"linnet/internal/store/feeds"
	"linnet/internal/store/inbox"
	"linnet/internal/store/instance"
	"linnet/internal/store/relations"
	"linnet/internal/store/sessions"
	"linnet/internal/store/staff"
	"linnet/internal/store/statuses"
)

// Options of a Store.
type Options = db.Options

// Store reads and writes records. Its fields are the stores per subject, and a Batch reads several
// kinds at once. It is safe for concurrent use.
type Store struct {
	db *db.DB

	Instance  *instance.Store  // the instance: description, format, set-up, emoji, roles
	Accounts  *accounts.Store  // users, sign-up, invitations
	Sessions  *sessions.Store  // tokens, apps, second factors
	Relations *relations.Store // relations of users to users, lists and statuses
	Statuses  *statuses.Store  // statuses, tags, public timelines, promotions
	Feeds     *feeds.Store     // feeds and rankings computed for readers
	Inbox     *inbox.Store     // notifications, conversations, filters, positions
	Staff     *staff.Store     // reports, audit log, statistics
	Archives  *archives.Store  // exports and imports
}

// New returns a store on an engine.
func New(engine kv.Engine, opt Options) *Store {
	d := db.New(engine, opt)
	return &Store{db: d, Instance: instance.New(d), Accounts: accounts.New(d), Sessions: sessions.New(d), Relations: relations.New(d), Statuses: statuses.New(d),
		Feeds: feeds.New(d), Inbox: inbox.New(d), Staff: staff.New(d), Archives: archives.New(d)}
}

// Engine returns the engine for the wiring of the bus, the meter and the task queue. Services must
// not call it, which internal/rules checks.
func (s *Store) Engine() kv.Engine { return s.db.Engine() }

// Watched returns the engine wrapped so that writes through it invalidate the store's caches.
func (s *Store) Watched(engine kv.Store) kv.Store { return s.db.Watched(engine) }

// Now returns the time of the instance: the engine's clock, as last compared.
func (s *Store) Now() time.Time { return s.db.Now() }

// SyncClock compares the local clock with the engine's and returns the offset.
func (s *Store) SyncClock(ctx context.Context) (time.Duration, error) { return s.db.SyncClock(ctx) }

// Follow lets the store cache records although other processes write to the engine, see db.DB.
func (s *Store) Follow(ctx context.Context) error { return s.db.Follow(ctx) }

// NewID generates an id in a shard, later than earlier ones there and later than after.
func (s *Store) NewID(shard uint16, after linnet.ID) linnet.ID { return s.db.NewID(shard, after) }

// Batch begins a batch of reads.
func (s *Store) Batch() *db.Batch { return s.db.Batch() }

// CachedUser returns a cached user record, or nil if it isn't cached. It must not be modified.
func (s *Store) CachedUser(id linnet.ID) *linnet.User { return s.db.CachedUser(id) }

// WatchOf begins to watch some users or statuses for changes.
func (s *Store) WatchOf(ids ...linnet.ID) *db.Watch { return s.db.WatchOf(ids...) }

// Written returns a status that was just written, and its author, for the rest of the action. See
// db.Written.
func (s *Store) Written(st *linnet.Status, by *linnet.User) (*db.Written, error) {
	return s.db.Written(st, by)
}

// UserNow reads the current record of a user, bypassing caches. It returns nil if there is none.
func (s *Store) UserNow(ctx context.Context, id linnet.ID) (*linnet.User, error) {
	return s.db.UserNow(ctx, id)
}

// Members reads a page of a set of ids, ordered by (score, id), newest first.
func (s *Store) Members(ctx context.Context, key kv.Key, p linnet.Page) ([]db.Entry, error) {
	return s.db.Members(ctx, key, p)
}

// After reads the next members of a set in ascending order after a member (zero for the beginning),
// and the member to continue after.
func (s *Store) After(ctx context.Context, key kv.Key, from kv.Member, limit int) ([]linnet.ID, kv.Member, error) {
	return s.db.After(ctx, key, from, limit)
}

// All reads a whole set of ids in rising order, at most limit.
func (s *Store) All(ctx context.Context, key kv.Key, limit int) ([]linnet.ID, error) {
	return s.db.All(ctx, key, limit)
}

// MergePosts reads the first entries that keep accepts, within a span, from a source of several
// authors. See db.DB.MergePosts.
func (s *Store) MergePosts(ctx context.Context, source db.Source, authors []linnet.ID, sp db.Span, least int, keep func(record.Post) bool) (db.Merged, error) {
	return s.db.MergePosts(ctx, source, authors, sp, least, keep)
}

// MergeTagged is MergePosts for the statuses under some folded tags. See db.DB.MergeTagged.
func (s *Store) MergeTagged(ctx context.Context, tags []string, sp db.Span, least int) (db.Merged, error) {
	return s.db.MergeTagged(ctx, tags, sp, least)
}

package core

import (
	"context"
	"log/slog"
	"net/netip"
	"time"

	"linnet/internal/blob"
	"linnet/internal/mail"
	"linnet/internal/media"
)

// DefaultRendered is the default size in bytes of the cache of rendered statuses, users and texts.
const DefaultRendered = 128 << 20

// DefaultMaxArchive is the default maximum size in bytes of an export.
const DefaultMaxArchive = 20 << 30

// DefaultMaxImport is the default maximum size in bytes of an import of posts.
const DefaultMaxImport = 2 << 30

// Options of a Service.
type Options struct {
	PublicURL string // "https://example.com", without a trailing slash; prefix of links
	Log       *slog.Logger
	Exclusive bool      // only this process uses the store
	Delegate  bool      // leave tasks to other servers after their first batch
	Workers   int       // concurrent batches of tasks; 0 for defaultWorkers
	Name      string    // name of this server, stable across restarts
	Version   string    // version of the program, shown to other servers of the store
	Observe   *Observer // receives events; can be nil
	LimitNew  bool      // new accounts have stricter limits, for the time set in the instance settings
	Rates     Rates     // rate limits of requests
	PullAbove int64     // number of followers above which an author is pulled; 0 for DefaultPullAbove
	Rendered  int64     // bytes of cached rendered statuses, users and texts; 0 for DefaultRendered
	IndexAt   int       // statuses per new segment of the search index; 0 for DefaultIndexAt
	Derive    Derive    // derives keys from passwords; nil for argon2id

	Files     blob.Store    // storage of files; nil disables uploads
	Pictures  *media.Worker // processes pictures; nil processes them in this process
	Receiving string        // directory for incomplete uploads; "" for the system's

	MaxArchive int64 // bytes of an export made by a task; 0 for DefaultMaxArchive
	MaxImport  int64 // bytes of an uploaded archive of posts; 0 for DefaultMaxImport

	Translate struct{ URL, Key string } // LibreTranslate server without a trailing slash, and its key; "" disables translation

	Mail *mail.Server // mail server; nil sends no e-mails

	Backups *Backups // makes backups on request of an administrator; nil if this server can't

	Examine func(context.Context) []Finding // checks the server; nil if unavailable

	Reach []netip.Prefix // private networks from which pages can be fetched, see outbound.Options
}

// Backups starts backups of the whole server.
type Backups struct {
	To    string                              // destination, as shown to administrators
	Start func(context.Context) error         // starts a backup; returns Conflict if one is running
	Next  func(last, now time.Time) time.Time // time of the next backup after the last one (zero if there was none); zero for never
}

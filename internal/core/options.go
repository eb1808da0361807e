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
	PublicURL string // "https://example.com", without a slash at the end; links are made from it
	Log       *slog.Logger
	Exclusive bool      // this process alone uses the store
	Delegate  bool      // leave tasks to other servers after their first batch
	Workers   int       // passes of tasks at a time; 0: see defaultWorkers
	Name      string    // of this server among others, also when it is started again
	Version   string    // of the program, for other servers of the store
	Observe   *Observer // receives events; can be nil
	LimitNew  bool      // new accounts have tighter limits, for as long as the installation says
	Rates     Rates     // of requests
	PullAbove int64     // followers from which an author is pulled; 0: DefaultPullAbove
	Rendered  int64     // bytes of cached rendered statuses, users and texts; 0 for DefaultRendered
	IndexAt   int       // statuses from which a segment of the search index is made; 0: DefaultIndexAt
	Derive    Derive    // makes keys of passwords; nil: argon2id

	Files     blob.Store    // storage of files; nil disables uploads
	Pictures  *media.Worker // processes pictures; nil processes them in this process
	Receiving string        // directory for uploads in progress; "" for the system's

	MaxArchive int64 // bytes of an export made by a task; 0 for DefaultMaxArchive
	MaxImport  int64 // bytes of an archive of posts that a user brings; 0: DefaultMaxImport

	Translate struct{ URL, Key string } // LibreTranslate server without a trailing slash, and its key; "" disables translation

	Mail *mail.Server // takes e-mails; nil: none are sent

	Backups *Backups // how backups are made when an administrator wants one; nil: not by this server

	Examine func(context.Context) []Finding // checks the server; nil if unavailable

	Reach []netip.Prefix // private networks that can be fetched from, see outbound.Options
}

// Backups make backups of the whole installation.
type Backups struct {
	To    string                              // where they go, for people
	Start func(context.Context) error         // begins one: Conflict if one is under way
	Next  func(last, now time.Time) time.Time // when the one after a moment is due (zero: there was none); zero: never
}

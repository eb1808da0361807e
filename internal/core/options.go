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

// DefaultRendered is how many bytes are kept of statuses, people and texts as they are shown.
const DefaultRendered = 128 << 20

// DefaultMaxArchive is how large an archive may be that a user asks for.
const DefaultMaxArchive = 20 << 30

// DefaultMaxImport is how large an archive of posts may be that a user brings.
const DefaultMaxImport = 2 << 30

// Options of a Service.
type Options struct {
	PublicURL string // "https://example.com", without a slash at the end; links are made from it
	Log       *slog.Logger
	Exclusive bool      // this process alone uses the store
	HandOver  bool      // tasks are left to other servers after their first pass
	Workers   int       // passes of tasks at a time; 0: see defaultWorkers
	Name      string    // of this server among others, also when it is started again
	Version   string    // of the program, which other servers on the store are told
	Observe   *Observer // is told of what happens; may be nil
	LimitNew  bool      // new accounts have tighter limits, for as long as the installation says
	Rates     Rates     // of requests
	PullAbove int64     // followers from which an author is pulled; 0: DefaultPullAbove
	Rendered  int64     // bytes of statuses, people and texts that are kept as they are shown; 0: DefaultRendered
	IndexAt   int       // statuses from which a segment of the search index is made; 0: DefaultIndexAt
	Derive    Derive    // makes keys of passwords; nil: argon2id

	Files     blob.Store    // where pictures are kept; nil: nobody can send any
	Pictures  *media.Worker // makes of pictures what is kept; nil: one that works in this process
	Receiving string        // the directory for what is being received; "": that of the system

	MaxArchive int64 // bytes of what a user takes along, as far as a task makes it; 0: DefaultMaxArchive
	MaxImport  int64 // bytes of an archive of posts that a user brings; 0: DefaultMaxImport

	Translate struct{ URL, Key string } // the server of LibreTranslate, without a slash at the end, and its key; "": nothing is translated

	Mail *mail.Server // takes e-mails; nil: none are sent

	Backups *Backups // how backups are made when an administrator wants one; nil: not by this server

	Examine func(context.Context) []Finding // looks how the installation is; nil: nobody can

	Reach []netip.Prefix // networks that are not public and may be asked all the same, see outbound.Options
}

// Backups make backups of the whole installation.
type Backups struct {
	To    string                              // where they go, for people
	Start func(context.Context) error         // begins one: Conflict if one is under way
	Next  func(last, now time.Time) time.Time // when the one after a moment is due (zero: there was none); zero: never
}

package diskkv

import (
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// SyncMode says when a write is acknowledged.
type SyncMode string

const (
	// SyncAlways acknowledges a write when it is on the disk (fsync, shared by
	// all writers that wait at the time). It is the default.
	SyncAlways SyncMode = "always"
	// SyncInterval acknowledges a write at once and syncs once a second: a
	// crash of the machine or of the process may lose that second.
	SyncInterval SyncMode = "interval"
)

// ExitCode is the code with which the process ends when the disk failed in a
// way after which no write can be acknowledged (EX_TEMPFAIL).
const ExitCode = 75

const (
	defaultReserve    = 256 << 20
	defaultFeedMemory = 256 << 20
	defaultCache      = 64 << 20
	defaultBusQueue   = 1024
	sweepEvery        = time.Minute
	syncEvery         = time.Second
)

// Options adjusts an Engine. The zero value is what a server should run with.
type Options struct {
	// Sync is SyncAlways if empty.
	Sync SyncMode
	// Reserve is how many bytes have to remain free on the disk: below it
	// writes answer kv.ErrFull. It has to hold what the store still writes of
	// its own accord after that (tables, merges); 256 MiB if 0, nothing is
	// refused if negative.
	Reserve int64
	// FeedMemory bounds the bytes that feeds take; those that were not read
	// for longest are forgotten first. 256 MiB (about 27,000 full feeds) if 0.
	FeedMemory int64
	// FeedTTL is how long a feed stays that nobody reads; until FeedMemory is
	// used up if 0.
	FeedTTL time.Duration
	// Cache is the size in bytes of the cache of table blocks; 64 MiB if 0.
	Cache int64
	// BusQueue is how many messages a subscription holds before it is closed
	// for being slow; 1024 if 0.
	BusQueue int

	// Logger receives what the store has to say; nobody if nil.
	Logger *slog.Logger
	// Now is the clock by which values, fillings and meters expire; time.Now
	// if nil. It must be safe for concurrent use.
	Now func() time.Time
	// Fatal is called once when the store can go on no longer. It should not
	// return; if it does, every later call answers kv.ErrUnavailable (but Open
	// may not return either). If nil, it writes msg to standard error and ends
	// the process with ExitCode.
	Fatal func(msg string)

	// FS is the file system; the real one if nil.
	FS vfs.FS
	// Free answers how many bytes are free on the disk; asked of FS if nil.
	Free func() (uint64, error)
}

func (o Options) withDefaults() (Options, error) {
	if o.Sync == "" {
		o.Sync = SyncAlways
	}
	if o.Sync != SyncAlways && o.Sync != SyncInterval {
		return o, fmt.Errorf("sync mode %q is neither %q nor %q", o.Sync, SyncAlways, SyncInterval)
	}
	o.Reserve = orElse(o.Reserve, defaultReserve)
	o.FeedMemory = orElse(o.FeedMemory, defaultFeedMemory)
	o.Cache = orElse(o.Cache, defaultCache)
	o.BusQueue = int(orElse(int64(o.BusQueue), defaultBusQueue))
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Fatal == nil {
		o.Fatal = exit
	}
	if o.FS == nil {
		o.FS = privateFS{vfs.Default}
	}
	return o, nil
}

func orElse(n, def int64) int64 {
	if n == 0 {
		return def
	}
	return n
}

func exit(msg string) {
	fmt.Fprintln(os.Stderr, msg)
	os.Exit(ExitCode)
}

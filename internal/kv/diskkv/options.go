package diskkv

import (
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// SyncMode determines when a write is acknowledged.
type SyncMode string

const (
	// SyncAlways acknowledges a write after an fsync, which concurrent writers share. It is the
	// default.
	SyncAlways SyncMode = "always"
	// SyncInterval acknowledges a write at once and syncs once a second. A crash of the machine or
	// the process may lose the writes of the last second.
	SyncInterval SyncMode = "interval"
)

// ExitCode is the exit code of the process after a disk failure that prevents all further writes
// (EX_TEMPFAIL).
const ExitCode = 75

const (
	defaultReserve    = 256 << 20
	defaultFeedMemory = 256 << 20
	defaultCache      = 64 << 20
	defaultBusQueue   = 1024
	sweepEvery        = time.Minute
	syncEvery         = time.Second
)

// Options configure an Engine. The zero value suits servers.
type Options struct {
	// Sync is the sync mode. The default is SyncAlways.
	Sync SyncMode
	// Reserve is the number of bytes that must remain free on the disk. Below it writes return
	// kv.ErrFull. It has to hold the tables and merges that the store still writes afterwards. The
	// default is 256 MiB, and negative values refuse nothing.
	Reserve int64
	// FeedMemory limits the memory of feeds. The least recently read feeds are dropped first. The
	// default is 256 MiB, which is about 27,000 full feeds.
	FeedMemory int64
	// FeedTTL is how long unread feeds are stored. By default only FeedMemory limits them.
	FeedTTL time.Duration
	// Cache is the size in bytes of the cache of table blocks. The default is 64 MiB.
	Cache int64
	// BusQueue is the number of queued messages after which a slow subscription is closed. The
	// default is 1024.
	BusQueue int

	// Logger receives log messages. The default discards them.
	Logger *slog.Logger
	// Now is the clock for the expiry of values, fillings and meters. It must be safe for
	// concurrent use. The default is time.Now.
	Now func() time.Time
	// Fatal is called once when the store fails. It should not return. If it does, all later calls
	// return kv.ErrUnavailable, except Open, which may not return. By default msg is written to
	// standard error and the process exits with ExitCode.
	Fatal func(msg string)

	// FS is the file system. The default is the system's.
	FS vfs.FS
	// Free returns the free bytes on the disk. The default asks FS.
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

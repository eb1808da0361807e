package core

import (
	"fmt"
	"hash/maphash"
	"log/slog"
	"net/url"
	"runtime"

	"golang.org/x/crypto/argon2"

	"linnet/internal/event"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/media"
	"linnet/internal/store"
	"linnet/internal/task"
)

// Base has the dependencies of every service.
type Base struct {
	Store   *store.Store
	Options Options // complete, see Options.Complete
	Tasks   *task.Queue
	Facts   *event.Facts
	Bus     kv.Bus   // events between servers
	Meter   kv.Meter // counts of all servers
	State   kv.State // state of the engine, for operators
}

// Complete returns options with defaults for zero values.
func (o Options) Complete() Options {
	o.Rates = o.Rates.withDefaults()
	if o.PullAbove == 0 {
		o.PullAbove = DefaultPullAbove
	}
	if o.IndexAt == 0 {
		o.IndexAt = DefaultIndexAt
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Derive == nil {
		o.Derive = argon2.IDKey
	}
	if o.Pictures == nil {
		o.Pictures = media.NewWorker()
	}
	if o.Rendered == 0 {
		o.Rendered = DefaultRendered
	}
	if o.MaxImport == 0 {
		o.MaxImport = DefaultMaxImport
	}
	if o.MaxArchive == 0 {
		o.MaxArchive = DefaultMaxArchive
	}
	if o.Workers == 0 {
		o.Workers = defaultWorkers(o.Exclusive)
	}
	return o
}

// defaultWorkers returns the number of concurrent batches. With an embedded store, batches need CPU
// time, and half of the processors are left to requests. With a remote store, batches mostly wait
// for it.
func defaultWorkers(exclusive bool) int {
	if exclusive {
		return max(runtime.GOMAXPROCS(0)/2, 1)
	}
	return 4
}

// New returns a Service. It returns an error if the public URL is not absolute.
func New(b Base) (*Service, error) {
	u, err := url.Parse(b.Options.PublicURL)
	if err != nil || u.Host == "" {
		return nil, fmt.Errorf("public URL %q is not an absolute URL", b.Options.PublicURL)
	}
	s := &Service{st: b.Store, opt: b.Options, TagRules: &TagRules{st: b.Store}, facts: b.Facts, bus: b.Bus, meter: b.Meter, state: b.State, Hostname: u.Host,
		unsecured: linnet.Errorf(linnet.Forbidden, "Moderators and administrators need two-factor authentication or a passkey. Set one up at %s/settings/security, then try again.", b.Options.PublicURL)}
	s.meters = &meters{s: s, seed: maphash.MakeSeed()}
	for i := range s.meters.stripes {
		s.meters.stripes[i].m = map[meterKey]*meter{}
	}
	return s, nil
}

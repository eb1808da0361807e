// Package social is what people can do: one method an act. It decides who may see
// and do what, and in which order things are written; what a frontend offers may be
// less, never more. It knows no wire format and no storage engine.
//
// Invariants:
//
//   - What a viewer may not see does not exist for them: NotFound, on every way.
//   - An act is committed by one transaction; what follows elsewhere is a task
//     written with it. An answer may be given when the transaction is made.
//   - Every entry of a feed is checked when it is shown: what was deleted, is no
//     longer followed or may not be read falls out there, so a late clean-up is
//     never visible.
package social

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/maypok86/otter/v2"
	"golang.org/x/crypto/argon2"

	"linnet/internal/linnet"
	"linnet/internal/store"
	"linnet/internal/task"
)

// Options of a Service.
type Options struct {
	PublicURL string // "https://example.com", without a slash at the end; links are made from it
	Log       *slog.Logger
	Exclusive bool      // this process alone uses the store
	HandOver  bool      // tasks are left to other servers after their first pass
	Workers   int       // passes of tasks at a time; 0: see defaultWorkers
	Name      string    // of this server among others, also when it is started again
	Observe   *Observer // is told of what happens; may be nil
	LimitNew  bool      // new accounts have tighter limits, for as long as the installation says
	Rates     Rates     // of requests
	PullAbove int64     // followers from which an author is pulled; 0: DefaultPullAbove
	Derive    Derive    // makes keys of passwords; nil: argon2id
}

// Service performs the acts. It is safe for concurrent use.
type Service struct {
	st         *store.Store
	opt        Options
	host       string
	tasks      *task.Queue
	hub        *hub
	meters     *meters
	html       *otter.Cache[linnet.ID, string]      // of statuses; their texts do not change
	views      *otter.Cache[linnet.ID, *rendered]   // of statuses, by state
	faces      *otter.Cache[linnet.ID, *shownUser]  // of users, by state
	loaders    sync.Pool                            // *loader
	profiles   *otter.Cache[linnet.ID, *profile]    // rendered parts of users, by version
	sessions   *otter.Cache[string, linnet.Session] // by token hash, for at most sessionAge
	ended      atomic.Int64                         // rises when sessions end or change, see keepSession
	hashing    chan struct{}                        // bounds password hashing at a time
	decoy      string                               // hash to compare with when a login is unknown
	totals     totalsCache
	pulled     atomic.Pointer[pulledSet]
	firstLevel atomic.Pointer[placeLevel]
	backlog    backlog
	day        daybook
	settings   atomic.Pointer[settings]
	lately     *lately
	popular    atomic.Pointer[popular]
	trendBoard trendBoard

	suggestions *otter.Cache[linnet.ID, []suggested] // by user
	talks       *unreadTalks
}

// New makes a service over a store. Call Run to let it work.
func New(st *store.Store, opt Options) (*Service, error) {
	u, err := url.Parse(opt.PublicURL)
	if err != nil || u.Host == "" {
		return nil, fmt.Errorf("public URL %q is not an absolute URL", opt.PublicURL)
	}
	opt.Rates = opt.Rates.withDefaults()
	if opt.PullAbove == 0 {
		opt.PullAbove = DefaultPullAbove
	}
	if opt.Log == nil {
		opt.Log = slog.Default()
	}
	if opt.Derive == nil {
		opt.Derive = argon2.IDKey
	}
	if opt.Workers == 0 {
		opt.Workers = defaultWorkers(opt.Exclusive)
	}
	s := &Service{st: st, opt: opt, host: u.Host, hashing: make(chan struct{}, hashAtOnce), lately: newLately(),
		html: otter.Must(&otter.Options[linnet.ID, string]{MaximumWeight: 32 << 20,
			Weigher: func(_ linnet.ID, h string) uint32 { return uint32(len(h)) + 100 }}),
		views:    otter.Must(&otter.Options[linnet.ID, *rendered]{MaximumWeight: 64 << 20, Weigher: renderedWeight}),
		faces:    otter.Must(&otter.Options[linnet.ID, *shownUser]{MaximumWeight: 32 << 20, Weigher: shownUserWeight}),
		profiles: otter.Must(&otter.Options[linnet.ID, *profile]{MaximumSize: 50_000}),
		sessions: otter.Must(&otter.Options[string, linnet.Session]{MaximumSize: 100_000,
			ExpiryCalculator: otter.ExpiryWriting[string, linnet.Session](sessionAge)}),
		suggestions: otter.Must(&otter.Options[linnet.ID, []suggested]{MaximumSize: 10_000,
			ExpiryCalculator: otter.ExpiryWriting[linnet.ID, []suggested](suggestAge)}),
		talks: newUnreadTalks(opt.Exclusive),
		decoy: decoy(),
	}
	s.opt.Observe = s.day.watch(opt.Observe)
	s.hub, s.meters = newHub(s), newMeters(s)
	s.tasks = task.NewQueue(st.Engine(), s.handlers(), task.Options{
		Now: st.Now, Log: opt.Log, Exclusive: opt.Exclusive, HandOver: opt.HandOver, Workers: opt.Workers, Name: opt.Name,
		Ended: s.opt.Observe.taskEnded})
	return s, nil
}

// defaultWorkers: passes over a store in the same process take processors, of
// which they leave half to requests; those over another server wait for it most
// of the time.
func defaultWorkers(exclusive bool) int {
	if exclusive {
		return max(runtime.GOMAXPROCS(0)/2, 1)
	}
	return 4
}

// PublicURL is the address that links are made from, Host its host with port.
func (s *Service) PublicURL() string { return s.opt.PublicURL }

// Host is the host, with a port if the public address has one.
func (s *Service) Host() string { return s.host }

// clockTooFar is how far our clock may be off before it is logged.
const clockTooFar = 250 * time.Millisecond

// Run works on tasks, keeps the clock and carries streams until ctx ends; when it
// returns, nothing of it is left running.
func (s *Service) Run(ctx context.Context) {
	if _, err := s.st.SyncClock(ctx); err != nil && ctx.Err() == nil {
		s.opt.Log.Warn("clock of the store", "err", err)
	}
	if err := s.loadPulled(ctx); err != nil && ctx.Err() == nil {
		s.opt.Log.Warn("authors that are pulled", "err", err)
	}
	var beside sync.WaitGroup
	beside.Go(func() { every(ctx, pulledEvery, s.refresh) })
	beside.Go(func() { s.hub.run(ctx) })
	beside.Go(func() { every(ctx, tellEvery, s.meters.tellAll) })
	beside.Go(func() {
		s.followSettings(ctx) // at once: it is a server's first look
		every(ctx, settingsEvery, s.followSettings)
	})
	beside.Go(func() { s.handOnAlways(ctx) })
	beside.Go(func() { every(ctx, dayEvery, s.keepDay) })
	s.tasks.Serve(ctx)
	beside.Wait()
}

// every calls do at intervals, until ctx ends.
func every(ctx context.Context, d time.Duration, do func(context.Context)) {
	t := time.NewTicker(d)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			do(ctx)
		}
	}
}

// Reload reads at once what every server has to know of the whole, which Run
// does at intervals: which authors are pulled.
func (s *Service) Reload(ctx context.Context) error { return kvError(s.loadPulled(ctx)) }

// refresh refreshes, at intervals, what every server has to know.
func (s *Service) refresh(ctx context.Context) {
	if err := s.loadPulled(ctx); err != nil && ctx.Err() == nil {
		s.opt.Log.Warn("authors that are pulled", "err", err)
	}
	if off, err := s.st.SyncClock(ctx); err == nil && off.Abs() > clockTooFar {
		s.opt.Log.Warn("this machine's clock differs from the store's; ids follow the store's", "ahead", -off)
	}
}

// Idle reports whether this server holds no task.
func (s *Service) Idle() bool { return s.tasks.Idle() }

// Ready tells whether the store answers and accepts writes.
func (s *Service) Ready(ctx context.Context) error { return kvError(s.st.Engine().Ping(ctx)) }

// Store is the store below, for commands that work beside serving.
func (s *Service) Store() *store.Store { return s.st }

// kvError turns the engine's errors into ours where people can do something
// about them; other errors pass.
func kvError(err error) error {
	var le *linnet.Error
	switch {
	case err == nil || errors.As(err, &le):
		return err
	case store.Full(err):
		return &joined{linnet.Errorf(linnet.Full, "The server's storage is full. Reading works; ask the operator to free space."), err}
	case store.Unavailable(err):
		e := linnet.Errorf(linnet.Unavailable, "The server's storage does not answer at the moment. Please try again.")
		e.RetryAfter = 5 * time.Second
		return &joined{e, err}
	}
	return err
}

// surely looks for what an act is about, and again, by what is durable, if there is
// no such thing: to whoever sends a deletion again that is a yes.
func surely[T any](ctx context.Context, find func(context.Context) (T, error)) (T, error) {
	v, err := find(ctx)
	if linnet.KindOf(err) == linnet.NotFound {
		return find(store.Durable(ctx))
	}
	return v, err
}

// joined shows an Error to people and keeps the cause for the log.
type joined struct {
	shown *linnet.Error
	cause error
}

func (j *joined) Error() string   { return j.shown.Msg + " (" + j.cause.Error() + ")" }
func (j *joined) Unwrap() []error { return []error{j.shown, j.cause} }

package admin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"golang.org/x/sync/errgroup"

	"linnet/internal/blob"
	"linnet/internal/kv"
	"linnet/internal/record"
	"linnet/internal/store"
)

// Leaving is a store that is moved to another.
type Leaving struct {
	Engine kv.Engine // through which record.FenceKey is written, so that it counts
	// Changes tells what is changed, as a kv.Tracker does.
	Changes func(ctx context.Context, kinds []string, f func([]kv.Key, bool)) error
	// Quiet is how long after the fence was closed others may still acknowledge writes.
	Quiet time.Duration
	Files blob.Store // nil: they stay where they are
}

// Entering is a store that takes its place.
type Entering struct {
	Engine kv.Engine
	Files  blob.Store // nil: they stay where they are
}

// MigrateOptions adjust a migration.
type MigrateOptions struct {
	From, To string // where the stores are, for people
	Scratch  string // a directory for what a copy of a Redis needs while it is read
	Progress *Progress
}

// Migrated says what was moved.
type Migrated struct {
	From    string    `json:"from"`
	To      string    `json:"to"`
	Moment  time.Time `json:"moment"` // as of which both stores were compared
	Digest  string    `json:"digest"` // of both
	Entries int64     `json:"entries"`
	Files   int64     `json:"files"`   // that were copied
	Changed int64     `json:"changed"` // records that were brought over again since they changed
	Rounds  int       `json:"rounds"`  // in which they were
	Seconds float64   `json:"seconds"`
	Stopped float64   `json:"stopped"` // seconds for which nothing could be written
	Resumed bool      `json:"resumed"` // all had been moved, and the new store was only opened
}

var (
	// ErrOtherMove: a store is moved, or was, but not from or to the one that is named.
	ErrOtherMove = errors.New("it is part of another migration: run that again, or take an empty store")
	// ErrMoves: the store is just being moved, or the end of whoever did it is not known yet.
	ErrMoves = fmt.Errorf("%w: it is being moved already, or that was broken off within the last %v", kv.ErrUnavailable, fenceTTL)
	// ErrDiffers: the stores do not hold the same at the end.
	ErrDiffers = errors.New("the stores do not hold the same")

	// errUnheard ends a try: changes of the source went unheard.
	errUnheard = fmt.Errorf("%w: changes went unheard", kv.ErrUnavailable)
)

const (
	migrateTries  = 3                // how often it begins anew when changes went unheard
	migrateRounds = 40               // how often changes are brought over before it is given up
	migrateFew    = 500              // of how many changes it is believed that they are brought over in a moment
	migrateLook   = time.Second      // between two rounds while all is read again
	migrateEnds   = 30 * time.Second // for what has to be done at the end
	migrateHears  = 10 * time.Second // within which every change must have been heard
)

// migration is a move that is under way.
type migration struct {
	from    Leaving
	to      Entering
	opt     MigrateOptions
	fence   *fence
	changes *changes
	report  Migrated
	marks   marks
	closed  time.Time // when the fence was; zero: it is open
}

// Migrate moves a store to another, of any engine, while it is used. It copies everything,
// brings over what changes meanwhile, and stops writes for seconds: then the last changes
// follow, both stores are read as they are, and if every shard of them has the same digest
// the new one is opened and the old one closed for good. If anything fails before, the old
// one goes on, and no server starts on the new one. Broken off at any point, the same call
// again goes on.
func Migrate(ctx context.Context, from Leaving, to Entering, opt MigrateOptions) (*Migrated, error) {
	m := &migration{from: from, to: to, opt: opt, report: Migrated{From: opt.From, To: opt.To}}
	began := time.Now()
	moved, err := m.look(ctx)
	if err == nil && moved {
		m.report.Resumed = true
		err = m.open(ctx)
	} else if err == nil {
		err = m.move(ctx)
	}
	if err != nil {
		return nil, err
	}
	m.report.Seconds = time.Since(began).Seconds()
	return &m.report, nil
}

// move does all of it, under a note in the source that it does.
func (m *migration) move(ctx context.Context) error {
	var err error
	if m.fence, err = raise(ctx, m.from.Engine, record.Fence{Target: m.marks.target, To: m.opt.To}); err != nil {
		return err
	}
	ctx, lost := context.WithCancelCause(ctx)
	defer lost(nil)
	kept := m.fence.keep(ctx, lost)
	err = m.enter(ctx)
	for try := 1; err == nil; try++ {
		if err = m.try(ctx); !errors.Is(err, errUnheard) || try == migrateTries || m.stopped() {
			break
		}
		m.opt.Progress.say("changes went unheard; what differs is looked for")
		err = nil
	}
	if cause := context.Cause(ctx); err != nil && cause != nil {
		err = cause
	}
	lost(nil)
	<-kept
	if err == nil {
		err = m.commit(ctx)
	}
	if err != nil && !m.fence.moved {
		m.fence.lift(ctx)
	}
	return err
}

// stopped says whether writes are.
func (m *migration) stopped() bool { return !m.closed.IsZero() }

// try copies, follows what changes, and compares, up to where the new store can be opened.
func (m *migration) try(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	m.changes = &changes{}
	if err := m.from.Changes(ctx, trackedKinds(), m.changes.hear); err != nil {
		return fmt.Errorf("hear what changes in the store: %w", err)
	}
	if err := m.changes.begin(ctx); err != nil {
		return err
	}
	if err := m.files(ctx); err != nil {
		return err
	}
	if err := m.copy(ctx); err != nil {
		return err
	}
	if err := m.follow(ctx, migrateFew); err != nil {
		return err
	}
	return m.finish(ctx)
}

// follow brings over what has changed, until no more than so many records are left.
func (m *migration) follow(ctx context.Context, most int) error {
	for range migrateRounds {
		keys, err := m.changes.take()
		if err != nil || len(keys) == 0 {
			return err
		}
		if err := m.bring(ctx, keys); err != nil {
			return err
		}
		m.report.Rounds++
		m.report.Changed += int64(len(keys))
		if m.changes.waiting() <= most {
			return nil
		}
	}
	return fmt.Errorf("%w: changes come faster than they can be brought over", kv.ErrUnavailable)
}

// finish stops writes when both stores have been read once more, brings over the last
// changes, and compares.
func (m *migration) finish(ctx context.Context) error {
	g, all := errgroup.WithContext(ctx)
	source, target := newHold(), newHold()
	var a, b kv.Copy
	g.Go(func() (err error) {
		a, err = m.read(all, m.from.Engine, source)
		return err
	})
	g.Go(func() (err error) {
		b, err = m.read(all, m.to.Engine, target)
		return err
	})
	g.Go(func() error { return m.last(all, source, target) })
	err := g.Wait()
	defer func() {
		for _, c := range []kv.Copy{a, b} {
			if c != nil {
				_ = c.Close() // of what only reads
			}
		}
	}()
	if err != nil {
		return err
	}
	m.report.Moment = a.Moment().UTC()
	return m.compare(ctx, a, b)
}

// read reads a store once more, up to what still changes.
func (m *migration) read(ctx context.Context, e kv.Engine, h *hold) (kv.Copy, error) {
	c, err := e.Copy(ctx, kv.CopyOptions{Kinds: record.KeptKinds(), Dir: m.opt.Scratch, Read: m.opt.Progress.add, Hold: h.wait})
	if err != nil {
		return nil, fmt.Errorf("read the store as it is at one moment: %w", err)
	}
	return c, nil
}

// last brings over changes while both stores are read, then stops writes and brings over
// the last ones.
func (m *migration) last(ctx context.Context, source, target *hold) error {
	m.opt.Progress.start("reading both stores once more, keys", 0)
	for _, h := range []*hold{source, target} {
		if err := m.until(ctx, h.reached); err != nil {
			return err
		}
	}
	if err := m.files(ctx); err != nil {
		return err
	}
	if err := m.follow(ctx, migrateFew); err != nil {
		return err
	}
	m.opt.Progress.end()
	m.closed = time.Now()
	m.opt.Progress.say("writes are stopped; reads go on")
	if _, err := m.fence.change(ctx, func(f *record.Fence) { f.Closed = true }); err != nil {
		return err
	}
	if err := pause(ctx, m.from.Quiet); err != nil {
		return err
	}
	close(source.free)
	if err := m.changes.heardAll(ctx, m.from.Engine); err != nil {
		return err
	}
	if err := m.follow(ctx, 0); err != nil {
		return err
	}
	close(target.free)
	return m.files(ctx)
}

// until brings over changes now and then until a channel is closed.
func (m *migration) until(ctx context.Context, reached <-chan struct{}) error {
	tick := time.NewTicker(migrateLook)
	defer tick.Stop()
	for {
		select {
		case <-reached:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
			if err := m.follow(ctx, migrateFew); err != nil {
				return err
			}
		}
	}
}

// commit closes the old store for good, and opens the new one. From the first on the second
// must be done, if need be by the same command again.
func (m *migration) commit(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), migrateEnds)
	defer cancel()
	if err := m.fence.end(ctx); err != nil {
		return err
	}
	if err := m.open(ctx); err != nil {
		return fmt.Errorf("the old store is closed and the new one holds everything, but is not opened: run the same command again: %w", err)
	}
	m.report.Stopped = time.Since(m.closed).Seconds()
	return nil
}

// open lets servers use the new store, which may have been moved away from before.
func (m *migration) open(ctx context.Context) error {
	get := &kv.Get{Key: record.FillingKey()}
	return persist(ctx, func() error {
		if err := m.to.Engine.Read(kv.Durable(ctx), get); err != nil || get.Version == 0 {
			return err // it is open
		}
		_, err := m.to.Engine.Txn(ctx, []kv.Cond{kv.VersionIs{Key: get.Key, Version: get.Version}}, kv.Delete{Key: get.Key}, kv.Delete{Key: record.FenceKey()})
		return err
	})
}

// enter marks the new store, so that no server starts on it.
func (m *migration) enter(ctx context.Context) error {
	if err := store.New(m.from.Engine, store.Options{}).Accounts.CheckFormat(ctx); err != nil {
		return err
	}
	if m.marks.filling {
		return nil
	}
	conds := []kv.Cond{kv.Absent(record.FillingKey()), kv.Absent(record.RestoringKey())}
	if !m.marks.back {
		conds = append(conds, kv.Absent(record.MetaKey("format")))
	}
	failed, err := m.to.Engine.Txn(ctx, conds, kv.Put{Key: record.FillingKey(), Version: 1,
		Data: record.Encode(record.Filling{Source: m.marks.source, From: m.opt.From, Began: time.Now().UTC()})})
	if err != nil {
		return fmt.Errorf("mark the new store: %w", err)
	}
	if failed >= 0 {
		return ErrNotEmpty
	}
	if m.marks.back {
		return m.forget(ctx)
	}
	return nil
}

// forget removes what the new store has worked out from its records of former times.
func (m *migration) forget(ctx context.Context) error {
	derived := record.Derived()
	for cursor, first := "", true; first || cursor != ""; first = false {
		keys, next, err := m.to.Engine.Keys(ctx, cursor)
		var ops []kv.Op
		for _, k := range keys {
			if derived[k.Kind] {
				ops = append(ops, kv.Delete{Key: k})
			}
		}
		if err == nil && len(ops) > 0 {
			err = persist(ctx, func() error { return m.to.Engine.Apply(ctx, ops...) })
		}
		if err != nil {
			return fmt.Errorf("remove what is worked out anew: %w", err)
		}
		cursor = next
	}
	return nil
}

// Print writes the report for people.
func (r *Migrated) Print(w io.Writer) error {
	if r.Resumed {
		_, err := fmt.Fprintf(w, "%s had been moved to %s, which is open now\n", r.From, r.To)
		return err
	}
	_, err := fmt.Fprintf(w, "moved %s to %s: %s entries in %.1f s, %s files copied; writes were stopped for %.1f s; the digests of all %s shards agree\ndigest %s\n",
		r.From, r.To, group(r.Entries), r.Seconds, group(r.Files), r.Stopped, group(kv.Shards), r.Digest)
	return err
}

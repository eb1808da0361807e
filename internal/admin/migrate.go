package admin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"linnet/internal/blob"
	"linnet/internal/kv"
	"linnet/internal/record"
	"linnet/internal/store"
)

// Leaving is the source of a migration.
type Leaving struct {
	Engine kv.Engine // writes record.FenceKey and observes the fence
	// Changes reports changed keys, like a kv.Tracker.
	Changes func(ctx context.Context, kinds []string, f func([]kv.Key, bool)) error
	// Quiet is the time for which other servers can still acknowledge writes after the fence was
	// closed. BriefQuiet is the same if record.Fence.Brief was set for at least Quiet before.
	Quiet, BriefQuiet time.Duration
	Files             blob.Store // nil if the files are not moved
}

// Entering is the target of a migration.
type Entering struct {
	Engine kv.Engine
	Files  blob.Store // nil if the files are not moved
}

// MigrateOptions adjust a migration.
type MigrateOptions struct {
	From, To string // locations of the stores, as shown to operators
	Scratch  string // directory for temporary data of a Redis copy
	Progress *Progress
}

// Migrated describes a migration.
type Migrated struct {
	From    string    `json:"from"`
	To      string    `json:"to"`
	Moment  time.Time `json:"moment"` // time when writes stopped
	Digest  string    `json:"digest"` // digest of both stores
	Entries int64     `json:"entries"`
	Files   int64     `json:"files"`   // number of copied files
	Changed int64     `json:"changed"` // records that were copied again because they changed
	Rounds  int       `json:"rounds"`  // number of rounds for changed records
	Seconds float64   `json:"seconds"`
	Stopped float64   `json:"stopped"` // seconds in which writes were refused
	Resumed bool      `json:"resumed"` // an earlier run had copied everything, and only the new store had to be opened
}

var (
	// ErrOtherMove is returned if a store is or was part of a migration with another source or
	// target.
	ErrOtherMove = errors.New("the store is part of another migration: run that migration again, or use an empty store")
	// ErrMoves is returned while another migration of the store is running, or may be.
	ErrMoves = fmt.Errorf("%w: another migration is running, or was interrupted within the last %v", kv.ErrUnavailable, fenceTTL)
	// ErrDiffers is returned if the stores have different content at the end.
	ErrDiffers = errors.New("the contents of the two stores differ")

	// errMissedChanges ends an attempt that has missed changes of the source.
	errMissedChanges = fmt.Errorf("%w: some changes of the old store were not received", kv.ErrUnavailable)
)

const (
	migrateTries  = 3                // attempts after missed changes
	migrateEnds   = 30 * time.Second // time limit of the last two writes
	changeTimeout = 10 * time.Second // time limit for receiving every change
)

// migration is a running migration.
type migration struct {
	from    Leaving
	to      Entering
	opt     MigrateOptions
	fence   *fence
	changes *changes
	compare *comparison // of the new store, since verify
	report  Migrated
	marks   marks
	gap     time.Duration        // current record.Fence.Gap
	there   map[string]blob.Info // files in the new location; nil before they are listed
	closed  time.Time            // time when the fence closed; zero if it is open
}

// Migrate moves a store to another one, of any engine, while it is in use. It copies everything,
// compares both stores, and copies changed records in rounds. Then it stops writes for less than a
// second, copies the last changes, closes the old store permanently and opens the new one. If
// anything fails before, the old store continues and no server starts on the new one. After an
// interruption the same call resumes.
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

// move runs all steps of a migration, under a fence record in the source.
func (m *migration) move(ctx context.Context) error {
	var err error
	if m.fence, err = raise(ctx, m.from.Engine, record.Fence{Target: m.marks.target, To: m.opt.To}); err != nil {
		return err
	}
	ctx, lost := context.WithCancelCause(ctx)
	defer lost(nil)
	ended := m.fence.renew(ctx, lost)
	err = m.enter(ctx)
	for try := 1; err == nil; try++ {
		if err = m.try(ctx); !errors.Is(err, errMissedChanges) || try == migrateTries || m.stopped() {
			break
		}
		m.opt.Progress.say("some changes of the old store were not received; comparing the stores to find them")
		err = nil
	}
	if cause := context.Cause(ctx); err != nil && cause != nil {
		err = cause
	}
	lost(nil)
	<-ended
	if err == nil {
		err = m.commit(ctx)
	}
	if err != nil && !m.fence.moved {
		m.fence.lift(ctx)
	}
	return err
}

// stopped reports whether writes are stopped.
func (m *migration) stopped() bool { return !m.closed.IsZero() }

// try copies the store and its changes, and compares both stores. After that, the new store can be
// opened.
func (m *migration) try(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	m.changes, m.compare = &changes{}, &comparison{written: map[kv.Key]tally{}}
	if err := m.from.Changes(ctx, trackedKinds(), m.changes.receive); err != nil {
		return fmt.Errorf("subscribe to changes of the store: %w", err)
	}
	if err := m.changes.await(ctx, func() bool { return m.changes.receiving }); err != nil {
		return err
	}
	for _, step := range []func(context.Context) error{m.files, m.copy, m.follow, m.verify, m.files, m.brief, m.follow, m.finish} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// brief makes servers read the fence record more often, so that they notice sooner when it closes.
func (m *migration) brief(ctx context.Context) error {
	if m.from.Quiet == 0 {
		return nil
	}
	if err := m.fence.set(ctx, func(f *record.Fence) { f.Closed, f.Brief = true, true }); err != nil {
		return err
	}
	return m.followUntil(ctx, time.After(m.from.Quiet))
}

// finish stops writes and copies the last changes.
func (m *migration) finish(ctx context.Context) error {
	m.closed = time.Now()
	m.opt.Progress.say("writes are paused; reads continue")
	if err := m.fence.set(ctx, func(f *record.Fence) { f.Closed, f.Brief = true, false }); err != nil {
		return err
	}
	if err := m.followUntil(ctx, time.After(m.from.BriefQuiet)); err != nil {
		return err
	}
	if err := m.changes.waitForAll(ctx, m.from.Engine); err != nil {
		return err
	}
	for m.changes.waiting() > 0 {
		if _, err := m.round(ctx, unreported); err != nil {
			return err
		}
	}
	if err := m.files(ctx); err != nil {
		return err
	}
	now, err := m.from.Engine.Now(ctx)
	if err != nil {
		return fmt.Errorf("read the clock of the store: %w", err)
	}
	m.report.Moment = now.UTC()
	m.report.Digest, m.report.Entries = m.compare.result()
	return nil
}

// commit closes the old store permanently and opens the new one. Once the first step has been
// attempted, the second one must follow, in another run if necessary.
func (m *migration) commit(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), migrateEnds)
	defer cancel()
	if err := m.fence.end(ctx); err != nil {
		return err
	}
	if err := m.open(ctx); err != nil {
		return fmt.Errorf("the old store is closed and the new store is complete but not open yet: run the same command again: %w", err)
	}
	m.report.Stopped = time.Since(m.closed).Seconds()
	return nil
}

// open lets servers use the new store, which may be the source of an earlier migration. It records
// the earlier stores of the data, so that each can be a target later.
func (m *migration) open(ctx context.Context) error {
	filling, name := &kv.Get{Key: record.FillingKey()}, &kv.Get{Key: record.StoreNameKey()}
	return persist(ctx, func() error {
		if err := m.to.Engine.Read(kv.Durable(ctx), filling, name); err != nil || filling.Version == 0 {
			return err // already open
		}
		named := record.StoreName{Name: m.marks.target, Earlier: m.marks.earlier}
		_, err := m.to.Engine.Txn(ctx, []kv.Cond{kv.VersionIs{Key: filling.Key, Version: filling.Version}},
			kv.Put{Key: name.Key, Data: record.Encode(named), Version: name.Version + 1},
			kv.Delete{Key: filling.Key}, kv.Delete{Key: record.FenceKey()})
		return err
	})
}

// enter writes a record to the new store that prevents servers from starting on it.
func (m *migration) enter(ctx context.Context) error {
	if err := store.New(m.from.Engine, store.Options{}).Instance.CheckFormat(ctx); err != nil {
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
				return fmt.Errorf("remove derived records: %w", err)
			}
			cursor = next
		}
	}
	return nil
}

// Print writes the report for people.
func (r *Migrated) Print(w io.Writer) error {
	if r.Resumed {
		_, err := fmt.Fprintf(w, "%s was already moved to %s, which is now open\n", r.From, r.To)
		return err
	}
	_, err := fmt.Fprintf(w, "moved %s to %s: %s entries in %.1f s, %s files copied; writes were paused for %.2f s; both stores contain the same records\ndigest %s\n",
		r.From, r.To, group(r.Entries), r.Seconds, group(r.Files), r.Stopped, r.Digest)
	return err
}

package admin

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"linnet/internal/kv"
	"linnet/internal/record"
)

const (
	fenceTTL   = 15 * time.Second // lifetime of a fence that isn't renewed
	fenceEvery = 2 * time.Second  // interval of renewals
)

// ErrLost is returned if the fence in the source has ended, so that servers may write there.
var ErrLost = errors.New("the old store was unlocked and accepts writes again: run the same command again")

// marks has what the records of two stores contain about each other.
type marks struct {
	source, target string   // their names
	earlier        []string // names of the stores from which the target's contents come
	filling        bool     // the target is being filled from the source
	back           bool     // the source's contents came from the target, perhaps through other stores
}

// maxEarlier is the maximum number of stored names of earlier stores.
const maxEarlier = 20

// lineage returns the names of the stores from which the contents of a target come.
func lineage(source record.StoreName, target string) []string {
	var names []string
	for _, n := range append(source.Earlier, source.Name) {
		if n != target {
			names = append(names, n)
		}
	}
	return names[max(len(names)-maxEarlier, 0):]
}

// look reads the records of both stores about each other, and gives the stores names. It reports
// whether everything has been copied, so that only the target has to be opened.
func (m *migration) look(ctx context.Context) (moved bool, err error) {
	source, err := nameOf(ctx, m.from.Engine)
	if err != nil {
		return false, fmt.Errorf("read the old store: %w", err)
	}
	m.marks.source = source.Name
	var left, came record.Fence
	var filling record.Filling
	if err := readMark(ctx, m.from.Engine, record.FenceKey(), &left); err != nil {
		return false, fmt.Errorf("read the old store: %w", err)
	}
	err = errors.Join(readMark(ctx, m.to.Engine, record.FenceKey(), &came), readMark(ctx, m.to.Engine, record.FillingKey(), &filling))
	if err != nil {
		return false, fmt.Errorf("read the new store: %w", err)
	}
	var name record.StoreName
	if err := readMark(ctx, m.to.Engine, record.StoreNameKey(), &name); err != nil {
		return false, fmt.Errorf("read the new store: %w", err)
	}
	m.marks.filling = filling.Source == source.Name
	m.marks.back = !came.Moved.IsZero() && (came.Target == source.Name || slices.Contains(source.Earlier, name.Name))
	if filling.Source != "" && !m.marks.filling || !came.Moved.IsZero() && !m.marks.back {
		return false, fmt.Errorf("check the new store: %w", ErrOtherMove)
	}
	if !left.Moved.IsZero() && left.Target != name.Name {
		return false, fmt.Errorf("the old store was moved to %s: %w", left.To, ErrOtherMove)
	}
	if left.Moved.IsZero() && !m.marks.filling && !m.marks.back {
		for cursor, first := "", true; first || cursor != ""; first = false {
			keys, next, err := m.to.Engine.Keys(ctx, cursor)
			if err != nil {
				return false, fmt.Errorf("read the new store: %w", err)
			}
			for _, k := range keys {
				if k != record.StoreNameKey() {
					return false, ErrNotEmpty
				}
			}
			cursor = next
		}
	}
	if name, err = nameOf(ctx, m.to.Engine); err != nil {
		return false, fmt.Errorf("read the new store: %w", err)
	}
	m.marks.target, m.marks.earlier = name.Name, lineage(source, name.Name)
	return !left.Moved.IsZero(), nil
}

func readMark(ctx context.Context, e kv.Engine, key kv.Key, into any) error {
	get := &kv.Get{Key: key}
	if err := e.Read(kv.Durable(ctx), get); err != nil || get.Version == 0 {
		return err
	}
	return record.Decode(get, into)
}

// nameOf returns the name of a store for other stores. It generates one if there is none.
func nameOf(ctx context.Context, e kv.Engine) (record.StoreName, error) {
	for {
		var r record.StoreName
		if err := readMark(ctx, e, record.StoreNameKey(), &r); err != nil || r.Name != "" {
			return r, err
		}
		_, err := e.Txn(ctx, []kv.Cond{kv.Absent(record.StoreNameKey())}, kv.Put{Key: record.StoreNameKey(), Data: record.Encode(record.StoreName{Name: rand.Text()}), Version: 1})
		if err != nil && !errors.Is(err, kv.ErrUnknown) {
			return r, err
		}
	}
}

// fence is the record in the source that stops writes during a migration. It expires unless it is
// renewed, and changes of an expired one fail.
type fence struct {
	e     kv.Engine
	mu    sync.Mutex
	now   record.Fence
	at    uint64 // version of the record
	moved bool   // permanent: the source is closed, or may be
}

// raise writes the fence record, still open. It replaces the record of an interrupted migration.
func raise(ctx context.Context, e kv.Engine, r record.Fence) (*fence, error) {
	f := &fence{e: e, now: r}
	f.now.Began, f.now.By = time.Now().UTC(), rand.Text()
	for end := time.Now().Add(fenceTTL + fenceEvery); ; {
		failed, err := e.Txn(ctx, []kv.Cond{kv.Absent(record.FenceKey())}, f.put(1))
		switch {
		case errors.Is(err, kv.ErrUnknown): // if it was written, it expires
		case err != nil:
			return nil, fmt.Errorf("write the record of the move to the old store: %w", err)
		case failed < 0:
			f.at = 1
			return f, nil
		}
		if time.Now().After(end) {
			return nil, fmt.Errorf("lock the old store: %w", ErrMoves)
		}
		if err := pause(ctx, fenceEvery/4); err != nil {
			return nil, err
		}
	}
}

func (f *fence) put(version uint64) kv.Put {
	p := kv.Put{Key: record.FenceKey(), Data: record.Encode(f.now), Version: version, TTL: fenceTTL}
	if !f.now.Moved.IsZero() {
		p.TTL = 0
	}
	return p
}

// change changes and renews the record. unsure reports that a failed change may have been written,
// because the response was lost.
func (f *fence) change(ctx context.Context, do func(*record.Fence)) (unsure bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	before := f.now
	do(&f.now)
	err = persist(ctx, func() error {
		err := f.write(ctx)
		unsure = unsure || errors.Is(err, kv.ErrUnknown)
		return err
	})
	if err != nil {
		f.now = before
		return unsure && !errors.Is(err, ErrLost), fmt.Errorf("update the record of the move in the old store: %w", err)
	}
	return false, nil
}

// set is like change, for changes that can be repeated.
func (f *fence) set(ctx context.Context, do func(*record.Fence)) error {
	_, err := f.change(ctx, do)
	return err
}

// write replaces the last record, which a call with a lost response may have written.
func (f *fence) write(ctx context.Context) error {
	for range 3 {
		failed, err := f.e.Txn(ctx, []kv.Cond{kv.VersionIs{Key: record.FenceKey(), Version: f.at}}, f.put(f.at+1))
		if err != nil {
			return err
		}
		if failed < 0 {
			f.at++
			return nil
		}
		now, at, err := f.read(ctx)
		if err != nil {
			return err
		}
		if f.at = at; now.Closed == f.now.Closed && now.Brief == f.now.Brief && now.Gap == f.now.Gap && now.Moved.IsZero() == f.now.Moved.IsZero() {
			return nil
		}
	}
	return ErrLost
}

// read reads the fence record. It returns ErrLost if there is none or it belongs to another
// migration.
func (f *fence) read(ctx context.Context) (r record.Fence, at uint64, err error) {
	get := &kv.Get{Key: record.FenceKey()}
	if err := f.e.Read(kv.Durable(ctx), get); err != nil {
		return r, 0, err
	}
	if get.Version > 0 {
		err = record.Decode(get, &r)
	}
	if err == nil && r.By != f.now.By {
		err = ErrLost
	}
	return r, get.Version, err
}

// renew renews the record until ctx ends, and calls lost if it can't. The returned channel is
// closed at the end.
func (f *fence) renew(ctx context.Context, lost context.CancelCauseFunc) <-chan struct{} {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for renewed := time.Now(); pause(ctx, fenceEvery) == nil; {
			_, err := f.change(ctx, func(*record.Fence) {})
			away := errors.Is(err, kv.ErrUnavailable) || errors.Is(err, kv.ErrUnknown)
			switch {
			case err == nil:
				renewed = time.Now()
			case ctx.Err() == nil && (!away || time.Since(renewed) > fenceTTL):
				lost(err)
				return
			}
		}
	}()
	return ended
}

// end closes the source permanently. If the result is unknown, it treats the source as closed.
func (f *fence) end(ctx context.Context) error {
	unsure, err := f.change(ctx, func(r *record.Fence) { r.Moved = time.Now().UTC() })
	if f.moved = err == nil || unsure; err != nil && unsure {
		return fmt.Errorf("cannot determine whether the old store was closed: %w: run the same command again", err)
	}
	if err != nil {
		return fmt.Errorf("mark the old store as moved: %w", err)
	}
	return nil
}

// lift deletes the record, so that the source continues at once. Otherwise it continues when the
// record expires.
func (f *fence) lift(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), fenceTTL)
	defer cancel()
	_ = persist(ctx, func() error {
		_, at, err := f.read(ctx)
		if err == nil {
			_, err = f.e.Txn(ctx, []kv.Cond{kv.VersionIs{Key: record.FenceKey(), Version: at}}, kv.Delete{Key: record.FenceKey()})
		}
		return err
	})
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

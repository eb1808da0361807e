package diskkv

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"linnet/internal/kv"
)

// TestFullDisk checks that writes below the reserve are refused before any change, and reads and
// feeds continue. Writes continue once there is space.
func TestFullDisk(t *testing.T) {
	const reserve = 64 << 20
	var free atomic.Uint64
	free.Store(1 << 30)
	clock := &turned{}
	e := open(t, "db", Options{FS: vfs.NewMem(), Now: clock.now, Reserve: reserve,
		Free: func() (uint64, error) { return free.Load(), nil }})
	ctx := context.Background()
	txn(t, e, 0)
	feed := feedKeyOf(0)
	apply(t, e, kv.Fill{Key: feed, Token: "t", TTL: time.Hour}, kv.Filled{Key: feed, Token: "t"})

	free.Store(reserve - 1)
	clock.turn(askEvery)
	_, ops := act(1)
	if failed, err := e.Txn(ctx, nil, ops...); !errors.Is(err, kv.ErrFull) {
		t.Errorf("transaction: %d, %v", failed, err)
	}
	if err := e.Apply(ctx, ops[0]); !errors.Is(err, kv.ErrFull) {
		t.Errorf("apply: %v", err)
	}
	if err := e.Ping(ctx); !errors.Is(err, kv.ErrFull) {
		t.Errorf("ping: %v", err)
	}
	if _, err := e.Sweep(ctx); err != nil {
		t.Errorf("a sweep without work: %v", err)
	}
	apply(t, e, &kv.Push{Key: feed, ID: 7})
	q := &kv.Feed{Key: feed, Limit: 10}
	if err := e.Read(ctx, q); err != nil || len(q.IDs) != 1 {
		t.Errorf("feed: %v, %v", q.IDs, err)
	}
	if err := checkActs(e, []int{0}, 2); err != nil {
		t.Error(err)
	}

	free.Store(1 << 30)
	clock.turn(askEvery)
	txn(t, e, 1)
	if err := checkActs(e, []int{0, 1}, 2); err != nil {
		t.Error(err)
	}
}

func txn(t *testing.T, e *Engine, n int) {
	t.Helper()
	_, ops := act(n)
	if _, err := e.Txn(context.Background(), nil, ops...); err != nil {
		t.Fatal(err)
	}
}

// TestSpaceBetweenLooks checks that bytes written between two checks of the disk are subtracted.
func TestSpaceBetweenLooks(t *testing.T) {
	const reserve, room = 1 << 20, 10 << 20
	e := open(t, "db", Options{FS: vfs.NewMem(), Reserve: reserve,
		Free: func() (uint64, error) { return reserve + room, nil }})
	e.space.asked.Store(1 << 60) // the disk is not checked again
	e.space.left.Store(room)
	written := 0
	for written < 2*room {
		put := kv.Put{Key: imageKey(written), Data: make([]byte, 100_000), Version: 1}
		_, err := e.Txn(context.Background(), nil, put)
		if errors.Is(err, kv.ErrFull) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		written += len(put.Data)
	}
	if written == 0 || written > room/2 {
		t.Errorf("%d bytes were written into %d", written, room)
	}
}

// TestWriteLargerThanTheRoom checks that a write which alone would use the reserve is refused,
// while a small one succeeds.
func TestWriteLargerThanTheRoom(t *testing.T) {
	const reserve, room = 1 << 20, 300_000
	for name, write := range map[string]func(*Engine, kv.Put) error{
		"transaction": func(e *Engine, p kv.Put) error { _, err := e.Txn(context.Background(), nil, p); return err },
		"apply":       func(e *Engine, p kv.Put) error { return e.Apply(context.Background(), p) },
	} {
		t.Run(name, func(t *testing.T) {
			e := open(t, "db", Options{FS: vfs.NewMem(), Reserve: reserve,
				Free: func() (uint64, error) { return reserve + room, nil }})
			large := kv.Put{Key: imageKey(1), Data: make([]byte, room/2), Version: 1} // it is written three times in total
			if err := write(e, large); !errors.Is(err, kv.ErrFull) {
				t.Errorf("%d bytes into %d: %v", len(large.Data), room, err)
			}
			get := &kv.Get{Key: large.Key}
			if err := e.Read(context.Background(), get); err != nil || get.Version != 0 {
				t.Errorf("the refused write was made: version %d, %v", get.Version, err)
			}
			if err := write(e, kv.Put{Key: imageKey(2), Data: make([]byte, room/100), Version: 1}); err != nil {
				t.Errorf("a small one: %v", err)
			}
		})
	}
}

// slowDisk blocks the syncs of the log until it is released.
type slowDisk struct {
	held    atomic.Bool
	release chan struct{}
}

func (d *slowDisk) open(t *testing.T) *Engine {
	d.release = make(chan struct{})
	inject := errorfs.InjectorFunc(func(op errorfs.Op) error {
		if d.held.Load() && isSync(op) && strings.HasSuffix(op.Path, ".log") {
			<-d.release
		}
		return nil
	})
	return open(t, "db", Options{FS: errorfs.Wrap(vfs.NewMem(), inject)})
}

func within(t *testing.T, d time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), d)
	t.Cleanup(cancel)
	return ctx
}

// TestSlowDisk checks that nothing is acknowledged while the disk does not respond, and that every
// call returns in time. This includes failed conditions that depend on data that is not durable.
func TestSlowDisk(t *testing.T) { synctest.Test(t, slowDiskAnswersInTime) }

func slowDiskAnswersInTime(t *testing.T) {
	var disk slowDisk
	e := disk.open(t)
	k := kv.Key{Kind: "v", Shard: 3, ID: "a"}
	put := kv.Put{Key: k, Version: 1}
	disk.held.Store(true)
	start := time.Now()

	_, err := e.Txn(within(t, 200*time.Millisecond), []kv.Cond{kv.Absent(k)}, put)
	if !errors.Is(err, kv.ErrUnknown) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a write that is not yet durable: %v", err)
	}
	if err := e.Read(within(t, time.Minute), &kv.Get{Key: k}); err != nil {
		t.Errorf("read: %v", err)
	}
	if err := e.Read(kv.Durable(within(t, 200*time.Millisecond)), &kv.Get{Key: k}); !errors.Is(err, kv.ErrUnavailable) {
		t.Errorf("a durable read of what the power could take: %v", err)
	}
	if err := e.Read(kv.Durable(within(t, time.Minute)), &kv.Get{Key: kv.Key{Kind: "v", Shard: 4, ID: "a"}}); err != nil {
		t.Errorf("a durable read of a shard that nobody has written to: %v", err)
	}
	failed, err := e.Txn(within(t, 200*time.Millisecond), []kv.Cond{kv.Absent(k)}, put)
	if err == nil {
		t.Errorf("the answer %d rests on a write that is not durable", failed)
	}
	if err := e.Apply(within(t, 200*time.Millisecond), put); err == nil {
		t.Error("apply was acknowledged")
	}
	if err := e.Ping(within(t, 200*time.Millisecond)); !errors.Is(err, kv.ErrUnavailable) {
		t.Errorf("ping: %v", err)
	}
	if took := time.Since(start); took > time.Second+time.Millisecond { // by the clock of the bubble
		t.Errorf("the calls took %v", took)
	}

	disk.held.Store(false)
	close(disk.release)
	failed, err = e.Txn(within(t, time.Minute), []kv.Cond{kv.Absent(k)}, put)
	if failed != 0 || err != nil {
		t.Errorf("after the disk answered: %d, %v", failed, err)
	}
	if err := e.Ping(within(t, time.Minute)); err != nil {
		t.Errorf("ping: %v", err)
	}
}

// TestOpenOnAFullDisk checks that opening a store on a full disk returns ErrFull, and that a
// process owns its store even if it cannot write its process id.
func TestOpenOnAFullDisk(t *testing.T) {
	fs := vfs.NewMem()
	e := open(t, "db", Options{FS: fs})
	txn(t, e, 0)
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	full := func(which string) vfs.FS {
		return errorfs.Wrap(fs, errorfs.InjectorFunc(func(op errorfs.Op) error {
			if op.Kind.ReadOrWrite() == errorfs.OpIsWrite && strings.Contains(op.Path, which) && !strings.HasSuffix(op.Path, "LOCK") {
				return &os.PathError{Op: "write", Path: op.Path, Err: syscall.ENOSPC}
			}
			return nil
		}))
	}
	if _, err := Open("db", Options{FS: full("")}); !errors.Is(err, kv.ErrFull) {
		t.Errorf("a disk without room: %v", err)
	}
	e = open(t, "db", Options{FS: full(ownerFile)})
	if err := checkActs(e, []int{0}, 1); err != nil {
		t.Error(err)
	}
}

// TestManyOnSlowDisk checks that calls that time out leave no goroutines behind, and that calls
// waiting for a place in the queue or for the shard time out as well.
func TestManyOnSlowDisk(t *testing.T) { synctest.Test(t, manyOnSlowDisk) }

func manyOnSlowDisk(t *testing.T) {
	var disk slowDisk
	e := disk.open(t)
	disk.held.Store(true)
	ctx := within(t, 300*time.Millisecond)
	done := make(chan error)
	const calls = 6000 // the library has 4,095 places
	for i := range calls {
		go func() {
			_, err := e.Txn(ctx, nil, kv.Put{Key: imageKey(i % 10), Version: uint64(i + 1)})
			done <- err
		}()
	}
	patience := time.After(time.Minute)
	for range calls {
		select {
		case err := <-done:
			if err == nil {
				t.Fatal("a write was acknowledged")
			}
		case <-patience:
			t.Fatal("a call does not end")
		}
	}
	disk.held.Store(false)
	close(disk.release)
	apply(t, e, kv.Put{Key: imageKey(1), Version: 1})
}

// TestApplyOfFeedsNeedsNoDisk checks that deliveries to feeds continue while the disk hangs.
func TestApplyOfFeedsNeedsNoDisk(t *testing.T) {
	var disk slowDisk
	e := disk.open(t)
	warmFeeds(t, e, 10)
	disk.held.Store(true)
	e.Txn(within(t, 20*time.Millisecond), nil, kv.Put{Key: imageKey(1), Version: 1})
	for i := range 10 {
		if err := e.Apply(within(t, time.Minute), &kv.Push{Key: feedKeyOf(i), ID: 5000}, kv.Delete{Key: feedKeyOf(i)}); err != nil {
			t.Error(err)
		}
	}
	close(disk.release)
}

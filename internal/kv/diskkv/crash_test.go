package diskkv

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"linnet/internal/kv"
)

// act returns the changes with a number: a value, a member and a count in one shard.
func act(n int) (uint16, []kv.Op) {
	shard := uint16(n % 3)
	return shard, []kv.Op{
		kv.Put{Key: kv.Key{Kind: "v", Shard: shard, ID: fmt.Sprint(n)}, Data: make([]byte, 2000), Version: 1},
		kv.Add{Key: kv.Key{Kind: "s", Shard: shard}, Member: fmt.Sprint(n), Score: int64(n)},
		kv.Incr{Key: kv.Key{Kind: "n", Shard: shard}, Name: "n", By: 1},
	}
}

// checkActs checks that each action is complete or absent, that the counts match, and that all
// acknowledged actions are present.
func checkActs(e *Engine, acked []int, last int) error {
	ctx := context.Background()
	there := map[int]bool{}
	for shard := range uint16(3) {
		set := &kv.Range{Key: kv.Key{Kind: "s", Shard: shard}, Limit: kv.MaxRange}
		n := &kv.Counters{Key: kv.Key{Kind: "n", Shard: shard}, Names: []string{"n"}}
		if err := e.Read(ctx, set, n); err != nil {
			return err
		}
		if int(n.Values[0]) != len(set.Members) {
			return fmt.Errorf("shard %d: %d members and a count of %d", shard, len(set.Members), n.Values[0])
		}
		for _, m := range set.Members {
			there[int(m.Score)] = true
		}
	}
	for i := range last {
		shard := uint16(i % 3)
		get := &kv.Get{Key: kv.Key{Kind: "v", Shard: shard, ID: fmt.Sprint(i)}}
		if err := e.Read(ctx, get); err != nil {
			return err
		}
		if (get.Version == 1) != there[i] {
			return fmt.Errorf("act %d is there by half", i)
		}
	}
	for _, i := range acked {
		if !there[i] {
			return fmt.Errorf("act %d was acknowledged and is lost", i)
		}
	}
	return nil
}

// ledger records the acknowledged actions.
type ledger struct {
	mu    sync.Mutex
	acked []int
}

func (l *ledger) add(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.acked = append(l.acked, n)
}

func (l *ledger) now() []int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.acked[:len(l.acked):len(l.acked)]
}

func isSync(op errorfs.Op) bool {
	switch op.Kind {
	case errorfs.OpFileSync, errorfs.OpFileSyncData, errorfs.OpFileSyncTo:
		return true
	}
	return false
}

// TestPowerLoss cuts the power before and after each sync of any file while actions are written.
// The store opens with every acknowledged action and no partial one. Every third action is relaxed:
// it must be present once a later action or a result that depends on it was acknowledged.
func TestPowerLoss(t *testing.T) {
	acts := 600
	if testing.Short() {
		acts = 60
	}
	powerLoss(t, acts, nil)
}

// TestPowerLossWhileAging is TestPowerLoss with a clock that moves by days, so that logs are
// removed and tables merged between the actions.
func TestPowerLossWhileAging(t *testing.T) {
	powerLoss(t, 60, func(e *Engine, c *turned) {
		c.turn(maxAge)
		if err := e.aging().step(context.Background()); err != nil {
			t.Error(err)
		}
	})
}

// powerLoss calls between repeatedly, unless it is nil.
func powerLoss(t *testing.T, acts int, between func(*Engine, *turned)) {
	t.Helper()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	fs := vfs.NewCrashableMem()
	var log ledger
	var boundaries atomic.Int64
	check := func(at string) {
		n := uint64(boundaries.Add(1))
		for _, percent := range []int{0, 50} {
			acked := log.now() // before the copy, which must contain these
			crashed := fs.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: percent, RNG: rand.New(rand.NewPCG(seed, n))})
			e, err := Open("db", Options{FS: crashed})
			if err != nil {
				t.Errorf("seed %d, boundary %d (%s), %d%%: %v", seed, n, at, percent, err)
				return
			}
			if err := checkActs(e, acked, acts); err != nil {
				t.Errorf("seed %d, boundary %d (%s), %d%%, %d acknowledged: %v", seed, n, at, percent, len(acked), err)
			}
			e.Close()
		}
	}
	inject := errorfs.InjectorFunc(func(op errorfs.Op) error {
		if isSync(op) {
			check(op.Path)
		}
		return nil
	})
	clock := &turned{}
	e := open(t, "db", Options{FS: errorfs.Wrap(fs, inject), Now: clock.now})
	var wg sync.WaitGroup
	done := make(chan struct{})
	var others sync.WaitGroup
	others.Go(func() {
		for between != nil {
			select {
			case <-done:
				return
			default:
				between(e, clock)
			}
		}
	})
	const writers = 4
	for w := range writers {
		wg.Go(func() { writeActs(t, e, &log, w, writers, acts) })
	}
	wg.Wait()
	close(done)
	others.Wait()
	check("end")
	t.Logf("%d boundaries", boundaries.Load())
}

// writeActs writes every so many of the actions. A relaxed action counts as acknowledged with the
// next action that is not relaxed, or when a failed condition depends on it.
func writeActs(t *testing.T, e *Engine, log *ledger, first, every, acts int) {
	var behind []int
	for i := first; i < acts; i += every {
		ctx := t.Context()
		relaxed := i%3 == 1
		if relaxed {
			ctx = kv.Relaxed(ctx)
		}
		shard, ops := act(i)
		if _, err := e.Txn(ctx, nil, ops...); err != nil {
			t.Error(err)
			return
		}
		if behind = append(behind, i); relaxed && i%2 == 0 {
			continue
		}
		if relaxed {
			absent := kv.NoMember{Key: kv.Key{Kind: "s", Shard: shard}, Member: fmt.Sprint(i)}
			if failed, err := e.Txn(t.Context(), []kv.Cond{absent}, ops...); failed != 0 || err != nil {
				t.Error(failed, err)
				return
			}
		}
		for _, n := range behind {
			log.add(n)
		}
		behind = behind[:0]
		if i%100 == 50 {
			if err := e.db.Flush(); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestFailedFsync checks that no write is acknowledged after a failed fsync of the log, and that
// the process ends.
func TestFailedFsync(t *testing.T) {
	var broken atomic.Bool
	inject := errorfs.InjectorFunc(func(op errorfs.Op) error {
		if broken.Load() && isSync(op) && strings.HasSuffix(op.Path, ".log") {
			return errorfs.ErrInjected
		}
		return nil
	})
	fs := vfs.NewCrashableMem()
	fatal := make(chan string, 1)
	e, err := Open("db", Options{FS: errorfs.Wrap(fs, inject), Fatal: func(msg string) { fatal <- msg }})
	if err != nil {
		t.Fatal(err)
	}
	var log ledger
	_, ops := act(0)
	if _, err := e.Txn(t.Context(), nil, ops...); err != nil {
		t.Fatal(err)
	}
	log.add(0)
	broken.Store(true)
	for i := 1; i < 20; i++ {
		_, ops := act(i)
		if _, err := e.Txn(t.Context(), nil, ops...); err == nil {
			t.Fatalf("act %d was acknowledged after a failed fsync", i)
		}
	}
	if msg := <-fatal; !strings.Contains(msg, "db") || !strings.Contains(msg, "fsync") {
		t.Errorf("message %q", msg)
	}
	if err := e.Ping(t.Context()); err == nil {
		t.Error("ping answers after a failed fsync")
	}
	if err := e.Close(); err == nil {
		t.Error("close of a failed store succeeds")
	}
	again, err := Open("db", Options{FS: fs.CrashClone(vfs.CrashCloneCfg{})})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if err := checkActs(again, log.now(), 20); err != nil {
		t.Error(err)
	}
}

// TestIntervalSyncs checks that one later fsync covers several writes.
func TestIntervalSyncs(t *testing.T) {
	fs := vfs.NewCrashableMem()
	e := open(t, "db", Options{FS: fs, Sync: SyncInterval})
	_, ops := act(0)
	if _, err := e.Txn(t.Context(), nil, ops...); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(time.Minute)
	for {
		crashed, err := Open("db", Options{FS: fs.CrashClone(vfs.CrashCloneCfg{})})
		if err != nil {
			t.Fatal(err)
		}
		err = checkActs(crashed, []int{0}, 1)
		crashed.Close()
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
		time.Sleep(syncEvery / 4)
	}
}

package rediskv_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"linnet/internal/kv"
	"linnet/internal/kv/rediskv"
	"linnet/internal/kv/redistest"
)

// until waits until a condition on a server holds.
func until(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !done(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("waited in vain: ", what)
		}
	}
}

// acknowledged makes repeatable changes with an engine that has a short timeout. It repeats them
// until the replica was fast enough.
func acknowledged(t *testing.T, e kv.Store, changes ...kv.Op) {
	t.Helper()
	until(t, "replicas acknowledge a transaction", func() bool {
		failed, err := e.Txn(t.Context(), nil, changes...)
		if err != nil && !errors.Is(err, kv.ErrUnknown) {
			t.Fatalf("Txn: %d, %v", failed, err)
		}
		return err == nil
	})
}

// replicated starts a master and a replica of it.
func replicated(t *testing.T) (master, replica *redistest.Server) {
	t.Helper()
	master = redistest.StartTCP(t, "--repl-diskless-sync-delay", "0", "--repl-ping-replica-period", "1")
	_, port, err := net.SplitHostPort(master.Addr())
	if err != nil {
		t.Fatal(err)
	}
	replica = redistest.StartTCP(t, "--replicaof", "127.0.0.1 "+port)
	until(t, "the replica is in step", func() bool {
		info := master.Do("INFO", "replication")
		return strings.Contains(info, "state=online") && !strings.Contains(info, "offset=0,")
	})
	return master, replica
}

// TestWaitReplicas checks that the outcome of a transaction is unknown if too few replicas
// acknowledge it, because it may be lost with the master.
func TestWaitReplicas(t *testing.T) {
	t.Parallel()
	master, replica := replicated(t)
	e := open(t, master.URL(), rediskv.Options{WaitReplicas: 1, WaitTimeout: time.Minute})
	hasty := open(t, master.URL(), rediskv.Options{WaitReplicas: 1, WaitTimeout: 200 * time.Millisecond})
	if d := e.Info().Durability; !strings.Contains(d.String(), "1 replica") {
		t.Errorf("Info says %q", d)
	}
	for i := range uint64(20) {
		mustTxn(t, e, nil, put("a", i+1))
		if got := replica.Do("GET", "v:{3}:a"); got != fmt.Sprint(i+1, " x") {
			t.Fatalf("acknowledged, but at the replica it is %q", got)
		}
	}
	master.Do("SCRIPT", "FLUSH")
	mustTxn(t, e, nil, put("a", 21))
	replica.Stop()
	if _, err := hasty.Txn(t.Context(), nil, put("a", 22)); !errors.Is(err, kv.ErrUnknown) {
		t.Errorf("without replicas: %v", err)
	}
	if failed, err := hasty.Txn(t.Context(), []kv.Cond{kv.Absent(key("v", 3, "a"))}, put("a", 23)); !errors.Is(err, kv.ErrUnavailable) {
		t.Errorf("a condition fails on what may be lost: %d, %v", failed, err)
	}
	replica.Continue()
	mustTxn(t, e, nil, put("a", 24))
	_, err := rediskv.Open(t.Context(), master.URL(), rediskv.Options{WaitReplicas: 2, WaitTimeout: 50 * time.Millisecond})
	if !errors.Is(err, rediskv.ErrFewReplicas) || !errors.Is(err, kv.ErrUnavailable) || !strings.Contains(fmt.Sprint(err), "2 needed") {
		t.Errorf("one replica where two were asked for: %v", err)
	}
}

// TestStartWaitsForReplicas checks that a start waits for a replica that is still synchronizing,
// and logs that.
func TestStartWaitsForReplicas(t *testing.T) {
	master, _, between := cutOff(t)
	between.DropReplicas()
	master.Do("SET", "x", "what the replica lacks")
	log := make(lines, 100)
	opts := rediskv.Options{WaitReplicas: 1, WaitTimeout: 100 * time.Millisecond, ReplicasWithin: time.Minute,
		Logger: slog.New(slog.NewTextHandler(log, nil))}
	opened := make(chan error, 1)
	go func() {
		e, err := rediskv.Open(context.Background(), between.URL(), opts)
		if err == nil {
			_, err = e.Txn(context.Background(), nil, put("a", 1))
			e.Close()
		}
		opened <- err
	}()
	log.want(t, "waiting for replicas")
	select {
	case err := <-opened:
		t.Fatalf("opened without a replica: %v", err)
	default:
	}
	between.PassReplicas()
	log.want(t, "replicas connected")
	if err := <-opened; err != nil {
		t.Error(err)
	}
}

// lines is a log whose lines can be awaited.
type lines chan string

func (l lines) Write(b []byte) (int, error) {
	l <- string(b)
	return len(b), nil
}

func (l lines) want(t *testing.T, text string) {
	t.Helper()
	for late := time.After(time.Minute); ; {
		select {
		case line := <-l:
			if strings.Contains(line, text) {
				return
			}
		case <-late:
			t.Fatalf("the log does not say %q", text)
		}
	}
}

// writers fills acked with the keys of acknowledged transactions until stop is called. It counts
// them and the transactions with an unknown outcome.
func writers(t *testing.T, e *rediskv.Engine, acked *sync.Map, yes, doubted *atomic.Int64) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var all sync.WaitGroup
	for w := range 6 {
		all.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				k := kv.Key{Kind: "v", Shard: uint16((w*171 + i) % kv.Shards), ID: fmt.Sprint(w, "-", i)}
				if _, err := e.Txn(context.Background(), nil, kv.Put{Key: k, Version: 1}); err == nil {
					acked.Store(k, true)
					yes.Add(1)
				} else if errors.Is(err, kv.ErrUnknown) {
					doubted.Add(1)
				} else if !errors.Is(err, kv.ErrUnavailable) {
					t.Errorf("during failover: %v", err)
				}
			}
		})
	}
	return func() {
		cancel()
		all.Wait()
	}
}

// TestFailoverLosesNothing kills a master of a Cluster after its replica has received nothing for a
// while. Acknowledged writes are present after the failover if a replica was waited for. Without
// waiting some must be missing, or the test would prove nothing.
func TestFailoverLosesNothing(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	for _, wait := range []int{0, 1, 2} {
		t.Run(fmt.Sprint("wait ", wait), func(t *testing.T) {
			lost, total := failOver(t, wait)
			t.Logf("%d of %d acknowledged transactions were lost", lost, total)
			if total < 100 || (lost > 0) != (wait == 0) {
				t.Errorf("waiting for %d replicas, %d of %d were lost", wait, lost, total)
			}
		})
	}
}

func failOver(t *testing.T, wait int) (lost, total int) {
	n := redistest.ClusterBehindProxies(t, 3, 3*max(wait, 1))
	e := open(t, n.URL(), rediskv.Options{WaitReplicas: wait})
	var acked sync.Map
	var yes, doubted atomic.Int64
	stop := sync.OnceFunc(writers(t, e, &acked, &yes, &doubted))
	defer stop()
	until(t, "transactions are acknowledged", func() bool { return yes.Load() >= 300 })
	n.Proxy(n.Masters[0]).DropReplicas()
	if before := yes.Load(); wait == 0 {
		until(t, "what nobody else has is acknowledged", func() bool { return yes.Load() >= before+300 })
	} else {
		until(t, "transactions are in doubt", func() bool { return doubted.Load() > 0 })
	}
	n.Masters[0].Kill()
	until(t, "a replica takes over", func() bool {
		for i := 0; i < len(n.Replicas); i += len(n.Masters) { // replicas of the first master
			if n.Replicas[i].IsMaster() {
				return true
			}
		}
		return false
	})
	// The new master has fewer replicas than required.
	plain := open(t, n.URL()+","+n.Masters[2].Addr(), rediskv.Options{DialTimeout: time.Minute})
	until(t, "all shards can be written again", func() bool {
		for shard := uint16(0); shard < kv.Shards; shard += 13 {
			if _, err := plain.Txn(t.Context(), nil, kv.Put{Key: key("v", shard, "after"), Version: 1}); err != nil {
				return false
			}
		}
		return true
	})
	stop()
	var qs []kv.Query
	acked.Range(func(k, _ any) bool {
		qs = append(qs, &kv.Get{Key: k.(kv.Key)})
		return true
	})
	for some := range slices.Chunk(qs, 1000) {
		until(t, "the engine has heard of the failover", func() bool { return e.Read(t.Context(), some...) == nil })
		for _, q := range some {
			if q.(*kv.Get).Version != 1 {
				lost++
			}
		}
	}
	return lost, len(qs)
}

// mover moves the slot of a shard from one master to another, step by step.
type mover struct {
	t        *testing.T
	from, to *redistest.Server
	slot     string
	nodes    *redistest.Nodes
}

func newMover(t *testing.T, n *redistest.Nodes, shard uint16) *mover {
	t.Helper()
	m := &mover{t: t, nodes: n}
	m.slot = strings.TrimPrefix(n.Masters[0].Do("CLUSTER", "KEYSLOT", fmt.Sprintf("{%d}", shard)), ":")
	for _, s := range n.Masters {
		if answer, err := redistest.Command(s.Addr(), "EXISTS", fmt.Sprintf("{%d}", shard)); err == nil && !strings.HasPrefix(answer, "-MOVED") {
			m.from = s
		} else {
			m.to = s
		}
	}
	return m
}

func (m *mover) begin() {
	m.t.Helper()
	m.to.Do("CLUSTER", "SETSLOT", m.slot, "IMPORTING", m.from.Do("CLUSTER", "MYID"))
	m.from.Do("CLUSTER", "SETSLOT", m.slot, "MIGRATING", m.to.Do("CLUSTER", "MYID"))
}

func (m *mover) move(key string) {
	m.t.Helper()
	host, port, _ := net.SplitHostPort(m.to.Addr())
	m.from.Do("MIGRATE", host, port, key, "0", "5000")
}

func (m *mover) end() {
	m.t.Helper()
	id := m.to.Do("CLUSTER", "MYID")
	for _, s := range append([]*redistest.Server{m.to, m.from}, m.nodes.Masters...) {
		s.Do("CLUSTER", "SETSLOT", m.slot, "NODE", id)
	}
}

// TestResharding checks that transactions continue while a slot moves, with keys on the source, on
// the target or on both.
func TestResharding(t *testing.T) {
	t.Parallel()
	n := redistest.Cluster(t, 2, 2)
	for _, wait := range []int{0, 1} {
		t.Run(fmt.Sprint("wait ", wait), func(t *testing.T) {
			e := open(t, n.URL(), rediskv.Options{WaitReplicas: wait})
			other := open(t, n.URL(), rediskv.Options{WaitReplicas: wait})
			shard := uint16(20 + wait)
			k := func(id string) kv.Key { return kv.Key{Kind: "v", Shard: shard, ID: id} }
			for _, id := range []string{"stays", "moves", "mixed"} {
				mustTxn(t, e, nil, kv.Put{Key: k(id), Version: 1})
			}
			m := newMover(t, n, shard)
			m.begin()
			m.move(k("moves").String())
			mustTxn(t, e, []kv.Cond{kv.VersionIs{Key: k("stays"), Version: 1}}, kv.Put{Key: k("stays"), Version: 2})
			mustTxn(t, e, []kv.Cond{kv.VersionIs{Key: k("moves"), Version: 1}}, kv.Put{Key: k("moves"), Version: 2})
			mustTxn(t, e, []kv.Cond{kv.Absent(k("new"))}, kv.Put{Key: k("new"), Version: 1})
			if err := e.Apply(t.Context(), kv.Put{Key: k("moves"), Version: 3}, kv.Put{Key: k("new"), Version: 2}); err != nil {
				t.Fatal(err)
			}
			if _, _, err := e.Keys(t.Context(), ""); !errors.Is(err, kv.ErrUnavailable) {
				// The walk may be at a node without moving slots.
				t.Logf("a walk while a slot moves: %v", err)
			}
			done := make(chan error, 1)
			go func() { // on both nodes: the server answers TRYAGAIN
				_, err := e.Txn(context.Background(), []kv.Cond{kv.Present{Key: k("mixed")}, kv.Present{Key: k("new")}},
					kv.Put{Key: k("mixed"), Version: 2})
				done <- err
			}()
			time.Sleep(50 * time.Millisecond)
			m.move(k("mixed").String())
			m.move(k("stays").String())
			m.end()
			if err := <-done; err != nil {
				t.Errorf("a transaction over keys on both sides: %v", err)
			}
			for _, e := range []*rediskv.Engine{e, other} { // the other engine does not know the new layout
				mustTxn(t, e, []kv.Cond{kv.VersionIs{Key: k("stays"), Version: 2}, kv.VersionIs{Key: k("moves"), Version: 3},
					kv.VersionIs{Key: k("new"), Version: 2}, kv.VersionIs{Key: k("mixed"), Version: 2}},
					kv.Put{Key: k("end"), Version: 1})
			}
		})
	}
}

// TestApplyFindsEveryShard checks a large Apply by a new engine, which learns the location of
// shards from each pipeline.
func TestApplyFindsEveryShard(t *testing.T) {
	t.Parallel()
	n := redistest.Cluster(t, 3, 3)
	changes := make([]kv.Op, kv.Shards)
	for i := range changes {
		changes[i] = kv.Put{Key: kv.Key{Kind: "v", Shard: uint16(i), ID: "a"}, Version: 1}
	}
	for range 100 {
		e := open(t, n.URL(), rediskv.Options{WaitReplicas: 1, Timeout: time.Minute, DialTimeout: time.Minute})
		if err := e.Apply(t.Context(), changes...); err != nil {
			t.Fatal(err)
		}
		e.Close()
	}
}

// TestWalkNoticesMoves checks that a walk that began before a slot moved returns an error.
func TestWalkNoticesMoves(t *testing.T) {
	t.Parallel()
	n := redistest.Cluster(t, 2, 0)
	e := open(t, n.URL(), patient)
	for i := range 3000 {
		k := kv.Key{Kind: "v", Shard: uint16(i % kv.Shards), ID: fmt.Sprint(i)}
		if err := e.Apply(t.Context(), kv.Put{Key: k, Version: 1}); err != nil {
			t.Fatal(err)
		}
	}
	_, cursor, err := e.Keys(t.Context(), "")
	if err != nil || cursor == "" {
		t.Fatalf("cursor %q, %v", cursor, err)
	}
	m := newMover(t, n, 7)
	m.begin()
	for i := 7; i < 3000; i += kv.Shards {
		m.move(fmt.Sprintf("v:{7}:%d", i))
	}
	m.end()
	for err == nil && cursor != "" {
		_, cursor, err = e.Keys(t.Context(), cursor)
	}
	if !errors.Is(err, kv.ErrUnavailable) {
		t.Errorf("a walk over a Cluster that changed: %v", err)
	}
	seen := map[kv.Key]bool{}
	for cursor = ""; ; {
		var keys []kv.Key
		if keys, cursor, err = e.Keys(t.Context(), cursor); err != nil {
			t.Fatal(err)
		}
		for _, k := range keys {
			seen[k] = true
		}
		if cursor == "" {
			break
		}
	}
	if len(seen) != 3000 {
		t.Errorf("the walk saw %d keys, want 3000", len(seen))
	}
}

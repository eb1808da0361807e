package rediskv_test

import (
	"errors"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"linnet/internal/kv"
	"linnet/internal/kv/kvtest"
	"linnet/internal/kv/rediskv"
	"linnet/internal/kv/redistest"
)

// cutOff starts a master and a replica behind a proxy that can drop the traffic between them.
func cutOff(t *testing.T, args ...string) (master, replica *redistest.Server, between *redistest.Proxy) {
	t.Helper()
	master = redistest.StartTCP(t, append([]string{"--repl-diskless-sync-delay", "0", "--repl-ping-replica-period", "1"}, args...)...)
	between = redistest.NewTCPProxy(t, master.Addr())
	host, port, err := net.SplitHostPort(between.Addr())
	if err != nil {
		t.Fatal(err)
	}
	replica = redistest.StartTCP(t, append([]string{"--replicaof", host + " " + port}, args...)...)
	inStep(t, master)
	return master, replica, between
}

func inStep(t *testing.T, master *redistest.Server) {
	t.Helper()
	until(t, "the replica is in step", func() bool {
		info := master.Do("INFO", "replication")
		return strings.Contains(info, "state=online") && !strings.Contains(info, "offset=0,")
	})
}

// TestWhatWaitCovers checks an assumption of this engine that the manual does not state: a WAIT
// after any command, in one pipeline of one connection, covers all earlier writes of the server by
// any connection. If this fails, the pipeline needs a write before the WAIT.
func TestWhatWaitCovers(t *testing.T) {
	master, _, between := cutOff(t)
	c, err := redistest.Dial(master.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, tc := range []struct {
		name     string
		commands [][]string // before the WAIT
		healthy  string
		cut      string // while the replica receives nothing
	}{
		{"GET", [][]string{{"GET", "a"}}, ":1", ":0"},
		{"PING", [][]string{{"PING"}}, ":1", ":0"},
		{"a script that writes nothing", [][]string{{"EVAL", "return -1", "0"}}, ":1", ":0"},
		{"a script that may not write", [][]string{{"EVAL_RO", "return redis.call('GET', KEYS[1])", "1", "a"}}, ":1", ":0"},
		{"SET", [][]string{{"SET", "b", "1"}}, ":1", ":0"},
	} {
		between.PassReplicas()
		inStep(t, master)
		for _, cut := range []bool{false, true} {
			want := tc.healthy
			if cut {
				between.DropReplicas()
				want = tc.cut
			}
			master.Do("SET", "a", "by somebody else")
			answers, err := c.Pipeline(append(tc.commands, []string{"WAIT", "1", "300"})...)
			if err != nil {
				t.Fatal(err)
			}
			if got := answers[len(answers)-1]; got != want {
				t.Errorf("WAIT behind %s, cut off %v: %s, want %s", tc.name, cut, got, want)
			}
		}
		between.PassReplicas()
	}
}

// TestCutOffReplica checks that no answer is given that could be lost with the master while the
// replica receives nothing, and that unknown outcomes are resolved once the replica has the writes.
func TestCutOffReplica(t *testing.T) {
	t.Parallel()
	master, _, between := cutOff(t)
	opts := rediskv.Options{WaitReplicas: 1, WaitTimeout: 200 * time.Millisecond}
	one, two := open(t, master.URL(), opts), open(t, master.URL(), opts)
	plain := open(t, master.URL(), rediskv.Options{})
	acknowledged(t, one, put("old", 1))
	between.DropReplicas()
	ctx := t.Context()
	if _, err := one.Txn(ctx, []kv.Cond{kv.Absent(key("v", 3, "new"))}, put("new", 1)); !errors.Is(err, kv.ErrUnknown) {
		t.Fatalf("a write without a replica: %v", err)
	}
	for name, e := range map[string]*rediskv.Engine{"the same server": one, "another server": two} {
		get := &kv.Get{Key: key("v", 3, "new")}
		if err := e.Read(ctx, get); err != nil || get.Version != 1 {
			t.Errorf("%s: an ordinary read: version %d, %v", name, get.Version, err)
		}
		_, repeated := e.Txn(ctx, []kv.Cond{kv.Absent(key("v", 3, "new"))}, put("new", 2))
		for what, err := range map[string]error{
			"a durable read of it":           e.Read(kv.Durable(ctx), get),
			"a durable read of what is old":  e.Read(kv.Durable(ctx), &kv.Get{Key: key("v", 3, "old")}),
			"a durable read of nothing":      e.Read(kv.Durable(ctx), &kv.Get{Key: key("v", 5, "none")}),
			"a condition that fails on it":   repeated,
			"changes that may be repeated":   e.Apply(ctx, put("other", 1), kv.Add{Key: key("s", 7, "a"), Member: "m"}),
			"pushes, which have connections": e.Apply(ctx, &kv.Push{Key: key("home", 3, "a"), ID: 7}),
			"ping":                           e.Ping(ctx),
		} {
			if !errors.Is(err, kv.ErrUnavailable) {
				t.Errorf("%s, %s: %v", name, what, err)
			}
		}
	}
	if err := plain.Read(kv.Durable(ctx), &kv.Get{Key: key("v", 3, "new")}); err != nil {
		t.Errorf("an engine that waits for nobody: %v", err)
	}
	between.PassReplicas()
	inStep(t, master)
	get := &kv.Get{Key: key("v", 3, "new")}
	until(t, "a durable read with the replica back", func() bool { return two.Read(kv.Durable(ctx), get) == nil })
	if get.Version != 1 {
		t.Errorf("with the replica back: version %d", get.Version)
	}
	until(t, "a ping with the replica back", func() bool { return one.Ping(ctx) == nil })
}

// TestCutOffReplicaOfACluster is TestCutOffReplica for shards with different masters. The other
// masters are not delayed.
func TestCutOffReplicaOfACluster(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	n := redistest.ClusterBehindProxies(t, 2, 2)
	e := open(t, n.URL(), rediskv.Options{WaitReplicas: 1, WaitTimeout: 200 * time.Millisecond})
	k := func(shard uint16) kv.Key { return key("v", shard, "a") }
	at := map[bool][]uint16{} // shards of the first master, or of another one
	for shard := range uint16(64) {
		answer, err := redistest.Command(n.Masters[0].Addr(), "EXISTS", k(shard).String())
		if err != nil {
			t.Fatal(err)
		}
		first := !strings.HasPrefix(answer, "-MOVED")
		at[first] = append(at[first], shard)
	}
	cut, whole := at[true][0], at[false][0]
	acknowledged(t, e, kv.Put{Key: k(cut), Version: 1})
	n.Proxy(n.Masters[0]).DropReplicas()
	ctx := t.Context()
	_, unknown := e.Txn(ctx, nil, kv.Put{Key: k(cut), Version: 2})
	if !errors.Is(unknown, kv.ErrUnknown) {
		t.Errorf("a write: %v", unknown)
	}
	var pushes []kv.Op // the last one is for the master that is cut off
	for i := range 500 {
		pushes = append(pushes, &kv.Push{Key: key("home", whole, strconv.Itoa(i)), ID: 7})
	}
	pushes = append(pushes, &kv.Push{Key: key("home", cut, "b"), ID: 7})
	for what, err := range map[string]error{
		"a durable read":               e.Read(kv.Durable(ctx), &kv.Get{Key: k(cut)}),
		"a durable read of both":       e.Read(kv.Durable(ctx), &kv.Get{Key: k(whole)}, &kv.Get{Key: k(cut)}),
		"changes that may be repeated": e.Apply(ctx, kv.Put{Key: k(cut), Version: 3}),
		"changes of both":              e.Apply(ctx, kv.Put{Key: k(whole), Version: 3}, kv.Put{Key: k(cut), Version: 3}),
		"a push":                       e.Apply(ctx, &kv.Push{Key: key("home", cut, "a"), ID: 7}),
		"pushes in several pipelines":  e.Apply(ctx, pushes...),
		"ping":                         e.Ping(ctx),
	} {
		if !errors.Is(err, kv.ErrUnavailable) {
			t.Errorf("%s: %v", what, err)
		}
	}
	acknowledged(t, e, kv.Put{Key: k(whole), Version: 4})
	until(t, "changes at the other master", func() bool { return e.Apply(ctx, kv.Put{Key: k(whole), Version: 5}) == nil })
	until(t, "a durable read at the other master", func() bool { return e.Read(kv.Durable(ctx), &kv.Get{Key: k(whole)}) == nil })
}

// TestCutOffReplicaWhileASlotMoves checks that a change whose key has moved, while its slot has
// not, is made on the new node and waits for its replicas.
func TestCutOffReplicaWhileASlotMoves(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	n := redistest.ClusterBehindProxies(t, 2, 2)
	e := open(t, n.URL(), rediskv.Options{WaitReplicas: 1, WaitTimeout: 200 * time.Millisecond})
	moved := key("v", 21, "moved")
	acknowledged(t, e, kv.Put{Key: moved, Version: 1})
	m := newMover(t, n, 21)
	m.begin()
	m.move(moved.String())
	until(t, "a change with its replica", func() bool { return e.Apply(t.Context(), kv.Put{Key: moved, Version: 2}) == nil })
	n.Proxy(m.to).DropReplicas()
	if err := e.Apply(t.Context(), kv.Put{Key: moved, Version: 3}); !errors.Is(err, kv.ErrUnavailable) {
		t.Errorf("without its replica: %v", err)
	}
}

// TestDurableReadOfADemotedMaster checks that a former master, now a replica, answers no durable
// read.
func TestDurableReadOfADemotedMaster(t *testing.T) {
	master, replica, _ := cutOff(t)
	e := open(t, master.URL(), rediskv.Options{WaitReplicas: 1, WaitTimeout: 200 * time.Millisecond})
	acknowledged(t, e, put("a", 1))
	replica.Do("REPLICAOF", "NO", "ONE")
	host, port, _ := net.SplitHostPort(replica.Addr())
	master.Do("REPLICAOF", host, port)
	until(t, "the former master follows", func() bool { return strings.Contains(master.Do("INFO", "replication"), "master_link_status:up") })
	if err := e.Read(kv.Durable(t.Context()), &kv.Get{Key: key("v", 3, "a")}); !errors.Is(err, kv.ErrUnavailable) {
		t.Errorf("a durable read of a replica: %v", err)
	}
}

// TestSuiteWithReplicas runs the suite with replicas behind every answer.
func TestSuiteWithReplicas(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes a while")
	}
	master, _, _ := cutOff(t)
	kvtest.Run(t, func(t *testing.T) kv.Engine {
		master.Do("FLUSHALL")
		return open(t, master.URL(), rediskv.Options{WaitReplicas: 1, Timeout: time.Minute, DialTimeout: time.Minute})
	}, kvtest.Caps{FeedsMayPersist: true, Rounds: 8})
}

// TestSuiteClusterWithReplicas runs the suite with replicas and shards on several masters.
func TestSuiteClusterWithReplicas(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes a while")
	}
	n := redistest.Cluster(t, 2, 2)
	kvtest.Run(t, func(t *testing.T) kv.Engine {
		for _, s := range n.Masters {
			s.Do("FLUSHALL")
		}
		return open(t, n.URL(), rediskv.Options{WaitReplicas: 1, Timeout: time.Minute, DialTimeout: time.Minute})
	}, kvtest.Caps{FeedsMayPersist: true, Rounds: 4})
}

// TestDurableReadOfAMovingShard checks that one durable read finds the keys on both nodes of a
// moving shard.
func TestDurableReadOfAMovingShard(t *testing.T) {
	t.Parallel()
	n := redistest.Cluster(t, 2, 2)
	e := open(t, n.URL(), rediskv.Options{WaitReplicas: 1, Timeout: time.Minute, DialTimeout: time.Minute, WaitTimeout: 20 * time.Second})
	a, b, none := key("v", 20, "a"), key("v", 20, "b"), key("v", 20, "none")
	acknowledged(t, e, kv.Put{Key: b, Version: 2})
	m := newMover(t, n, 20)
	m.begin()
	acknowledged(t, e, kv.Put{Key: a, Version: 1}) // the target of the shard; b is its source
	for name, keys := range map[string][]kv.Key{"one": {b}, "the other": {a}, "both": {a, b}, "the other way round": {b, a, none, b}} {
		t.Run(name, func(t *testing.T) {
			qs := make([]kv.Query, len(keys))
			for i, k := range keys {
				qs[i] = &kv.Get{Key: k}
			}
			if err := e.Read(kv.Durable(t.Context()), qs...); err != nil {
				t.Fatal(err)
			}
			for i, k := range keys {
				if got, want := qs[i].(*kv.Get).Version, map[kv.Key]uint64{a: 1, b: 2}[k]; got != want {
					t.Errorf("%v has version %d, want %d", k, got, want)
				}
			}
		})
	}
}

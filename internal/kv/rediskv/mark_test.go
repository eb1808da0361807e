package rediskv_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"linnet/internal/kv"
	"linnet/internal/kv/rediskv"
	"linnet/internal/kv/redistest"
)

// TestEmptiedRedis checks that a Redis that loses the store or is replaced by another one is
// noticed, reported with the remedy, and not written to until the store is present again. Running
// transactions write nothing either.
func TestEmptiedRedis(t *testing.T) {
	for name, tc := range map[string]struct {
		lose func(*redistest.Server)
		left string
	}{
		"FLUSHALL":      {func(s *redistest.Server) { s.Do("FLUSHALL") }, ":0"},
		"empty restart": {func(s *redistest.Server) { s.Restart() }, ":0"},
		"another store": {func(s *redistest.Server) { s.Do("FLUSHALL"); s.Do("SET", "mark:{0}", "another") }, ":1"},
		"other mark":    {func(s *redistest.Server) { s.Do("SET", "mark:{0}", "another"); s.Do("DEL", "v:{3}:a") }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := redistest.Start(t)
			e := open(t, s.URL(), rediskv.Options{Guard: true})
			listen(t, e)
			mark := s.Do("GET", "mark:{0}")
			ctx, end := context.WithCancel(t.Context())
			var writers sync.WaitGroup
			for i := range 8 {
				writers.Go(func() {
					for n := 0; ctx.Err() == nil; n++ {
						_, _ = e.Txn(ctx, nil, put("a", 1), kv.Add{Key: key("s", 3, strconv.Itoa(i)), Member: strconv.Itoa(n), Score: 1})
					}
				})
			}
			mustTxn(t, e, nil, put("a", 1))
			tc.lose(s)
			begun := time.Now()
			kept := s.Do("DBSIZE")
			if tc.left != "" && kept != tc.left {
				t.Errorf("%s keys at once, want %s", kept, tc.left)
			}
			noticed(t, e, begun)
			end()
			writers.Wait()
			for name, call := range calls(e) {
				var told *kv.Trouble
				if err := call(t.Context()); name != "Now" && (!errors.Is(err, rediskv.ErrStrange) || !errors.Is(err, kv.ErrUnavailable) || !errors.As(err, &told)) {
					t.Errorf("%s: %v", name, err)
				}
			}
			if is := s.Do("DBSIZE"); is != kept {
				t.Errorf("%s keys, there were %s when the store was lost", is, kept)
			}
			s.Do("SET", "mark:{0}", mark)
			if err := e.Ping(t.Context()); err != nil {
				t.Fatalf("with its mark again: %v", err)
			}
			mustTxn(t, e, nil, put("a", 2))
		})
	}
}

// listen starts the heartbeat of an engine, like every server.
func listen(t *testing.T, e *rediskv.Engine) {
	t.Helper()
	if err := e.Track(t.Context(), []string{"v"}, func([]kv.Key, bool) {}); err != nil {
		t.Fatal(err)
	}
}

// noticed waits until a read is refused. This takes at most one heartbeat (see TestToldUnasked), or
// longer on a busy machine.
func noticed(t *testing.T, e *rediskv.Engine, since time.Time) {
	t.Helper()
	var err error
	for time.Since(since) < time.Minute && !errors.Is(err, rediskv.ErrStrange) {
		err = e.Read(t.Context(), &kv.Get{Key: key("v", 3, "a")})
	}
	if !errors.Is(err, rediskv.ErrStrange) {
		t.Fatalf("after %v: %v", time.Since(since), err)
	}
	t.Logf("noticed after %v", time.Since(since).Round(time.Millisecond))
}

// TestEmptiedMaster checks that an emptied master of a Cluster is noticed, and that it refuses
// transactions in its shards.
func TestEmptiedMaster(t *testing.T) {
	n := redistest.Cluster(t, 3, 0)
	e := open(t, n.URL(), rediskv.Options{Guard: true})
	listen(t, e)
	for shard := range uint16(64) {
		mustTxn(t, e, nil, kv.Put{Key: key("v", shard, "a"), Data: []byte("x"), Version: 1})
	}
	if err := e.Ping(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i, s := range n.Masters {
		if total := s.Do("DBSIZE"); total == ":0" {
			t.Fatalf("master %d holds nothing", i)
		}
	}
	n.Masters[1].Do("FLUSHALL")
	noticed(t, e, time.Now())
	if err := e.Ping(t.Context()); !errors.Is(err, rediskv.ErrStrange) {
		t.Errorf("Ping: %v", err)
	}
}

// TestTornCluster checks that an engine that opens a partly emptied Cluster uses the rest as its
// store and logs that, whichever part was emptied. Engines that are already open continue.
func TestTornCluster(t *testing.T) {
	for name, emptied := range map[string]int{"with the first shard": 0, "without it": 1} {
		t.Run(name, func(t *testing.T) {
			n := redistest.Cluster(t, 3, 0)
			first := open(t, n.URL(), guarded)
			for shard := range uint16(kv.Shards) {
				mustTxn(t, first, nil, kv.Put{Key: key("v", shard, "a"), Version: 1})
			}
			holder, mark := markAt(t, n, 0)
			if at := slices.Index(n.Masters, holder); emptied == 0 {
				emptied = at
			} else {
				emptied = (at + 1) % 3
			}
			n.Masters[emptied].Do("FLUSHALL")
			var log strings.Builder
			loud := guarded
			loud.Logger = slog.New(slog.NewTextHandler(&log, nil))
			open(t, n.URL(), loud)
			if !strings.Contains(log.String(), "some shards lack the marker") || !strings.Contains(log.String(), "shards=3") {
				t.Errorf("it says %q", &log)
			}
			if _, is := markAt(t, n, 0); is != mark {
				t.Errorf("the mark is %q, it was %q", is, mark)
			}
			if err := first.Ping(t.Context()); err != nil {
				t.Errorf("who has it open: %v", err)
			}
			open(t, n.URL(), guarded)
		})
	}
}

// guarded are the options of servers, with long timeouts.
var guarded = rediskv.Options{Guard: true, Timeout: time.Minute, DialTimeout: time.Minute}

// TestMarksOfACluster checks that a start makes all marks equal: after an interrupted start, in a
// store that came from a single Redis, in a completely emptied Cluster, when servers start
// concurrently, and while slots move.
func TestMarksOfACluster(t *testing.T) {
	n := redistest.Cluster(t, 2, 0)
	set := func(key string, shard int, value string) {
		holder, _ := markAt(t, n, shard)
		holder.Do("SET", key, value)
	}
	all := func(want string) string {
		t.Helper()
		_, mark := markAt(t, n, 0)
		for shard := range kv.Shards {
			if _, is := markAt(t, n, shard); is != mark || want != "" && is != want {
				t.Fatalf("shard %d has the mark %q, the first %q, want %q", shard, is, mark, want)
			}
		}
		return mark
	}
	empty := func() {
		for _, s := range n.Masters {
			s.Do("FLUSHALL")
		}
	}
	for shard := 1; shard < 500; shard++ {
		set(fmt.Sprintf("mark:{%d}", shard), shard, "begun")
	}
	open(t, n.URL(), guarded)
	all("begun")
	empty()
	for shard := range 500 {
		set(fmt.Sprintf("mark:{%d}", shard), shard, "first")
	}
	open(t, n.URL(), guarded)
	all("first")
	empty()
	set("mark:{0}", 0, "single")
	open(t, n.URL(), guarded)
	all("single")
	empty()
	openAtOnce(t, n)
	mark := all("")
	m := newMover(t, n, 3)
	m.begin()
	m.move("mark:{3}")
	open(t, n.URL(), guarded) // the key is there, the slot is not
	m.end()
	open(t, n.URL(), guarded)
	all(mark)
}

// openAtOnce opens several engines concurrently.
func openAtOnce(t *testing.T, n *redistest.Nodes) {
	t.Helper()
	var begun sync.WaitGroup
	for range 4 {
		begun.Go(func() {
			e, err := rediskv.Open(t.Context(), n.URL(), guarded)
			if err != nil {
				t.Error(err)
				return
			}
			if err := e.Ping(t.Context()); err != nil {
				t.Error(err)
			}
			e.Close()
		})
	}
	begun.Wait()
}

// markAt reads the mark of a shard from all masters, and returns the mark and the master that has
// it.
func markAt(t *testing.T, n *redistest.Nodes, shard int) (holder *redistest.Server, mark string) {
	t.Helper()
	for _, s := range n.Masters {
		answer, err := redistest.Command(s.Addr(), "GET", fmt.Sprintf("mark:{%d}", shard))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(answer, "-MOVED") {
			holder, mark = s, answer
		}
	}
	return holder, mark
}

// TestScriptsLookForTheMark checks that the server itself refuses scripts, so that nothing is
// written between the loss of the store and its discovery.
func TestScriptsLookForTheMark(t *testing.T) {
	s := redistest.Start(t)
	e := open(t, s.URL(), rediskv.Options{Guard: true, Timeout: time.Minute, DialTimeout: time.Minute}) // without a heartbeat
	s.Do("FLUSHALL")
	for name, change := range map[string]kv.Op{"put": put("a", 1), "incr": kv.Incr{Key: key("c", 3, "a"), Name: "n", By: 1}} {
		if _, err := e.Txn(t.Context(), nil, change); !errors.Is(err, rediskv.ErrStrange) || errors.Is(err, kv.ErrUnknown) {
			t.Errorf("%s: %v", name, err)
		}
	}
	many := make([]uint64, 100) // a few would be a plain push, which an emptied store ignores
	for i := range many {
		many[i] = uint64(i + 1)
	}
	if err := e.Apply(t.Context(), kv.Merge{Key: key("home", 3, "a"), IDs: many}); !errors.Is(err, rediskv.ErrStrange) {
		t.Errorf("merge: %v", err)
	}
	if total := s.Do("DBSIZE"); total != ":0" {
		t.Errorf("%s keys: %s", total, s.Do("KEYS", "*"))
	}
}

// TestMarkIsKept checks that a later Open finds the existing mark.
func TestMarkIsKept(t *testing.T) {
	s := redistest.Start(t)
	first := open(t, s.URL(), rediskv.Options{Guard: true, Prefix: "p:", Timeout: time.Minute, DialTimeout: time.Minute})
	mark := s.Do("GET", "p:mark:{0}")
	open(t, s.URL(), rediskv.Options{Guard: true, Prefix: "p:", Timeout: time.Minute, DialTimeout: time.Minute})
	mustTxn(t, first, nil, put("a", 1))
	if is := s.Do("GET", "p:mark:{0}"); is != mark || strings.TrimSpace(mark) == "" {
		t.Errorf("mark %q, was %q", is, mark)
	}
	keys, _, err := first.Keys(t.Context(), "")
	if err != nil || len(keys) != 1 {
		t.Errorf("keys %v, %v: the mark is no record", keys, err)
	}
}

// TestFailoverBeforeTheMark kills a master before its replica has received the mark of a new store.
// The replica has the earlier state of the store. It is marked again and used. A server that is
// emptied later is not.
func TestFailoverBeforeTheMark(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	n := redistest.ClusterBehindProxies(t, 3, 3)
	n.Proxy(n.Masters[0]).DropReplicas()
	e := open(t, n.URL(), rediskv.Options{Guard: true})
	listen(t, e)
	if marks := n.Replicas[0].Do("DBSIZE"); marks != ":0" {
		t.Fatalf("the replica has %s keys in spite of all", marks)
	}
	n.Masters[0].Kill()
	next := n.Replicas[0]
	until(t, "the replica takes over", func() bool { return next.IsMaster() })
	until(t, "all shards are served again", func() bool {
		for shard := uint16(0); shard < kv.Shards; shard += 13 {
			if _, err := e.Txn(t.Context(), nil, kv.Put{Key: key("v", shard, "after"), Version: 1}); err != nil {
				return false
			}
		}
		return e.Ping(t.Context()) == nil
	})
	next.Do("FLUSHALL")
	noticed(t, e, time.Now())
	if total := next.Do("DBSIZE"); total != ":0" {
		t.Errorf("an emptied master has %s keys", total)
	}
}

// TestEmptiedReplica checks that a marked replica that is emptied and takes over is not accepted as
// the store, although it reports the marked master.
func TestEmptiedReplica(t *testing.T) {
	master, replica := replicated(t)
	sentinel := redistest.Sentinel(t, "mymaster", master)
	until(t, "the Sentinel knows the replica", func() bool {
		return strings.Contains(sentinel.Do("INFO", "sentinel"), "slaves=1")
	})
	e := open(t, "redis+sentinel://"+sentinel.Addr()+"?master=mymaster", rediskv.Options{Guard: true})
	listen(t, e)
	mustTxn(t, e, nil, put("a", 1))
	until(t, "the replica is in step", func() bool { return replica.Do("GET", "v:{3}:a") == "1 x" })
	master.Kill()
	until(t, "the replica takes over", func() bool { return replica.IsMaster() })
	replica.Do("FLUSHALL")
	until(t, "the engine has found it", func() bool { return errors.Is(e.Ping(t.Context()), rediskv.ErrStrange) })
	if total := replica.Do("DBSIZE"); total != ":0" {
		t.Errorf("an emptied master has %s keys", total)
	}
}

// TestMissingValueOfAnEmptiedRedis checks that a durable read does not report a value as missing
// when the server was just emptied and nothing has noticed it yet.
func TestMissingValueOfAnEmptiedRedis(t *testing.T) {
	s := redistest.Start(t)
	for range 5 {
		s.Do("FLUSHALL")
		e := open(t, s.URL(), rediskv.Options{Guard: true})
		mustTxn(t, e, nil, put("a", 1))
		for id, want := range map[string]uint64{"a": 1, "b": 0} {
			get := &kv.Get{Key: key("v", 3, id)}
			if err := e.Read(kv.Durable(t.Context()), get); err != nil || get.Version != want {
				t.Errorf("%s: version %d, %v", id, get.Version, err)
			}
		}
		s.Do("FLUSHALL")
		if err := e.Read(kv.Durable(t.Context()), &kv.Get{Key: key("v", 3, "a")}); !errors.Is(err, kv.ErrUnavailable) {
			t.Errorf("a durable read of an emptied server ends with %v", err)
		}
		e.Close()
	}
}

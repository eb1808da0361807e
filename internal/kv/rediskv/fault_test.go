package rediskv_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"linnet/internal/kv"
	"linnet/internal/kv/kvtest"
	"linnet/internal/kv/rediskv"
	"linnet/internal/kv/redistest"
)

func key(kind string, shard uint16, id string) kv.Key {
	return kv.Key{Kind: kind, Shard: shard, ID: id}
}

func put(id string, version uint64) kv.Put {
	return kv.Put{Key: key("v", 3, id), Data: []byte("x"), Version: version}
}

func mustTxn(t *testing.T, e kv.Store, conds []kv.Cond, changes ...kv.Op) {
	t.Helper()
	if failed, err := e.Txn(t.Context(), conds, changes...); err != nil || failed != -1 {
		t.Fatalf("Txn: %d, %v", failed, err)
	}
}

func version(t *testing.T, e kv.Store, id string) uint64 {
	t.Helper()
	q := &kv.Get{Key: key("v", 3, id)}
	if err := e.Read(t.Context(), q); err != nil {
		t.Fatal(err)
	}
	return q.Version
}

// calls has one call of each kind that needs a server.
func calls(e *rediskv.Engine) map[string]func(context.Context) error {
	return map[string]func(context.Context) error{
		"Read":    func(ctx context.Context) error { return e.Read(ctx, &kv.Get{Key: key("v", 3, "a")}) },
		"Apply":   func(ctx context.Context) error { return e.Apply(ctx, put("a", 1)) },
		"Push":    func(ctx context.Context) error { return e.Apply(ctx, &kv.Push{Key: key("home", 3, "a"), ID: 1}) },
		"Publish": func(ctx context.Context) error { return e.Publish(ctx, "t", nil) },
		"Ping":    e.Ping,
		"Txn": func(ctx context.Context) error {
			_, err := e.Txn(ctx, nil, put("a", 1))
			return err
		},
		"Subscribe": func(ctx context.Context) error {
			s, err := e.Subscribe(ctx, "t")
			if err == nil {
				s.Close()
			}
			return err
		},
		"Count": func(ctx context.Context) error {
			_, err := e.Count(ctx, "k", 1, time.Hour)
			return err
		},
		"Now": func(ctx context.Context) error {
			_, err := e.Now(ctx)
			return err
		},
		"Keys": func(ctx context.Context) error {
			_, _, err := e.Keys(ctx, "")
			return err
		},
	}
}

// soon is the second after which an engine gives up on a server, with a margin for busy machines.
// Without the engine's timeout a call takes ten seconds or hangs.
const soon = 6 * time.Second

// TestServerGone checks that every call fails within a second while the server is away, and works
// once it is back, without opening the engine again.
func TestServerGone(t *testing.T) {
	s := redistest.Start(t)
	e := open(t, s.URL(), rediskv.Options{})
	for round := range 3 {
		for name, call := range calls(e) {
			if err := call(t.Context()); err != nil {
				t.Fatalf("round %d: %s: %v", round, name, err)
			}
		}
		s.Kill()
		for name, call := range calls(e) {
			var err error
			var took time.Duration
			// A connection may notice its end with a change, whose outcome is unknown then.
			until(t, "it is known that there is no server", func() bool {
				start := time.Now()
				err = call(t.Context())
				took = time.Since(start)
				return !errors.Is(err, kv.ErrUnknown)
			})
			if !errors.Is(err, kv.ErrUnavailable) {
				t.Errorf("round %d: %s without a server: %v", round, name, err)
			}
			if took > soon {
				t.Errorf("%s without a server took %v", name, took)
			}
		}
		s.Restart()
	}
}

// TestServerSilent checks that the engine gives up on a server that does not answer after a second.
// The write may have been made.
func TestServerSilent(t *testing.T) {
	s := redistest.Start(t)
	e := open(t, s.URL(), rediskv.Options{})
	for _, name := range []string{"Read", "Txn", "Now", "Ping", "Subscribe"} {
		call := calls(e)[name]
		s.Stop()
		start := time.Now()
		err := call(t.Context())
		took := time.Since(start)
		s.Continue()
		want := kv.ErrUnavailable
		if name == "Txn" {
			want = kv.ErrUnknown
		}
		if !errors.Is(err, want) || took > soon {
			t.Errorf("%s: %v after %v, want %v after a second", name, err, took, want)
		}
		if err := call(t.Context()); err != nil {
			t.Errorf("%s when the server goes on: %v", name, err)
		}
	}
}

// TestOpenWithoutServer checks the same for Open.
func TestOpenWithoutServer(t *testing.T) {
	for _, url := range []string{
		"unix://" + t.TempDir() + "/none.sock",
		"redis://127.0.0.1:" + redistest.FreePort(t),
		"redis://127.0.0.1:" + redistest.FreePort(t) + ",127.0.0.1:" + redistest.FreePort(t),
		"redis+sentinel://127.0.0.1:" + redistest.FreePort(t) + "?master=m",
	} {
		start := time.Now()
		e, err := rediskv.Open(t.Context(), url, rediskv.Options{})
		if e != nil || !errors.Is(err, kv.ErrUnavailable) {
			t.Errorf("%s: %v, %v", url, e, err)
		}
		if took := time.Since(start); took > soon {
			t.Errorf("%s took %v", url, took)
		}
	}
}

// TestLostAnswer checks that a transaction whose answer was lost was made, and that the engine does
// not repeat it.
func TestLostAnswer(t *testing.T) {
	s := redistest.Start(t)
	p := redistest.NewProxy(t, s.Addr())
	e := open(t, p.URL(), rediskv.Options{})
	counter := key("c", 3, "a")
	mustTxn(t, e, nil, kv.Incr{Key: counter, Name: "n", By: 1}) // so that the server has the script
	want := int64(1)
	for unknown := 0; unknown < 10; {
		p.CutAnswers()
		_, err := e.Txn(t.Context(), nil, kv.Incr{Key: counter, Name: "n", By: 1})
		p.Pass()
		switch {
		case errors.Is(err, kv.ErrUnknown) && !errors.Is(err, kv.ErrUnavailable):
			unknown++
			want++
		case errors.Is(err, kv.ErrUnavailable): // the greeting of a new connection was cut
		default:
			t.Fatalf("a transaction whose answer was cut: %v", err)
		}
		q := &kv.Counters{Key: counter, Names: []string{"n"}}
		if err := e.Read(t.Context(), q); err != nil {
			t.Fatal(err)
		}
		if q.Values[0] != want {
			t.Fatalf("after %v the counter is %d, want %d", err, q.Values[0], want)
		}
	}
	p.StallAnswers()
	if _, err := e.Txn(t.Context(), nil, put("stalled", 1)); !errors.Is(err, kv.ErrUnknown) {
		t.Errorf("a transaction whose answer is late: %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	if _, err := e.Txn(ctx, nil, put("late", 1)); !errors.Is(err, kv.ErrUnknown) {
		t.Errorf("a transaction that its caller gave up: %v", err)
	}
	p.Pass()
	p.Break()
	if err := e.Apply(t.Context(), put("b", 1)); err != nil && !errors.Is(err, kv.ErrUnknown) {
		t.Errorf("Apply after a break: %v", err)
	}
	// Each of several connections may notice its break with a change, whose outcome is unknown
	// then.
	for end := time.Now().Add(time.Minute); ; {
		_, err := e.Txn(t.Context(), nil, put("c", 1))
		if err == nil {
			break
		}
		if !errors.Is(err, kv.ErrUnknown) || time.Now().After(end) {
			t.Fatalf("a transaction after a break: %v", err)
		}
	}
}

// TestReadAsksAgain checks that a read is repeated when its connection breaks.
func TestReadAsksAgain(t *testing.T) {
	s := redistest.Start(t)
	p := redistest.NewProxy(t, s.Addr())
	e := open(t, p.URL(), rediskv.Options{})
	mustTxn(t, e, nil, put("a", 7))
	for range 20 {
		p.Break()
		if v := version(t, e, "a"); v != 7 {
			t.Fatalf("version %d", v)
		}
	}
}

// TestNoScript checks that a server that has lost its scripts receives them again, and that no
// change is lost or made twice.
func TestNoScript(t *testing.T) {
	s := redistest.Start(t)
	e := open(t, s.URL(), rediskv.Options{})
	counter, feed, set := key("c", 3, "a"), key("home", 3, "a"), key("s", 3, "a")
	for i := range 5 {
		s.Do("SCRIPT", "FLUSH")
		mustTxn(t, e, nil, kv.Incr{Key: counter, Name: "n", By: 1}, kv.Add{Key: set, Member: "a", Score: 1})
		s.Do("SCRIPT", "FLUSH")
		changes := []kv.Op{
			kv.Fill{Key: feed, Token: "t", TTL: time.Hour}, kv.Filled{Key: feed, Token: "t"},
			put("a", uint64(i+1)), &kv.Push{Key: feed, ID: uint64(10 + i)}, put("a", uint64(i+2)),
		}
		if err := e.Apply(t.Context(), changes...); err != nil {
			t.Fatal(err)
		}
		s.Do("SCRIPT", "FLUSH")
		c := &kv.Counters{Key: counter, Names: []string{"n"}}
		f := &kv.Feed{Key: feed, Below: 1000, Limit: 10}
		r := &kv.Range{Key: set, Above: &kv.Member{Score: 1, Member: "Z"}, Limit: 5}
		if err := e.Read(t.Context(), c, f, r); err != nil {
			t.Fatal(err)
		}
		if c.Values[0] != int64(i+1) || f.State != kv.Warm || len(f.IDs) != i+1 || len(r.Members) != 1 || version(t, e, "a") != uint64(i+2) {
			t.Fatalf("round %d: %+v %+v %+v", i, c, f, r)
		}
		s.Do("SCRIPT", "FLUSH")
		if n, err := e.Count(t.Context(), "k", 1, time.Hour); err != nil || n != int64(i+1) {
			t.Fatalf("Count: %d, %v", n, err)
		}
	}
}

// TestRefusals checks that a change refused because of the server's state has no effect, and
// returns the right error.
func TestRefusals(t *testing.T) {
	t.Run("OOM", func(t *testing.T) {
		s := redistest.Start(t, "--maxmemory-policy", "noeviction")
		e := open(t, s.URL(), rediskv.Options{})
		mustTxn(t, e, nil, put("old", 1), kv.Add{Key: key("s", 3, "a"), Member: "m", Score: 1})
		s.Do("CONFIG", "SET", "maxmemory", "1")
		refused(t, e, kv.ErrFull)
		if err := e.Ping(t.Context()); !errors.Is(err, kv.ErrFull) {
			t.Errorf("Ping: %v", err)
		}
		// A transaction that begins by freeing memory succeeds completely.
		mustTxn(t, e, nil, kv.Remove{Key: key("s", 3, "a"), Member: "m"}, put("afterwards", 1))
		if version(t, e, "afterwards") != 1 || version(t, e, "old") != 1 {
			t.Error("a transaction that was acknowledged is not there")
		}
		s.Do("CONFIG", "SET", "maxmemory", "0")
		mustTxn(t, e, nil, put("again", 1))
	})
	t.Run("NOREPLICAS", func(t *testing.T) {
		s := redistest.Start(t, "--min-replicas-to-write", "1")
		refused(t, open(t, s.URL(), rediskv.Options{}), kv.ErrUnavailable)
	})
	t.Run("READONLY", func(t *testing.T) {
		s := redistest.Start(t)
		e := open(t, s.URL(), rediskv.Options{})
		s.Do("REPLICAOF", "127.0.0.1", redistest.FreePort(t))
		refused(t, e, kv.ErrUnavailable)
		if err := e.Ping(t.Context()); !errors.Is(err, kv.ErrUnavailable) {
			t.Errorf("Ping of a replica: %v", err)
		}
		s.Do("REPLICAOF", "NO", "ONE")
		mustTxn(t, e, nil, put("again", 1))
	})
}

func refused(t *testing.T, e *rediskv.Engine, want error) {
	t.Helper()
	_, err := e.Txn(t.Context(), nil, put("a", 1), kv.Incr{Key: key("c", 3, "a"), Name: "n", By: 1})
	if !errors.Is(err, want) || errors.Is(err, kv.ErrUnknown) {
		t.Errorf("Txn: got %v, want %v", err, want)
	}
	if err := e.Apply(t.Context(), put("b", 1)); !errors.Is(err, want) {
		t.Errorf("Apply: got %v, want %v", err, want)
	}
	c := &kv.Counters{Key: key("c", 3, "a"), Names: []string{"n"}}
	if err := e.Read(t.Context(), c); err != nil {
		t.Errorf("Read: %v", err)
	}
	if c.Values[0] != 0 || version(t, e, "a") != 0 || version(t, e, "b") != 0 {
		t.Error("a refused transaction was made in part")
	}
}

// dumped returns the records of some keys of a server as text.
func dumped(s *redistest.Server, keys ...string) string {
	var b strings.Builder
	for _, k := range keys {
		fmt.Fprintf(&b, "%s %q\n", k, s.Do("DUMP", k))
	}
	return b.String()
}

// TestWrongShape checks that a change that cannot be made prevents all others in its transaction,
// in any position.
func TestWrongShape(t *testing.T) {
	s := redistest.Start(t)
	e := open(t, s.URL(), rediskv.Options{})
	mustTxn(t, e, nil, kv.Add{Key: key("s", 3, "set"), Member: "m", Score: 1}, put("value", 1))
	s.Do("HSET", "c:{3}:foreign", "n", "1.5", "big", "9223372036854775000")
	wrong := []kv.Op{
		kv.Incr{Key: key("s", 3, "set"), Name: "n", By: 1},
		&kv.Push{Key: key("s", 3, "set"), ID: 1},
		kv.Filled{Key: key("v", 3, "value"), Token: "t"},
		kv.Trim{Key: key("v", 3, "value"), Keep: 1},
		kv.Incr{Key: key("c", 3, "foreign"), Name: "n", By: 1},
		kv.Incr{Key: key("c", 3, "foreign"), Name: "big", By: kv.MaxScore},
	}
	for i, c := range wrong {
		up := []kv.Op{kv.Incr{Key: key("c", 3, "up"), Name: "n", By: 5}, kv.Incr{Key: key("c", 3, "up"), Name: "n", By: -3},
			kv.Incr{Key: key("c", 3, "new"), Name: "m", By: -kv.MaxScore}}
		all := []string{"s:{3}:set", "v:{3}:value", "v:{3}:a", "c:{3}:foreign", "c:{3}:up", "c:{3}:new"}
		before := dumped(s, all...)
		for _, changes := range [][]kv.Op{{put("a", 1), c}, {c, put("a", 1)}, append(up[:3:3], c, put("a", 1)), append([]kv.Op{put("a", 1), c}, up...),
			{kv.Incr{Key: key("c", 3, "foreign"), Name: "m", By: 7}, c, kv.Delete{Key: key("v", 3, "value2")}}} {
			if _, err := e.Txn(t.Context(), nil, changes...); !errors.Is(err, kv.ErrRefused) {
				t.Errorf("change %d: %v", i, err)
			}
			if after := dumped(s, all...); after != before {
				t.Fatalf("change %d: others were made: there is\n%s\nand was\n%s", i, after, before)
			}
		}
	}
	twice := key("v", 3, "new")
	if _, err := e.Txn(t.Context(), nil, kv.Put{Key: twice, Version: 1}, kv.Add{Key: twice, Member: "m"}); !errors.Is(err, kv.ErrRefused) {
		t.Errorf("one key in two shapes: %v", err)
	}
	mustTxn(t, e, nil, kv.Delete{Key: twice}, kv.Add{Key: twice, Member: "m"}, kv.Delete{Key: twice})
}

// TestKilledWithAOF checks that, with appendfsync always, acknowledged writes survive a kill of the
// server during writes.
func TestKilledWithAOF(t *testing.T) {
	s := redistest.Start(t, "--appendonly", "yes", "--appendfsync", "always")
	e := open(t, s.URL(), rediskv.Options{})
	if d := e.Info().Durability; !strings.Contains(d.String(), "always") {
		t.Errorf("Info says %q", d)
	}
	for round := range 3 {
		acked := make(chan string, 100_000)
		done := make(chan bool)
		for w := range 4 {
			go func() {
				defer func() { done <- true }()
				for i := 0; ; i++ {
					id := fmt.Sprint(round, "-", w, "-", i)
					if _, err := e.Txn(context.Background(), nil, put(id, 1)); err != nil {
						return
					}
					acked <- id
				}
			}()
		}
		until(t, "something is acknowledged", func() bool { return len(acked) > 20 })
		s.Kill()
		for range 4 {
			<-done
		}
		close(acked)
		s.Restart()
		n := 0
		for id := range acked {
			if n++; version(t, e, id) != 1 {
				t.Fatalf("round %d: %s was acknowledged and is lost", round, id)
			}
		}
		if n == 0 {
			t.Error("no transaction was acknowledged")
		}
	}
}

// TestReopenAfterKill runs the suite of persistent engines, and kills the server whenever the suite
// reopens the engine.
func TestReopenAfterKill(t *testing.T) {
	kvtest.RunReopen(t, func(t *testing.T) func() kv.Engine {
		s := redistest.Start(t, "--appendonly", "yes", "--appendfsync", "always")
		return func() kv.Engine {
			s.Restart()
			return open(t, s.URL(), rediskv.Options{})
		}
	}, kvtest.Caps{FeedsMayPersist: true})
}

package rediskv

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"linnet/internal/kv/redistest"
)

// TestBefore checks that a server without a mark is accepted as the store only if it took over from
// a marked master before it received the mark.
func TestBefore(t *testing.T) {
	const info = "role:master\r\nmaster_replid:new\r\nmaster_replid2:old\r\nmaster_repl_offset:120\r\n"
	for name, tc := range map[string]struct {
		info string
		want bool
	}{
		"before the mark":       {info + "second_repl_offset:100\r\n", true},
		"at its last byte":      {info + "second_repl_offset:110\r\n", true},
		"behind it":             {info + "second_repl_offset:111\r\n", false},
		"follows nobody":        {info + "second_repl_offset:-1\r\n", false},
		"tells nothing":         {"role:master\r\n", false},
		"still a replica":       {"role:slave\r\nmaster_replid2:old\r\nsecond_repl_offset:100\r\n", false},
		"of another master":     {"role:master\r\nmaster_replid2:another\r\nsecond_repl_offset:100\r\n", false},
		"the marked one, empty": {"role:master\r\nmaster_replid:old\r\nmaster_replid2:0000\r\nsecond_repl_offset:-1\r\n", false},
		"never had two masters": {"role:master\r\nmaster_replid:old\r\nmaster_repl_offset:3\r\n", false},
	} {
		o := origins{marks: map[string]int64{}}
		o.made("role:master\r\nmaster_replid:old\r\nmaster_repl_offset:110\r\n")
		o.made("role:master\r\n") // tells nothing
		if id, ok := o.before(tc.info); ok != tc.want || ok && id != "old" {
			t.Errorf("%s: %q, %v", name, id, ok)
		}
	}
}

// TestMarkIsReplicated checks that a start fails if no replica has a new mark.
func TestMarkIsReplicated(t *testing.T) {
	for name, cut := range map[string]bool{"heard": false, "cut off": true} {
		t.Run(name, func(t *testing.T) {
			n := redistest.ClusterBehindProxies(t, 2, 2)
			e, err := Open(context.Background(), n.URL(), Options{Guard: true, WaitReplicas: 1, WaitTimeout: 200 * time.Millisecond,
				Logger: slog.New(slog.DiscardHandler)})
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			for _, m := range n.Masters {
				m.Do("FLUSHALL")
			}
			if cut {
				n.Proxy(n.Masters[1]).DropReplicas()
			}
			e.guard = newGuard(e.opts, e.cluster)
			err = e.mark()
			if cut && !errors.Is(err, ErrFewReplicas) {
				t.Fatalf("mark: %v", err)
			}
			n.Proxy(n.Masters[1]).PassReplicas()
			for end := time.Now().Add(time.Minute); err != nil && time.Now().Before(end); {
				err = e.mark() // replicas may be slow on a busy machine
			}
			if err != nil {
				t.Fatalf("with the replica: %v", err)
			}
			if has := n.Replicas[1].Do("DBSIZE"); has == ":0" {
				t.Error("the replica of the second master has no mark")
			}
		})
	}
}

// TestMarkIsAskedFor checks that a server whose mark could not be read is not accepted as the store
// because it answers the next command.
func TestMarkIsAskedFor(t *testing.T) {
	s := redistest.Start(t)
	e, err := Open(t.Context(), s.URL(), Options{Guard: true, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	var refuse atomic.Bool
	conf := e.clientOption()
	conf.ForceSingleClient = true
	conf.DialCtxFn = func(ctx context.Context, addr string, dialer *net.Dialer, config *tls.Config) (net.Conn, error) {
		if refuse.CompareAndSwap(true, false) {
			return nil, &unsentError{errors.New("connection refused")}
		}
		return dial(ctx, addr, dialer, config)
	}
	node, err := connect(conf)
	if err != nil {
		t.Fatal(err)
	}
	defer node.Close()
	if err := e.guard.alive(t.Context(), node, 0); err != nil {
		t.Fatal(err)
	}
	s.Do("FLUSHALL")
	refuse.Store(true)
	s.Do("CLIENT", "KILL", "TYPE", "normal")
	for !errors.Is(err, ErrStrange) {
		if err = e.guard.alive(t.Context(), node, 0); err == nil {
			t.Fatal("an emptied server passes for the store")
		}
	}
	if refuse.Load() {
		t.Error("the server was never out of reach")
	}
}

package cluster_test

import (
	"context"
	"errors"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"linnet/internal/kv/redistest"
	"linnet/tools/seed"
)

// TestMigrateKilled kills linnet migrate from a Redis to a Cluster with SIGKILL in each of its
// steps while clients post, and repeats it. The last run must succeed. The new store then contains
// each acknowledged status once and is consistent. Two installations are moved at the same time,
// with half of the kills each, because every run after a kill waits for the lock of the old store.
func TestMigrateKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("each killed run locks the old store for up to 15 s")
	}
	redistest.Require(t)
	bin := build(t)
	for half := range 2 {
		t.Run(strconv.Itoa(half), func(t *testing.T) {
			t.Parallel()
			var own []kill
			for i, k := range kills() {
				if i%2 == half {
					own = append(own, k)
				}
			}
			testMigrateKilled(t, bin, own)
		})
	}
}

func testMigrateKilled(t *testing.T, bin string, kills []kill) {
	m := newMove(t, bin)
	var posters []*poster
	for i := range 10 {
		posters = append(posters, &poster{client: m.person("poster" + strconv.Itoa(i)), every: 1200 * time.Millisecond})
	}
	var load sync.WaitGroup
	stop := make(chan struct{})
	for _, p := range posters {
		load.Go(func() { p.run(m.world, stop) })
	}
	m.awaitPosts(posters)
	for _, k := range kills {
		if m.killed(k) {
			break // everything was moved
		}
		m.awaitPosts(posters)
	}
	out, err := m.run()
	if err != nil {
		t.Fatalf("the last run ends with %v\n%s", err, out)
	}
	if m.old.cmd != nil && !m.old.ended(30*time.Second) || m.old.exit != 75 {
		t.Errorf("the server of the old store ends with code %d, want 75", m.old.exit)
	}
	if out, err := m.run(); err != nil || !strings.Contains(out, "was already moved to") {
		t.Errorf("a run after the move ends with %v\n%s", err, out)
	}
	m.next.start()
	m.awaitPosts(posters)
	close(stop)
	load.Wait()
	for i, p := range posters {
		p.verify(m.world, i)
	}
	if out := m.command("", "check", "--store", m.to); !strings.Contains(out, "0 problems,") {
		t.Errorf("check of the new store:\n%s", out)
	}
}

// move is an instance with two servers: one uses the old store, and the other one is started on
// the new store after the move. Its clients reach either through the proxy.
type move struct {
	*world
	from, to  string
	old, next *server
}

func newMove(t *testing.T, bin string) *move {
	m := &move{world: &world{T: t, bin: bin}, from: redistest.Start(t).URL(), to: redistest.Cluster(t, 3, 0).URL()}
	m.old = newServer(t, "old", m.bin, "--store", m.from, "--trusted-proxies", "127.0.0.1")
	m.next = newServer(t, "next", m.bin, "--store", m.to, "--trusted-proxies", "127.0.0.1")
	m.proxy = newProxy(t, m.old, m.next)
	m.url = "http://" + m.proxy.server.Listener.Addr().String()
	for _, s := range []*server{m.old, m.next} {
		s.args = append(s.args, "--public-url", m.url)
	}
	fill(t, m.from, seed.Options{Generated: true, Users: 200, PerUser: 10})
	m.command("", "instance", "set", "new-account-days=0", "--store", m.from)
	m.old.start()
	m.proxy.watch(t)
	return m
}

// person creates an account in the old store and logs an app in.
func (m *move) person(name string) *client {
	m.Helper()
	m.command(password+"\n", "user", "create", name, "--store", m.from)
	c := m.client()
	c.logIn(m, name)
	return c
}

// kill is the moment at which a run is killed.
type kill struct {
	line  string        // printed by the run, "" for its start
	after time.Duration // the time since then
}

func kills() []kill {
	const copied, followed, compared, stopped = "shards 1,024/1,024", "records that changed meanwhile", "shards compared", "writes are paused"
	return []kill{
		{"", 100 * time.Millisecond},
		{"", 400 * time.Millisecond},
		{copied, 0},
		{followed, 0},
		{followed, 200 * time.Millisecond},
		{compared, 0},
		{compared, 500 * time.Millisecond},
		{stopped, 0},
		{stopped, 50 * time.Millisecond},
		{stopped, 150 * time.Millisecond},
		{stopped, 300 * time.Millisecond},
	}
}

// start starts a run and collects its output.
func (m *move) start(ctx context.Context) (*exec.Cmd, *output) {
	m.Helper()
	cmd, out := exec.CommandContext(ctx, m.bin, "migrate", m.from, m.to, "--data", m.TempDir()), &output{}
	cmd.Env, cmd.Stdout, cmd.Stderr = cleanEnv(), out, out
	dieWithParent(cmd)
	if err := cmd.Start(); err != nil {
		m.Fatal(err)
	}
	return cmd, out
}

// run waits until a run ends.
func (m *move) run() (string, error) {
	m.Helper()
	ctx, cancel := context.WithTimeout(m.Context(), 2*time.Minute)
	defer cancel()
	cmd, out := m.start(ctx)
	err := cmd.Wait()
	return out.String(), errors.Join(err, ctx.Err())
}

// killed starts a run and kills it. It reports whether the run had closed the old store by then:
// the server stops in that case, and serves on otherwise.
func (m *move) killed(k kill) bool {
	m.Helper()
	cmd, out := m.start(m.Context())
	until(m, time.Minute, "the command prints "+strconv.Quote(k.line), func() bool { return strings.Contains(out.String(), k.line) })
	time.Sleep(k.after)
	_ = cmd.Process.Kill()
	err := cmd.Wait()
	m.Logf("killed %v after %q: %v", k.after, k.line, err)
	return err == nil || m.old.ended(2*time.Second)
}

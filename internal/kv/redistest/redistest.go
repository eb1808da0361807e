// Package redistest starts private Redis servers for tests: one on a Unix socket, or a Cluster of
// local processes. They stop when the test ends.
//
// It starts and stops servers, and does not know their data. It never touches other servers.
package redistest

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// patience bounds how long a server may take to begin to answer.
const patience = time.Minute

// Server is a redis-server process. Its methods are called from one goroutine.
type Server struct {
	t    testing.TB
	dir  string
	addr string // path of the socket, or host:port
	args []string
	cmd  *exec.Cmd
	done chan struct{} // closed when the process has ended
	out  *output
}

// Require skips the test if there is no redis-server to run, or fails it if
// the environment variable LINNET_REQUIRE names redis.
func Require(t testing.TB) {
	t.Helper()
	if _, err := exec.LookPath("redis-server"); err == nil {
		return
	}
	if slices.Contains(strings.Split(os.Getenv("LINNET_REQUIRE"), ","), "redis") {
		t.Fatal("LINNET_REQUIRE names redis, but redis-server is not on PATH")
	}
	t.Skip("redis-server is not on PATH")
}

// Single starts a server on a socket and returns its URL. It keeps nothing on
// disk unless args say so; args are options as on the command line, such as
// "--appendonly", "yes".
func Single(t testing.TB, args ...string) string {
	t.Helper()
	return Start(t, args...).URL()
}

// Start is Single for a test that also stops the server.
func Start(t testing.TB, args ...string) *Server {
	t.Helper()
	Require(t)
	dir := tempDir(t)
	socket := filepath.Join(dir, "redis.sock")
	s := newServer(t, dir, socket, append(defaults("--port", "0", "--unixsocket", socket), args...))
	s.Restart()
	return s
}

// StartTCP is Start on a free port of 127.0.0.1.
func StartTCP(t testing.TB, args ...string) *Server {
	t.Helper()
	Require(t)
	return startOnPort(t, func(port string) []string {
		return append(defaults("--port", port, "--bind", "127.0.0.1"), args...)
	})
}

// Sentinel starts a Sentinel that alone watches a master, which StartTCP has
// started, under a name. It takes half a second for a silent master to be
// replaced by a replica.
func Sentinel(t testing.TB, name string, master *Server) *Server {
	t.Helper()
	host, port, err := net.SplitHostPort(master.addr)
	if err != nil {
		t.Fatal(err)
	}
	conf := filepath.Join(tempDir(t), "sentinel.conf")
	text := fmt.Sprintf("sentinel monitor %s %s %s 1\nsentinel down-after-milliseconds %s 500\nsentinel failover-timeout %s 2000\n",
		name, host, port, name, name)
	if err := os.WriteFile(conf, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return startOnPort(t, func(port string) []string {
		return []string{conf, "--sentinel", "--port", port, "--bind", "127.0.0.1"}
	})
}

// startOnPort tries other ports if somebody else takes the first.
func startOnPort(t testing.TB, args func(port string) []string) *Server {
	t.Helper()
	for range 5 {
		port := FreePort(t)
		s := newServer(t, tempDir(t), net.JoinHostPort("127.0.0.1", port), args(port))
		s.Begin()
		err := s.wait()
		if err == nil {
			return s
		}
		t.Logf("redis-server at %s does not answer: %v\n%s", s.addr, err, s.out)
		s.Kill()
	}
	t.Fatal("no redis-server could be started on a port")
	return nil
}

// defaults are what every server but a Sentinel is told, and more.
func defaults(more ...string) []string {
	return append([]string{"--save", "", "--appendonly", "no", "--loglevel", "warning"}, more...)
}

func newServer(t testing.TB, dir, addr string, args []string) *Server {
	s := &Server{t: t, dir: dir, addr: addr, args: args}
	t.Cleanup(s.Kill)
	return s
}

// tempDir is short, unlike t.TempDir: the path of a socket has at most 107
// bytes.
func tempDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "redis")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// FreePort returns a port of 127.0.0.1 that nobody listens to, and that no other test is
// given before this one has ended.
func FreePort(t testing.TB) string {
	t.Helper()
	l := listen(t)
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

// listen takes a port of 127.0.0.1. It lies below those that systems give to outgoing
// connections, which would take it before a server does.
func listen(t testing.TB) net.Listener {
	t.Helper()
	for range 100 {
		port := strconv.Itoa(10_000 + rand.IntN(20_000))
		if !reserve(t, port) {
			continue
		}
		if l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", port)); err == nil {
			return l
		}
	}
	t.Fatal("no free port")
	return nil
}

// reserve keeps a port from the tests of all processes until the test has ended: a server
// listens to it only after a while, and lets go of it to start again.
func reserve(t testing.TB, port string) bool {
	t.Helper()
	dir := filepath.Join(os.TempDir(), "linnet-test-ports")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(filepath.Join(dir, port), os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil { // of another user
		return false
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		return false
	}
	t.Cleanup(func() { f.Close() })
	return true
}

// Addr is the path of the server's socket, or its host:port.
func (s *Server) Addr() string { return s.addr }

// Dir is where the server keeps its files.
func (s *Server) Dir() string { return s.dir }

// URL names the server for rediskv.Open.
func (s *Server) URL() string {
	if strings.HasPrefix(s.addr, "/") {
		return "unix://" + s.addr
	}
	return "redis://" + s.addr
}

// Restart starts the server, with the same files, and waits until it answers.
func (s *Server) Restart() {
	s.t.Helper()
	s.Begin()
	if err := s.wait(); err != nil {
		s.t.Fatalf("redis-server at %s does not answer: %v\n%s", s.addr, err, s.out)
	}
}

// Begin starts the server without waiting for it.
func (s *Server) Begin() {
	s.t.Helper()
	s.Kill()
	s.out = &output{}
	s.cmd = exec.Command("redis-server", s.args...)
	s.cmd.Stdout, s.cmd.Stderr = s.out, s.out
	s.cmd.Dir = s.dir
	dieWithParent(s.cmd)
	if err := s.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	cmd, done := s.cmd, make(chan struct{})
	s.done = done
	go func() {
		cmd.Wait()
		close(done)
	}()
}

// wait asks until the server answers.
func (s *Server) wait() error {
	var err error
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		select {
		case <-s.done:
			return errors.New("it has ended")
		default:
		}
		var answer string
		if answer, err = Command(s.addr, "PING"); err == nil {
			if strings.HasPrefix(answer, "+PONG") || strings.HasPrefix(answer, "-NOAUTH") {
				return nil
			}
			err = fmt.Errorf("answer %q", answer)
		}
	}
	return err
}

// Kill ends the server at once, as kill -9 does. It may be called again.
func (s *Server) Kill() {
	if s.cmd == nil {
		return
	}
	s.cmd.Process.Kill()
	<-s.done
	s.cmd = nil
}

// Stop halts the process without ending it, so that it answers nothing, until
// Continue.
func (s *Server) Stop() { s.signal(stopSignal) }

// Continue is the end of a Stop.
func (s *Server) Continue() { s.signal(continueSignal) }

func (s *Server) signal(sig os.Signal) {
	s.t.Helper()
	if err := s.cmd.Process.Signal(sig); err != nil {
		s.t.Fatal(err)
	}
}

// Do sends the server a command and returns its answer as it came over the
// line, but for bulk strings without their length. It ends the test if the
// answer is an error.
func (s *Server) Do(args ...string) string {
	s.t.Helper()
	answer, err := Command(s.addr, args...)
	if err != nil || strings.HasPrefix(answer, "-") {
		s.t.Fatalf("%s: %q, %v", args, answer, err)
	}
	return answer
}

// IsMaster reports whether the server answers that it is a master. A Sentinel that
// makes it one cuts all its connections, so that no answer is no fault.
func (s *Server) IsMaster() bool {
	info, err := Command(s.addr, "INFO", "replication")
	return err == nil && strings.Contains(info, "role:master")
}

// output keeps what a server writes, for the report of a failure.
type output struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (o *output) Write(b []byte) (int, error) {
	defer o.mu.Unlock()
	o.mu.Lock()
	return o.buf.Write(b)
}

func (o *output) String() string {
	defer o.mu.Unlock()
	o.mu.Lock()
	return o.buf.String()
}

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

// patience is the time limit for a server to become ready.
const patience = time.Minute

// Server is a redis-server process. Its methods are called from one goroutine.
type Server struct {
	t    testing.TB
	dir  string
	addr string // path of a socket, or host:port
	args []string
	cmd  *exec.Cmd
	done chan struct{} // closed when the process has exited
	out  *output
}

// Require skips the test if redis-server is not installed, or fails it if the environment variable
// LINNET_REQUIRE contains redis.
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

// Single starts a server on a socket and returns its URL. It stores nothing on disk unless args
// request it. args are command line options, such as "--appendonly", "yes".
func Single(t testing.TB, args ...string) string {
	t.Helper()
	return Start(t, args...).URL()
}

// Start is Single for tests that stop the server.
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

// Sentinel starts a single Sentinel that monitors a master started by StartTCP. It replaces an
// unresponsive master with a replica after half a second.
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

// startOnPort tries other ports if the first is in use.
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

// defaults returns the options of all servers except Sentinels, followed by more.
func defaults(more ...string) []string {
	return append([]string{"--save", "", "--appendonly", "no", "--loglevel", "warning"}, more...)
}

func newServer(t testing.TB, dir, addr string, args []string) *Server {
	s := &Server{t: t, dir: dir, addr: addr, args: args}
	t.Cleanup(s.Kill)
	return s
}

// tempDir returns a directory with a short path, unlike t.TempDir, because the path of a socket is
// limited to 107 bytes.
func tempDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "redis")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// FreePort returns an unused port of 127.0.0.1 that no other test gets before this one has ended.
func FreePort(t testing.TB) string {
	t.Helper()
	l := listen(t)
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

// listen listens on a port of 127.0.0.1. The port is below the range for outgoing connections,
// which could take it before the server does.
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

// reserve reserves a port among the tests of all processes until the test has ended. The port
// itself is free until the server listens, and during restarts.
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

// Addr returns the path of the server's socket, or its host:port.
func (s *Server) Addr() string { return s.addr }

// Dir returns the directory of the server's files.
func (s *Server) Dir() string { return s.dir }

// URL returns the URL of the server for rediskv.Open.
func (s *Server) URL() string {
	if strings.HasPrefix(s.addr, "/") {
		return "unix://" + s.addr
	}
	return "redis://" + s.addr
}

// Restart starts the server with its existing files and waits until it is ready.
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

// wait waits until the server is ready.
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

// Kill kills the server like kill -9. It can be called again.
func (s *Server) Kill() {
	if s.cmd == nil {
		return
	}
	s.cmd.Process.Kill()
	<-s.done
	s.cmd = nil
}

// Stop pauses the process, so that it does not respond, until Continue.
func (s *Server) Stop() { s.signal(stopSignal) }

// Continue resumes the process after Stop.
func (s *Server) Continue() { s.signal(continueSignal) }

func (s *Server) signal(sig os.Signal) {
	s.t.Helper()
	if err := s.cmd.Process.Signal(sig); err != nil {
		s.t.Fatal(err)
	}
}

// Do sends a command to the server and returns the reply as received, but bulk strings without
// their length. An error reply fails the test.
func (s *Server) Do(args ...string) string {
	s.t.Helper()
	answer, err := Command(s.addr, args...)
	if err != nil || strings.HasPrefix(answer, "-") {
		s.t.Fatalf("%s: %q, %v", args, answer, err)
	}
	return answer
}

// IsMaster reports whether the server's role is master. A missing reply is no error, because a
// Sentinel closes all connections of a new master.
func (s *Server) IsMaster() bool {
	info, err := Command(s.addr, "INFO", "replication")
	return err == nil && strings.Contains(info, "role:master")
}

// output stores the output of a server for error messages.
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

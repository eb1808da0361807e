package cluster_test

import (
	"bytes"
	"context"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"linnet/internal/kv/redistest"
)

// server is a process of the command.
type server struct {
	t    *testing.T
	name string
	args []string
	addr string // listen address
	log  *output
	cmd  *exec.Cmd
	done chan error
	exit int
}

// build compiles the command once for all tests of a run.
func build(t *testing.T) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "linnet")
	build := exec.Command("go", "build", "-C", "../..", "-o", bin, "./cmd/linnet")
	build.Env = append(build.Environ(), "CGO_ENABLED=0") // like releases, whatever flags the tests have
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the command: %v\n%s", err, out)
	}
	return bin
}

// newServer returns a server on a free port, which start runs.
func newServer(t *testing.T, name, bin string, args ...string) *server {
	s := &server{t: t, name: name, addr: "127.0.0.1:" + redistest.FreePort(t), log: &output{}}
	s.args = append([]string{bin, "serve", "--addr", s.addr, "--metrics-addr", "off", "--data", t.TempDir()}, args...)
	t.Cleanup(func() {
		s.kill()
		if t.Failed() {
			t.Logf("the log of %s:\n%s", name, s.log.tail(40))
		}
	})
	return s
}

// start runs the server and waits until it is ready.
func (s *server) start() {
	s.t.Helper()
	s.cmd = exec.Command(s.args[0], s.args[1:]...)
	s.cmd.Env = cleanEnv()
	s.cmd.Stdout, s.cmd.Stderr = s.log, s.log
	dieWithParent(s.cmd)
	if err := s.cmd.Start(); err != nil {
		s.t.Fatalf("start %s: %v", s.name, err)
	}
	cmd, done := s.cmd, make(chan error, 1)
	s.done = done
	go func() { done <- cmd.Wait() }()
	until(s.t, soon, s.name+" is ready", func() bool { return ready(s.addr) })
}

// ready reports whether a server is ready.
func ready(addr string) bool {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+"/readyz", nil)
	if err != nil {
		return false
	}
	req.Close = true
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	_ = resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}

// kill kills the server like kill -9. It can be called again.
func (s *server) kill() {
	if s.cmd != nil {
		_ = s.cmd.Process.Kill()
		<-s.done
		s.cmd = nil
	}
}

// terminate stops the server, which must exit in time and without an error.
func (s *server) terminate() {
	s.t.Helper()
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case err := <-s.done:
		s.cmd = nil
		if err != nil {
			s.t.Errorf("%s ended with %v", s.name, err)
		}
	case <-time.After(time.Minute):
		s.t.Errorf("%s did not end within 20 s of SIGTERM", s.name)
		s.kill()
	}
}

// ended waits for the server to exit and reports whether it did. exit is then its exit code.
func (s *server) ended(patience time.Duration) bool {
	s.t.Helper()
	select {
	case <-s.done:
		s.exit, s.cmd = s.cmd.ProcessState.ExitCode(), nil
		return true
	case <-time.After(patience):
		return false
	}
}

// setupToken returns the token in the set-up link that the server has printed.
func (s *server) setupToken() string {
	s.t.Helper()
	m := regexp.MustCompile(`(?m)^Set up +\S+?/setup/(\S+)`).FindStringSubmatch(s.log.String())
	if m == nil {
		s.t.Fatalf("%s offers no set-up:\n%s", s.name, s.log)
	}
	return m[1]
}

// cleanEnv returns the environment without settings of Linnet.
func cleanEnv() []string {
	var env []string
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "LINNET_") {
			env = append(env, kv)
		}
	}
	return env
}

// until waits for done, and fails after patience.
func until(t testing.TB, patience time.Duration, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !done(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited %v in vain until: %s", patience, what)
		}
	}
}

// output collects what a process prints. It is safe for concurrent use.
type output struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.String()
}

func (o *output) tail(n int) string {
	lines := strings.Split(o.String(), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}

package clients_test

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// server is a running Linnet.
type server struct {
	bin   string
	store []string // flags that select the store
	url   string
	talk  talk
	page  string // address of a page on another site
}

// build compiles the command once for all tests of a run.
func build(t *testing.T) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "linnet")
	cmd := exec.Command("go", "build", "-C", "../..", "-o", bin, "./cmd/linnet")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("build the command: %v\n%s", err, out)
	}
	return bin
}

// start runs the command on a free port and an empty store until the test ends. storeURL is "" for
// the embedded store.
func start(t *testing.T, bin, storeURL string, more ...string) *server {
	t.Helper()
	store := []string{"--data", t.TempDir()}
	if storeURL != "" {
		store = append(store, "--store", storeURL)
	}
	return startOn(t, bin, store, more...)
}

// startOn is like start with the flags of a store that can have data.
func startOn(t *testing.T, bin string, store []string, more ...string) *server {
	t.Helper()
	addr := freeAddr(t)
	s := &server{bin: bin, url: "http://" + addr, store: store}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	args := slices.Concat([]string{"serve", "--addr", addr, "--metrics-addr", "off", "--public-url", s.url}, more, s.store)
	cmd := exec.CommandContext(ctx, bin, args...)
	cmd.Env = cleanEnv()
	log := &output{}
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatalf("start the server: %v", err)
	}
	exited := make(chan error, 1)
	go func() { exited <- cmd.Wait() }()
	t.Cleanup(func() {
		stop(t, cmd, exited)
		cancel()
		if t.Failed() {
			t.Logf("the server's log:\n%s", log)
		}
	})
	s.awaitHealth(t, exited)
	return s
}

// stop stops the server, which must exit in time and without an error although clients may be
// connected.
func stop(t *testing.T, cmd *exec.Cmd, exited <-chan error) {
	_ = cmd.Process.Signal(syscall.SIGTERM)
	select {
	case err := <-exited:
		if err != nil {
			t.Errorf("the server ended with %v", err)
		}
	case <-time.After(time.Minute):
		t.Error("the server did not end within 15 s of SIGTERM")
		_ = cmd.Process.Kill()
		<-exited
	}
}

func (s *server) awaitHealth(t *testing.T, exited <-chan error) {
	t.Helper()
	deadline := time.Now().Add(time.Minute)
	for time.Now().Before(deadline) {
		resp, err := http.Get(s.url + "/health")
		if err == nil {
			_ = resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return
			}
		}
		select {
		case err := <-exited:
			t.Fatalf("the server ended before it was ready: %v", err)
		case <-time.After(50 * time.Millisecond):
		}
	}
	t.Fatal("the server was not ready within 20 s")
}

// password is the password of all users.
const password = "correct horse battery staple"

// addUser creates an account.
func (s *server) addUser(t *testing.T, name string) {
	t.Helper()
	s.command(t, password+"\n", "user", "create", name)
}

// command runs another command on the server's store while the server runs.
func (s *server) command(t *testing.T, stdin string, words ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, s.bin, append(words, s.store...)...)
	cmd.Env = cleanEnv()
	cmd.Stdin = strings.NewReader(stdin)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("linnet %s: %v\n%s", strings.Join(words, " "), err, out)
	}
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

func freeAddr(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatalf("find a free port: %v", err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
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

// required reports whether LINNET_REQUIRE, such as redis,node, contains a program. Tests then fail
// instead of being skipped without it.
func required(program string) bool {
	for _, name := range strings.Split(os.Getenv("LINNET_REQUIRE"), ",") {
		if strings.TrimSpace(name) == program {
			return true
		}
	}
	return false
}

// skipWithout skips a test, or fails it if the missing program is required.
func skipWithout(t *testing.T, program, format string, args ...any) {
	t.Helper()
	why := fmt.Sprintf(format, args...)
	if required(program) {
		t.Fatalf("%s, and LINNET_REQUIRE names %s", why, program)
	}
	t.Skip(why)
}

package torture_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"linnet/internal/kv/redistest"
	"linnet/tools/seed"
)

// server is a running Linnet with an embedded store.
type server struct {
	*testing.T
	bin    string
	dir    string
	addr   string
	tokens []string // of the users u0, u1 and so on
	cmd    *exec.Cmd
	done   chan error
}

// serve starts a server with some users. All of them follow the first one.
func serve(t *testing.T, users int, args ...string) *server {
	t.Helper()
	s := &server{T: t, bin: program(t), dir: place(t), addr: "127.0.0.1:" + redistest.FreePort(t)}
	var follows strings.Builder
	for i := 1; i < users; i++ {
		fmt.Fprintf(&follows, "%d\t0\n", i)
	}
	file := filepath.Join(s.dir, "follows")
	s.must(os.WriteFile(file, []byte(follows.String()), 0o600))
	_, err := seed.FillStore(t.Context(), map[string]string{"data": filepath.Join(s.dir, "data"), "reserve": "0"}, nil, seed.Options{Follows: file})
	s.must(err)
	s.tokens = make([]string, users)
	for line := range strings.Lines(s.command("user", "tokens", "--count", fmt.Sprint(users), "--reserve", "0")) {
		login, token, _ := strings.Cut(strings.TrimSpace(line), ":")
		n, err := strconv.Atoi(strings.TrimPrefix(login, "u"))
		s.must(err)
		s.tokens[n] = token
	}
	s.start(args...)
	return s
}

// start starts a server with the existing data directory.
func (s *server) start(args ...string) {
	s.Helper()
	s.cmd = exec.Command(s.bin, append([]string{"serve", "--data", filepath.Join(s.dir, "data"), "--addr", s.addr,
		"--metrics-addr", "off", "--rate-limits", "off", "--log-level", "warn"}, args...)...)
	log, err := os.Create(filepath.Join(s.dir, "log"))
	s.must(err)
	defer log.Close()
	s.cmd.Stdout, s.cmd.Stderr = log, log
	s.must(s.cmd.Start())
	s.done = make(chan error, 1)
	go func() { s.done <- s.cmd.Wait() }()
	s.Cleanup(func() {
		s.cmd.Process.Kill()
		if log, err := os.ReadFile(filepath.Join(s.dir, "log")); err == nil && s.Failed() {
			s.Logf("%s", log[max(0, len(log)-2000):])
		}
	})
	if !within(time.Minute, func() bool { code, _ := s.ask("GET", "/readyz", "", nil); return code == http.StatusOK }) {
		s.Fatal("the server does not start")
	}
}

func (s *server) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

func (s *server) command(words ...string) string {
	s.Helper()
	var errs strings.Builder
	cmd := exec.Command(s.bin, append(words, "--data", filepath.Join(s.dir, "data"))...)
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		s.Fatalf("linnet %v: %v\n%s%s", words, err, out, errs.String())
	}
	return string(out)
}

// ask makes a request and returns the status code, 0 without a response, and the body.
func (s *server) ask(method, path, token string, form url.Values) (code int, body string) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, "http://"+s.addr+path, strings.NewReader(form.Encode()))
	if err != nil {
		return 0, err.Error()
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err.Error()
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		return 0, err.Error()
	}
	return resp.StatusCode, string(data)
}

// post posts as the i-th user.
func (s *server) post(i int, text string) (code int, body string) {
	return s.ask("POST", "/api/v1/statuses", s.tokens[i], url.Values{"status": {text}})
}

// stop stops the server, which must exit without an error.
func (s *server) stop() {
	s.Helper()
	s.must(s.cmd.Process.Signal(syscall.SIGTERM))
	select {
	case err := <-s.done:
		if err != nil {
			s.Errorf("the server ended with %v", err)
		}
	case <-time.After(time.Minute):
		s.Error("the server did not end within 20 s of SIGTERM")
	}
}

// mustBeClean waits for pending tasks and fails if linnet check finds a breach.
func (s *server) mustBeClean() {
	s.Helper()
	var out string
	if !within(time.Minute, func() bool {
		out = s.command("check")
		return strings.Contains(out, "\n0 problems, 0 pending")
	}) {
		s.Error(out)
	}
}

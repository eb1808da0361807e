package bench

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// still is a server, a process of its own, that answers every request with the same
// bytes: what no server that does anything can be cheaper than.
type still struct {
	url    string
	client *http.Client
	reads  atomic.Uint64
	cmd    *exec.Cmd
	before time.Duration // of processor time, when the measuring began
	n      uint64        // likewise, reads
}

// StillArg is the first argument of a driver that is to be such a server; the second is
// how many bytes it answers with.
const StillArg = "serve-still-bytes"

// startStill starts one that answers with n bytes. It ends with ctx.
func startStill(ctx context.Context, n int64) (*still, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find the program: %w", err)
	}
	cmd := exec.CommandContext(ctx, self, StillArg, strconv.FormatInt(n, 10))
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start a server of still bytes: %w", err)
	}
	line := make([]byte, 200)
	k, err := out.Read(line)
	if err != nil {
		return nil, fmt.Errorf("start a server of still bytes: it says no address: %w", err)
	}
	return &still{url: strings.TrimSpace(string(line[:k])), cmd: cmd, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: maxConnections}}}, nil
}

// read reads the bytes once.
func (s *still) read(ctx context.Context) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url, nil)
	if err != nil {
		return
	}
	resp, err := s.client.Do(r)
	if err != nil {
		return
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	resp.Body.Close()
	s.reads.Add(1)
}

// used is the processor time that the server says it has used.
func (s *still) used() (time.Duration, error) {
	resp, err := s.client.Get(s.url + "/cpu")
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseInt(string(b), 10, 64)
	return time.Duration(n), err
}

// begin notes where the measuring begins.
func (s *still) begin() {
	s.before, _ = s.used()
	s.n = s.reads.Load()
}

// end ends the server and says what it cost.
func (s *still) end() (*Cost, error) {
	used, err := s.used()
	n := s.reads.Load()
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
	if err != nil {
		return nil, fmt.Errorf("ask the server of still bytes what it cost: %w", err)
	}
	return &Cost{Name: opStatic, Requests: n - s.n, Seconds: (used - s.before).Seconds()}, nil
}

// ServeStill answers with size bytes for ever, after it has written its address to
// out; and at /cpu with the processor time of the process in nanoseconds.
func ServeStill(size int, out io.Writer) error {
	body := bytes.Repeat([]byte("x"), size)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /cpu", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, int64(processorTime()))
	})
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(size))
		_, _ = w.Write(body)
	})
	fmt.Fprintf(out, "http://%s\n", l.Addr())
	return http.Serve(l, mux)
}

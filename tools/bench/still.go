package bench

import (
	"bytes"
	"cmp"
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

// still is a server in a separate process that answers each request with the same bytes. Its cost
// is the minimum for any server.
type still struct {
	url    string
	client *http.Client
	reads  atomic.Uint64
	cmd    *exec.Cmd

	begun  chan struct{} // closed when the following fields are final
	before time.Duration // processor time at the start of the measurement
	n      uint64        // reads at the start of the measurement
	err    error
}

// StillArg is the first argument of a driver that runs as such a server. The second is the number
// of bytes in a response.
const StillArg = "serve-still-bytes"

// startStill starts a server that answers with n bytes. It ends with ctx.
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
		return nil, fmt.Errorf("start a server of static responses: %w", err)
	}
	line := make([]byte, 200)
	k, err := out.Read(line)
	if err != nil {
		return nil, fmt.Errorf("start a server of static responses: read its address: %w", err)
	}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: maxConnections}}
	return &still{url: strings.TrimSpace(string(line[:k])), cmd: cmd, client: client, begun: make(chan struct{})}, nil
}

// read requests the bytes once.
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

// used returns the processor time reported by the server.
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

// begin records the values at the start of the measurement.
func (s *still) begin(ctx context.Context, from time.Time) {
	defer close(s.begun)
	pauseUntil(ctx, from)
	s.before, s.err = s.used()
	s.n = s.reads.Load()
}

// end stops the server and returns its cost.
func (s *still) end() (*Cost, error) {
	<-s.begun
	used, err := s.used()
	n := s.reads.Load()
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
	if err = cmp.Or(s.err, err); err != nil {
		return nil, fmt.Errorf("read the cost of the server of static responses: %w", err)
	}
	return &Cost{Name: opStatic, Requests: n - s.n, Seconds: (used - s.before).Seconds()}, nil
}

// ServeStill writes its URL to out and answers requests with size bytes until the process ends. At
// /cpu it returns the processor time of the process in nanoseconds.
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

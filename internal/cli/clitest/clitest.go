// Package clitest runs servers in the process of a test, through the command line.
package clitest

import (
	"bufio"
	"context"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"linnet/internal/cli"
)

// Server is a running server.
type Server struct {
	URL        string
	SetupToken string // "" if the server has an administrator

	tb     testing.TB
	cancel context.CancelFunc
	code   chan int
}

var (
	urlLine   = regexp.MustCompile(`^Web +(\S+)`)
	setupLine = regexp.MustCompile(`^Set up +\S+/setup/(\S+)`)
)

// Start runs a command that serves, and waits until it is ready. The log is written to stderr. The
// server stops at the end of the test, unless Stop is called before.
func Start(tb testing.TB, stderr io.Writer, args ...string) *Server {
	tb.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	out, in := io.Pipe()
	code := make(chan int, 1)
	s := &Server{tb: tb, cancel: cancel, code: code}
	go func() {
		code <- cli.Run(ctx, cli.Process{Args: args, Environ: os.Environ(), Stdin: strings.NewReader(""), Stdout: in, Stderr: stderr})
		in.Close()
	}()
	tb.Cleanup(func() {
		if s.code != nil {
			s.Stop()
		}
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "Stop") {
		if m := urlLine.FindStringSubmatch(lines.Text()); m != nil {
			s.URL = m[1]
		}
		if m := setupLine.FindStringSubmatch(lines.Text()); m != nil {
			s.SetupToken = m[1]
		}
	}
	if s.URL == "" {
		s.code = nil
		tb.Fatalf("the server did not start: exit code %d", <-code)
	}
	go io.Copy(io.Discard, out)
	return s
}

// StartEmpty runs a server on a free port and a new data directory.
func StartEmpty(tb testing.TB, stderr io.Writer, args ...string) *Server {
	tb.Helper()
	return Start(tb, stderr, append([]string{"--addr", "127.0.0.1:0", "--data", tb.TempDir()}, args...)...)
}

// Stop stops the server and returns its exit code.
func (s *Server) Stop() int {
	s.tb.Helper()
	s.cancel()
	code := s.code
	s.code = nil
	select {
	case c := <-code:
		return c
	case <-time.After(time.Minute):
		s.tb.Fatal("the server did not stop")
		return -1
	}
}

package torture_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestSlowAndDeadClients checks that idle streams take bounded memory and receive all events.
// Connections without a complete request are closed, and other clients are not affected.
func TestSlowAndDeadClients(t *testing.T) {
	streams, dead := either(500, 5000), 60
	s := serve(t, streams+1)
	before := s.memory()
	var heard atomic.Int64
	var listening sync.WaitGroup
	for i := 1; i <= streams; i++ {
		s.listen(&listening, i, &heard)
	}
	grown := s.memory() - before
	t.Logf("%d streams take %d KB each", streams, grown>>10/int64(streams))
	if grown > int64(streams)*100<<10+32<<20 {
		t.Errorf("%d streams take %d MB", streams, grown>>20)
	}
	cut := make(chan time.Duration, dead)
	for i := range dead {
		go func() { cut <- s.dawdle(i%2 == 0) }()
	}
	const posts = 10
	var slowest time.Duration
	for i := range posts {
		began := time.Now()
		if code, body := s.post(0, fmt.Sprint("news ", i)); code != http.StatusOK {
			t.Error(code, body)
		}
		if code, body := s.ask("GET", "/api/v1/timelines/home", s.tokens[1], nil); code != http.StatusOK {
			t.Error(code, body)
		}
		slowest = max(slowest, time.Since(began))
	}
	if !within(time.Minute, func() bool { return heard.Load() == int64(posts*streams) }) {
		t.Errorf("the streams heard %d of %d posts", heard.Load(), posts*streams)
	}
	for range dead {
		if d := <-cut; d > 15*time.Second {
			t.Errorf("a dead connection was cut off after %v", d)
		}
	}
	if slowest > 3*time.Second {
		t.Errorf("a post and a look at home took %v meanwhile", slowest)
	}
	t.Logf("memory %d MB, slowest post and look at home %v", s.memory()>>20, slowest.Round(time.Millisecond))
	s.stop()
	listening.Wait()
}

// listen opens the stream of a user and counts the posts on it until it ends without an error.
func (s *server) listen(listening *sync.WaitGroup, user int, heard *atomic.Int64) {
	s.Helper()
	c, err := net.Dial("tcp", s.addr)
	s.must(err)
	s.Cleanup(func() { c.Close() })
	_, err = fmt.Fprintf(c, "GET /api/v1/streaming/user HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n", s.addr, s.tokens[user])
	s.must(err)
	in := bufio.NewReaderSize(c, 4096)
	resp, err := http.ReadResponse(in, nil)
	s.must(err)
	if resp.StatusCode != http.StatusOK {
		s.Fatalf("a stream is answered %s", resp.Status)
	}
	listening.Go(func() {
		lines := bufio.NewReaderSize(resp.Body, 1024)
		for {
			line, err := lines.ReadSlice('\n')
			if string(line) == "event: update\n" {
				heard.Add(1)
			}
			if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
				if err != io.EOF {
					s.Errorf("a stream broke off: %v", err)
				}
				return
			}
		}
	})
}

// dawdle sends nothing, or a byte per second, on a connection and returns the time until the server
// closes it.
func (s *server) dawdle(silent bool) time.Duration {
	began := time.Now()
	c, err := net.Dial("tcp", s.addr)
	if err != nil {
		s.Error(err)
		return 0
	}
	defer c.Close()
	if !silent {
		go func() {
			for _, b := range []byte("GET / HTTP/1.1\r\nHost: a\r\nX-Slow: aaaaaaaaaaaaaaaaaaaaaa") {
				if _, err := c.Write([]byte{b}); err != nil {
					return
				}
				time.Sleep(time.Second)
			}
		}()
	}
	c.SetReadDeadline(began.Add(20 * time.Second))
	io.Copy(io.Discard, c) // until the server closes it
	return time.Since(began)
}

package server_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"linnet/internal/cli/clitest"
	"linnet/internal/exit"
)

// TestStopUnderLoad expects no failed request if clients stop when /readyz fails, and a regular end
// of an open stream.
func TestStopUnderLoad(t *testing.T) {
	linnet := clitest.StartEmpty(t, t.Output(), "--drain-delay", "5s", "--log-level", "warn")
	stream := openStream(t, linnet.URL)
	var leaving atomic.Bool
	var answered atomic.Int64
	var clients sync.WaitGroup
	clients.Go(func() {
		for ; !leaving.Load(); time.Sleep(10 * time.Millisecond) {
			resp, err := http.Get(linnet.URL + "/readyz")
			if err != nil {
				t.Errorf("readyz: %v", err)
				return
			}
			resp.Body.Close()
			leaving.Store(resp.StatusCode != http.StatusOK)
		}
	})
	for range 8 {
		clients.Go(func() {
			client := &http.Client{Transport: &http.Transport{}, Timeout: time.Minute}
			defer client.CloseIdleConnections()
			for !leaving.Load() {
				if err := visit(client, linnet.URL); err != nil {
					t.Errorf("a request was lost: %v", err)
					return
				}
				answered.Add(1)
			}
		})
	}
	for end := time.Now().Add(time.Minute); answered.Load() < 100 && time.Now().Before(end); time.Sleep(time.Millisecond) {
	}
	if code := linnet.Stop(); code != exit.OK {
		t.Errorf("exit code %d", code)
	}
	clients.Wait()
	if n := answered.Load(); n < 100 {
		t.Errorf("only %d requests in a minute: no load to speak of", n)
	}
	select {
	case err := <-stream:
		if err != nil {
			t.Errorf("the stream broke off: %v", err)
		}
	case <-time.After(time.Minute):
		t.Error("the stream did not end")
	}
}

// visit loads a page and sends a form, which is rejected because of its origin.
func visit(client *http.Client, url string) error {
	resp, err := client.Get(url + "/login")
	if err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		return err
	}
	resp.Body.Close()
	resp, err = client.Post(url+"/login", "application/x-www-form-urlencoded", strings.NewReader("login=a&password=b"))
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

// openStream opens the public stream and returns a channel for its end.
func openStream(t *testing.T, url string) <-chan error {
	t.Helper()
	resp, err := http.Get(url + "/api/v1/streaming/public")
	if err != nil {
		t.Fatal(err)
	}
	if resp.StatusCode != http.StatusOK {
		t.Fatalf("the public stream answers %d", resp.StatusCode)
	}
	ended := make(chan error, 1)
	go func() {
		defer resp.Body.Close()
		_, err := io.Copy(io.Discard, resp.Body)
		ended <- err
	}()
	return ended
}

// TestStopBreaksNothingOff stops a server while clients send requests over kept and new
// connections. Each accepted request must get a response.
func TestStopBreaksNothingOff(t *testing.T) {
	for range 3 {
		linnet := clitest.StartEmpty(t, t.Output(), "--log-level", "warn")
		var answered atomic.Int64
		var clients sync.WaitGroup
		begun := make(chan struct{}, 64)
		for i := range 16 {
			clients.Go(func() { keepAsking(t, strings.TrimPrefix(linnet.URL, "http://"), i%2 == 0, &answered, begun) })
		}
		for range 64 {
			<-begun
		}
		if code := linnet.Stop(); code != exit.OK {
			t.Errorf("exit code %d", code)
		}
		clients.Wait()
		if answered.Load() < 64 {
			t.Errorf("%d requests were answered", answered.Load())
		}
	}
}

// keepAsking sends requests that cannot be repeated, until no connection is accepted.
func keepAsking(t *testing.T, addr string, keep bool, answered *atomic.Int64, begun chan<- struct{}) {
	const body = "client_name=x"
	header := "Connection: close\r\n"
	if keep {
		header = ""
	}
	for {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			return // the server stopped listening
		}
		r := bufio.NewReader(c)
		for again := true; again; {
			_, err := fmt.Fprintf(c, "POST /api/v1/apps HTTP/1.1\r\nHost: %s\r\n%sContent-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n%s", addr, header, len(body), body)
			var resp *http.Response
			if err == nil {
				resp, err = http.ReadResponse(r, nil)
			}
			if err == nil {
				_, err = io.Copy(io.Discard, resp.Body)
			}
			if err != nil {
				t.Errorf("kept %v, after %d answers: %v", keep, answered.Load(), err)
				c.Close()
				return
			}
			answered.Add(1)
			select {
			case begun <- struct{}{}:
			default:
			}
			again = keep && !resp.Close
		}
		c.Close()
	}
}

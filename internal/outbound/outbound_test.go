package outbound

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"
)

// TestAddresses checks that all notations of non-public addresses are refused when they are
// dialled.
func TestAddresses(t *testing.T) {
	c := New(Options{Timeout: time.Second, MaxBody: 10})
	for addr, good := range map[string]bool{
		"93.184.216.34:443": true, "1.1.1.1:8443": true, "[2606:4700::1111]:443": true,
		"127.0.0.1:443": false, "127.1.2.3:8080": false, "0.0.0.0:443": false, "10.1.2.3:443": false, "172.16.0.1:443": false, "192.168.1.1:443": false,
		"169.254.169.254:80": false, "100.64.0.1:443": false, "224.0.0.1:443": false, "255.255.255.255:443": false, "198.18.0.1:443": false, "192.0.2.1:443": false,
		"[::1]:443": false, "[::]:443": false, "[::ffff:127.0.0.1]:443": false, "[::ffff:10.0.0.1]:443": false, "[::ffff:93.184.216.34]:443": false, "[fe80::1%eth0]:443": false, "[fc00::1]:443": false,
		"[64:ff9b::7f00:1]:443": false, "[2001:db8::1]:443": false, "[2002:7f00:1::]:443": false, "[2001::1]:443": false, "[ff02::1]:443": false,
		"93.184.216.34:25": false, "93.184.216.34:465": false, "93.184.216.34:0": false, "no address": false,
	} {
		network := "tcp4"
		if strings.HasPrefix(addr, "[") {
			network = "tcp6"
		}
		if err := c.control(network, addr, nil); (err == nil) != good || err != nil && !errors.Is(err, ErrForbidden) {
			t.Errorf("%s: %v", addr, err)
		}
	}
	if err := c.control("udp4", "1.1.1.1:443", nil); err == nil {
		t.Error("another network than TCP is dialled")
	}
	for text, good := range map[string]bool{
		"https://push.test/x": true, "http://push.test": true, "https://push.test:8443/": true, "https://1.1.1.1/": true,
		"https://u:p@push.test/": false, "ftp://push.test/": false, "https://": false, "https://push.test:22/": false, "https://push.test:70000/": false,
		"https://127.0.0.1/": false, "https://[::1]/": false, "https://[::ffff:10.0.0.1]/": false,
	} {
		u, err := url.Parse(text)
		if err == nil {
			err = c.CheckURL(u)
		}
		if (err == nil) != good {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func get(t *testing.T, c *Client, to string) (*http.Response, error) {
	t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, to, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c.Do(r)
}

// TestNamesOfThisMachine checks that a name of this machine is refused like its address, and that
// an allowed network can be reached.
func TestNamesOfThisMachine(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, strings.Repeat("x", 100)) }))
	defer s.Close()
	_, port, _ := net.SplitHostPort(s.Listener.Addr().String())
	strict := New(Options{Timeout: 5 * time.Second, MaxBody: 10})
	for _, host := range []string{"127.0.0.1", "localhost"} {
		if _, err := get(t, strict, "http://"+host+":"+port); !errors.Is(err, ErrForbidden) {
			t.Errorf("%s: %v", host, err)
		}
	}
	c := New(Options{Timeout: 5 * time.Second, MaxBody: 10, Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}})
	defer c.CloseIdle()
	resp, err := get(t, c, s.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if b, err := io.ReadAll(resp.Body); len(b) != 10 || !errors.Is(err, ErrTooLarge) {
		t.Errorf("%d bytes read, then %v", len(b), err)
	}
}

// TestRedirects checks that redirects are only followed if enabled, and never to forbidden
// addresses.
func TestRedirects(t *testing.T) {
	var hits int
	to := "/again"
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { hits++; http.Redirect(w, r, to, http.StatusFound) }))
	defer s.Close()
	allow := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	none := New(Options{Timeout: 5 * time.Second, Allow: allow})
	resp, err := get(t, none, s.URL)
	if err != nil || resp.StatusCode != http.StatusFound || hits != 1 {
		t.Fatalf("%v after %d requests", err, hits)
	}
	resp.Body.Close()
	some := New(Options{Timeout: 5 * time.Second, Allow: allow, Redirects: 3})
	if hits = 0; true {
		if _, err := get(t, some, s.URL); err == nil || hits != 4 {
			t.Errorf("%v after %d requests", err, hits)
		}
	}
	for _, to = range []string{"http://10.0.0.1/", "file:///etc/passwd", "http://127.0.0.1:22/"} {
		if _, err := get(t, some, s.URL); !errors.Is(err, ErrForbidden) {
			t.Errorf("to %s: %v", to, err)
		}
	}
}

// TestTimeout checks that a request to an unresponsive server ends in time.
func TestTimeout(t *testing.T) {
	ended := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-ended }))
	defer s.Close()
	defer close(ended)
	c := New(Options{Timeout: 50 * time.Millisecond, Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}})
	if _, err := get(t, c, s.URL); !IsTimeout(err) {
		t.Errorf("%v", err)
	}
}

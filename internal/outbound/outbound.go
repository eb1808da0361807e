// Package outbound connects to addresses that users name: push services and linked pages. It keeps
// users from reaching machines of the server's own network, cloud metadata and the server's own
// ports.
//
// Invariants:
//
//   - An address is checked when it is dialled, after its name was resolved, so that changing
//     a name in between has no effect. Loopback, private, link-local, unspecified, mapped and
//     reserved addresses are refused. Of IPv6 only 2000::/3 is allowed, without its reserved
//     ranges.
//   - The same applies to each redirect, if any are followed.
//   - A request ends within its time, and a response is read only up to its size limit.
//   - Proxies of the environment are not used, because they would dial for us.
package outbound

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"syscall"
	"time"

	"code.dny.dev/ssrf"
)

// ErrForbidden is returned for addresses and ports that must not be used.
var ErrForbidden = errors.New("address is not allowed")

// ErrTooLarge is returned when a response exceeds the size limit.
var ErrTooLarge = errors.New("response is too large")

// Options configures a Client.
type Options struct {
	Allow     []netip.Prefix // allowed networks that are not public
	Timeout   time.Duration  // of a request with its redirects and its response
	MaxBody   int64          // limit of a response in bytes
	Redirects int            // limit of redirects; 0 returns a redirect as the response
}

// Client makes requests to addresses that users name. It is safe for concurrent use.
type Client struct {
	http  http.Client
	allow []netip.Prefix
	guard *ssrf.Guardian
	most  int64
}

// leastOpenPort is the lowest allowed port besides 443 and 80. Services on lower ports might
// mistake a request for another protocol.
const leastOpenPort = 1024

// New returns a client.
func New(o Options) *Client {
	c := &Client{allow: o.Allow, most: o.MaxBody, guard: ssrf.New(ssrf.WithAnyPort())}
	dial := &net.Dialer{Timeout: 5 * time.Second, Control: c.control}
	c.http = http.Client{Timeout: o.Timeout, Transport: &http.Transport{DialContext: dial.DialContext, ForceAttemptHTTP2: true, Proxy: nil,
		TLSHandshakeTimeout: 5 * time.Second, MaxIdleConns: 64, MaxIdleConnsPerHost: 4, IdleConnTimeout: time.Minute, MaxResponseHeaderBytes: 64 << 10},
		CheckRedirect: func(r *http.Request, via []*http.Request) error {
			if o.Redirects == 0 {
				return http.ErrUseLastResponse
			}
			if len(via) > o.Redirects {
				return fmt.Errorf("more than %d redirects", o.Redirects)
			}
			return c.CheckURL(r.URL)
		}}
	return c
}

// CloseIdle closes the idle connections.
func (c *Client) CloseIdle() { c.http.CloseIdleConnections() }

// Do sends a request. It returns ErrForbidden for a forbidden address. Reading the body fails with
// ErrTooLarge after MaxBody bytes.
func (c *Client) Do(r *http.Request) (*http.Response, error) {
	if err := c.CheckURL(r.URL); err != nil {
		return nil, err
	}
	resp, err := c.http.Do(r)
	if err != nil {
		return nil, err
	}
	resp.Body = &bounded{ReadCloser: resp.Body, left: c.most}
	return resp, nil
}

// CheckURL returns ErrForbidden for an address that is forbidden regardless of DNS. It must be an
// https or http URL on an allowed port, without credentials, and must not contain a forbidden IP
// address.
func (c *Client) CheckURL(u *url.URL) error {
	host := u.Hostname()
	switch {
	case u.Scheme != "https" && u.Scheme != "http", host == "", u.User != nil:
		return fmt.Errorf("%w: it is not an HTTP or HTTPS URL", ErrForbidden)
	}
	port := uint64(443)
	if p := u.Port(); p != "" {
		var err error
		if port, err = strconv.ParseUint(p, 10, 16); err != nil {
			return fmt.Errorf("%w: port %s", ErrForbidden, p)
		}
	}
	if !openPort(uint16(port)) {
		return fmt.Errorf("%w: port %d", ErrForbidden, port)
	}
	if ip, err := netip.ParseAddr(host); err == nil {
		return c.checkAddr(ip)
	}
	return nil
}

// Allowed reports whether the host of an address is an IP address in a network that the operator
// has allowed.
func (c *Client) Allowed(u *url.URL) bool {
	ip, err := netip.ParseAddr(u.Hostname())
	return err == nil && c.allows(ip)
}

func (c *Client) allows(ip netip.Addr) bool {
	return slices.ContainsFunc(c.allow, func(p netip.Prefix) bool { return p.Contains(ip.Unmap()) })
}

func openPort(port uint16) bool { return port == 443 || port == 80 || port >= leastOpenPort }

func (c *Client) checkAddr(ip netip.Addr) error {
	if c.allows(ip) {
		return nil
	}
	if err := c.guard.SafeAddr(ip.WithZone("")); err != nil {
		return fmt.Errorf("%w: %v", ErrForbidden, ip)
	}
	return nil
}

// control checks each address before it is dialled (net.Dialer.Control).
func (c *Client) control(network, address string, _ syscall.RawConn) error {
	ap, err := netip.ParseAddrPort(address)
	if err != nil || network != "tcp4" && network != "tcp6" || !openPort(ap.Port()) {
		return fmt.Errorf("%w: %s %s", ErrForbidden, network, address)
	}
	return c.checkAddr(ap.Addr())
}

// bounded is the body of a response with a size limit.
type bounded struct {
	io.ReadCloser
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		var one [1]byte
		if n, err := b.ReadCloser.Read(one[:]); n == 0 && err != nil {
			return 0, err
		}
		return 0, ErrTooLarge
	}
	n, err := b.ReadCloser.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}

// IsTimeout reports whether a request has timed out.
func IsTimeout(err error) bool {
	var t net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.As(err, &t) && t.Timeout()
}

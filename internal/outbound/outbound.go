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

// ErrForbidden refuses an address of a network that is not to be reached, or a port.
var ErrForbidden = errors.New("address is not allowed")

// ErrTooLarge ends the reading of an answer at the size that was allowed.
var ErrTooLarge = errors.New("response is too large")

// Options of a Client.
type Options struct {
	Allow     []netip.Prefix // networks that may be reached although they are not public
	Timeout   time.Duration  // of a request with its redirects and its answer
	MaxBody   int64          // bytes of an answer that are read
	Redirects int            // that are followed; 0: none, the redirect is the answer
}

// Client makes requests to addresses that people name. It is safe for concurrent use.
type Client struct {
	http  http.Client
	allow []netip.Prefix
	guard *ssrf.Guardian
	most  int64
}

// leastOpenPort is from where on ports other than 443 and 80 may be named: below it lie
// services that might take a request for something else.
const leastOpenPort = 1024

// New makes a client.
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

// CloseIdle closes the connections that wait for another request.
func (c *Client) CloseIdle() { c.http.CloseIdleConnections() }

// Do sends a request. ErrForbidden if it leads to where nothing may go. The body of the
// answer ends with ErrTooLarge if there is more than MaxBody of it.
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

// CheckURL says what is wrong with an address as far as can be told without resolving
// its name: ErrForbidden for anything but https and http on an open port, without
// credentials, and for addresses that are written as numbers and may not be reached.
func (c *Client) CheckURL(u *url.URL) error {
	host := u.Hostname()
	switch {
	case u.Scheme != "https" && u.Scheme != "http", host == "", u.User != nil:
		return fmt.Errorf("%w: it is not an http or https URL", ErrForbidden)
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

// Allowed reports whether the host of an address is written as a number of one of the
// networks that the operator has allowed.
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

// control is called for each address that is about to be dialled (net.Dialer.Control).
func (c *Client) control(network, address string, _ syscall.RawConn) error {
	ap, err := netip.ParseAddrPort(address)
	if err != nil || network != "tcp4" && network != "tcp6" || !openPort(ap.Port()) {
		return fmt.Errorf("%w: %s %s", ErrForbidden, network, address)
	}
	return c.checkAddr(ap.Addr())
}

// bounded is the body of an answer.
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

// IsTimeout reports whether a request ended because its time was over.
func IsTimeout(err error) bool {
	var t net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.As(err, &t) && t.Timeout()
}

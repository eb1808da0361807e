package server

import (
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
)

// proxies finds the address of the client of a request. It trusts forwarded headers only from
// configured proxies, because any client can send them.
type proxies struct {
	trusted []netip.Prefix
	log     *slog.Logger
	warn    sync.Once
}

// forwarded contains the headers in which proxies name the client.
var forwarded = [...]string{"X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-Ip", "Forwarded"}

// setClient sets r.RemoteAddr to the address of the client, with port 0 if a proxy named it. It removes
// the forwarded headers, so that no handler uses them.
func (p *proxies) setClient(r *http.Request) {
	if len(r.Header["X-Forwarded-For"]) > 0 {
		if client := p.client(r); client.IsValid() {
			r.RemoteAddr = netip.AddrPortFrom(client, 0).String()
		}
	}
	for _, h := range forwarded {
		delete(r.Header, h)
	}
}

// client returns the last address before the configured proxies.
func (p *proxies) client(r *http.Request) netip.Addr {
	peer := addrOf(r.RemoteAddr)
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	if !p.isTrusted(peer) {
		if hops[0] != "" {
			p.warn.Do(func() {
				p.log.Warn("ignoring X-Forwarded-For, because its sender is not in trusted-proxies; "+
					"if the sender is your proxy, all its visitors are counted as one address",
					"sender", peer, "setting", "LINNET_TRUSTED_PROXIES="+peer.String())
			})
		}
		return peer
	}
	client := peer
	for _, hop := range slices.Backward(hops) {
		a := addrOf(strings.TrimSpace(hop))
		if !a.IsValid() {
			break
		}
		client = a
		if !p.isTrusted(a) {
			break
		}
	}
	return client
}

func (p *proxies) isTrusted(a netip.Addr) bool {
	return a.IsValid() && slices.ContainsFunc(p.trusted, func(t netip.Prefix) bool { return t.Contains(a) })
}

// addrOf parses an address with or without a port. It returns the zero value if it is invalid.
func addrOf(s string) netip.Addr {
	host, _, err := net.SplitHostPort(s)
	if err != nil {
		host = strings.Trim(s, "[]")
	}
	a, err := netip.ParseAddr(host)
	if err != nil {
		return netip.Addr{}
	}
	return a.Unmap().WithZone("")
}

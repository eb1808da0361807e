package main

import (
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
)

// proxies finds out who a request comes from. Forwarded headers are believed
// only from configured proxies: anybody can write them.
type proxies struct {
	trusted []netip.Prefix
	log     *slog.Logger
	warn    sync.Once
}

// forwarded are the headers in which proxies say whom a request comes from.
var forwarded = [...]string{"X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-Ip", "Forwarded"}

// judge makes r.RemoteAddr the address of the client and removes the headers that
// were judged by it, so that no handler can judge them otherwise. The port of
// whom a proxy names is 0.
func (p *proxies) judge(r *http.Request) {
	if len(r.Header["X-Forwarded-For"]) > 0 {
		if client := p.client(r); client.IsValid() {
			r.RemoteAddr = netip.AddrPortFrom(client, 0).String()
		}
	}
	for _, h := range forwarded {
		delete(r.Header, h)
	}
}

// client is the last address on the way here that is not one of our proxies.
func (p *proxies) client(r *http.Request) netip.Addr {
	peer := addrOf(r.RemoteAddr)
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	if !p.isTrusted(peer) {
		if hops[0] != "" {
			p.warn.Do(func() { p.warnIgnored(peer) })
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

func (p *proxies) warnIgnored(peer netip.Addr) {
	p.log.Warn("X-Forwarded-For is ignored, because its sender is not in trusted-proxies; "+
		"if it is your proxy, all its visitors are now counted as one address",
		"sender", peer, "setting", "LINNET_TRUSTED_PROXIES="+peer.String())
}

func (p *proxies) isTrusted(a netip.Addr) bool {
	return a.IsValid() && slices.ContainsFunc(p.trusted, func(t netip.Prefix) bool { return t.Contains(a) })
}

// addrOf reads an address with or without a port; the zero value if it is none.
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

// Networks of public addresses shorter than these many bits are too wide for proxies. The
// largest network of a content delivery network has 13 bits for IPv4 and 28 for IPv6.
const (
	widestProxies4 = 12
	widestProxies6 = 24
)

// warnWideProxies is the warning about a network that tooWideProxies returns.
const warnWideProxies = "any client in this network can spoof its address and evade rate limits; list only your proxies in --trusted-proxies"

// privateNetworks returns the networks that a client on the internet cannot connect from.
func privateNetworks() []netip.Prefix {
	var out []netip.Prefix
	for _, p := range [...]string{"10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "fc00::/7", "fe80::/10"} {
		out = append(out, netip.MustParsePrefix(p))
	}
	return out
}

// tooWideProxies returns a trusted network that holds more public addresses than any proxy
// needs. It returns the zero Prefix if there is none.
func (c *config) tooWideProxies() netip.Prefix {
	for _, p := range c.TrustedProxies {
		widest := widestProxies6
		if p.Addr().Is4() {
			widest = widestProxies4
		}
		private := slices.ContainsFunc(privateNetworks(), func(n netip.Prefix) bool { return n.Bits() <= p.Bits() && n.Contains(p.Addr()) })
		if p.Bits() < widest && !private {
			return p
		}
	}
	return netip.Prefix{}
}

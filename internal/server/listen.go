package server

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"syscall"

	"linnet/internal/config"
	"linnet/internal/exit"
)

// listen opens a TCP listener. The error contains the source of the address, from, and a remedy
// that names its option.
func listen(ctx context.Context, c *config.Config, option, addr, from string) (net.Listener, error) {
	var lc net.ListenConfig
	lc.SetMultipathTCP(false) // multipath sockets have no filters, see rejectNew
	l, err := lc.Listen(ctx, "tcp", addr)
	if err == nil {
		return l, nil
	}
	f := &exit.Error{Code: exit.Failed, What: "cannot listen on " + addr, Cause: err, Source: from}
	var errno syscall.Errno
	if errors.As(err, &errno) {
		f.Cause = errno
	}
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		f.Code = exit.State
		f.Advice = "Another linnet? "
		if s, err := ReadStatus(ctx, c.Data); err == nil {
			f.Advice += fmt.Sprintf("pid %d. ", s.PID)
		}
		host, _, splitErr := net.SplitHostPort(addr)
		if splitErr != nil {
			host = "127.0.0.1"
		}
		f.Advice += "Try --" + option + " " + net.JoinHostPort(host, "0") + " or linnet status."
	case errors.Is(err, syscall.EACCES):
		f.Advice = "Ports below 1024 need a capability: run setcap cap_net_bind_service=+ep on the binary, or choose another port with --" + option + "."
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		f.Advice = "This machine does not have this address. Choose another one with --" + option + "."
	default:
		f.Advice = "Choose another address with --" + option + "."
	}
	return nil, f
}

// listensEverywhere reports whether l listens on all addresses of the machine.
func listensEverywhere(l net.Listener) bool {
	a, ok := l.Addr().(*net.TCPAddr)
	return ok && (a.IP == nil || a.IP.IsUnspecified())
}

// interfaceAddrs returns the addresses of this machine, or none if they cannot be read.
func interfaceAddrs() []net.IP {
	addrs, err := net.InterfaceAddrs()
	if err != nil {
		return nil
	}
	var all []net.IP
	for _, a := range addrs {
		if n, ok := a.(*net.IPNet); ok {
			all = append(all, n.IP)
		}
	}
	return all
}

// maxShownAddrs limits the number of addresses that are printed.
const maxShownAddrs = 8

// interfaceURLs returns the URLs of a listener on all addresses: one for each address in ips that
// other machines can connect to, IPv4 first. A listener on 0.0.0.0 has no IPv6 URLs.
func interfaceURLs(l net.Listener, ips []net.IP) []string {
	a, ok := l.Addr().(*net.TCPAddr)
	if !ok {
		return nil
	}
	var four, six []string
	for _, ip := range ips {
		if ip.IsLoopback() || ip.IsLinkLocalUnicast() || ip.IsUnspecified() || ip.IsMulticast() {
			continue
		}
		u := strings.TrimSuffix("http://"+net.JoinHostPort(ip.String(), strconv.Itoa(a.Port)), ":80")
		if ip.To4() != nil {
			four = append(four, u)
		} else if a.IP.To4() == nil {
			six = append(six, u)
		}
	}
	all := append(four, six...)
	return all[:min(len(all), maxShownAddrs)]
}

// urlOf returns the URL of a listener for a browser on this machine.
func urlOf(l net.Listener) string {
	host, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		return "http://" + l.Addr().String()
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return strings.TrimSuffix("http://"+net.JoinHostPort(host, port), ":80")
}

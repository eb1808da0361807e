package server

import (
	"net"
	"slices"
	"testing"
)

// heard is a listener at a given address.
type heard struct {
	net.Listener
	at string
}

func (h heard) Addr() net.Addr {
	a, err := net.ResolveTCPAddr("tcp", h.at)
	if err != nil {
		panic(err)
	}
	return a
}

// TestInterfaceURLs expects the URLs of a server that listens on all addresses.
func TestInterfaceURLs(t *testing.T) {
	ips := []net.IP{net.ParseIP("127.0.0.1"), net.ParseIP("::1"), net.ParseIP("fe80::1"), net.ParseIP("2001:db8::5"), net.ParseIP("192.0.2.7")}
	for _, tc := range []struct {
		at         string
		everywhere bool
		want       []string
	}{
		{"0.0.0.0:8420", true, []string{"http://192.0.2.7:8420"}},
		{"[::]:8420", true, []string{"http://192.0.2.7:8420", "http://[2001:db8::5]:8420"}},
		{"0.0.0.0:80", true, []string{"http://192.0.2.7"}},
		{"127.0.0.1:8420", false, nil},
		{"192.0.2.7:8420", false, nil},
	} {
		l := heard{at: tc.at}
		if got := listensEverywhere(l); got != tc.everywhere {
			t.Errorf("%s listens everywhere: %v", tc.at, got)
		}
		if got := interfaceURLs(l, ips); tc.everywhere && !slices.Equal(got, tc.want) {
			t.Errorf("%s is reached at %q, want %q", tc.at, got, tc.want)
		}
	}
}

package config_test

import (
	"net/netip"
	"testing"

	"linnet/internal/config"
)

// TestTooWideProxies expects that public networks of a certain size are too wide.
func TestTooWideProxies(t *testing.T) {
	for network, want := range map[string]bool{
		"0.0.0.0/0": true, "::/0": true, "128.0.0.0/1": true, "2000::/3": true, "8.0.0.0/8": true, "0.0.0.0/8": true, "172.0.0.0/8": true, "2600::/12": true,
		"10.0.0.0/8": false, "10.0.0.0/9": false, "fc00::/7": false, "192.0.2.1/32": false, "fe80::/10": false, "172.16.0.0/12": false, "100.64.0.0/10": false,
		"104.16.0.0/13": false, "2a06:98c0::/29": false,
	} {
		c := &config.Config{TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32"), netip.MustParsePrefix(network)}}
		if got := c.TooWideProxies(); got.IsValid() != want {
			t.Errorf("%s: %v", network, got)
		}
	}
}

// TestUnsafeSettings expects the warnings that the server logs too.
func TestUnsafeSettings(t *testing.T) {
	for addr, want := range map[string]bool{
		"off": false, "127.0.0.1:8421": false, "[::1]:8421": false, "localhost:8421": false, "127.0.0.2:1": false,
		":8421": true, "0.0.0.0:8421": true, "[::]:8421": true, "192.0.2.1:8421": true, "metrics.example.org:8421": true,
	} {
		c := &config.Config{MetricsAddr: addr}
		if got := len(c.Warnings()) == 1; got != want {
			t.Errorf("metrics at %s: warned %v", addr, got)
		}
	}
	c := &config.Config{MetricsAddr: ":1", TrustedProxies: []netip.Prefix{netip.MustParsePrefix("::/0")}}
	if got := c.Warnings(); len(got) != 2 {
		t.Errorf("warnings: %q", got)
	}
}

package config

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"slices"

	"linnet/internal/exit"
)

// Check returns an error if options contradict each other, or if the configured ffmpeg does not
// exist.
func (c *Config) Check() error {
	if c.Role != roleAll && c.Embedded() {
		return &exit.Error{Code: exit.Usage, What: "role " + c.Role + " needs Redis; with the embedded store a single server does everything",
			Source: c.Source("role"), Advice: "Set --store to a Redis URL, or leave out --role."}
	}
	if err := c.CheckFiles(); err != nil {
		return err
	}
	if c.FFmpeg == "" || c.FFmpeg == "auto" || c.FFmpeg == "off" {
		return nil
	}
	if _, err := exec.LookPath(c.FFmpeg); err != nil {
		return &exit.Error{Code: exit.Usage, What: fmt.Sprintf("cannot run %q to process videos", c.FFmpeg), Cause: errors.Unwrap(err), Source: c.Source("ffmpeg"),
			Advice: "Set the path of ffmpeg, auto or off."}
	}
	return nil
}

// CheckFiles returns an error if the options for the media storage contradict each other.
func (c *Config) CheckFiles() error {
	if st, err := os.Stat(c.Media); c.Media != "" && err == nil && !st.IsDir() {
		return &exit.Error{Code: exit.Usage, What: c.Media + " is not a directory, so media cannot be stored there", Source: c.Source("media"), Advice: "Choose a directory with --media DIR."}
	}
	switch {
	case c.S3.Bucket == "":
		return nil
	case c.Media != "":
		return exit.UsageError("media and s3.bucket are both set", "Set one of them.")
	case c.S3.AccessKey == "" || c.S3.SecretKey == "":
		return exit.UsageError("s3.bucket needs s3.access_key and s3.secret_key", "Set LINNET_S3_ACCESS_KEY_FILE and LINNET_S3_SECRET_KEY_FILE, or the variables without _FILE.")
	}
	return nil
}

// Public networks with prefixes shorter than these are too wide for proxies. The largest network of
// a content delivery network has 13 bits for IPv4 and 28 for IPv6.
const (
	minProxyBits4 = 12
	minProxyBits6 = 24
)

// WideProxiesWarning is the warning about a network that TooWideProxies returns.
const WideProxiesWarning = "any client in this network can spoof its address and evade rate limits; list only your proxies in --trusted-proxies"

// privateNetworks returns the networks that a client on the internet cannot connect from.
func privateNetworks() []netip.Prefix {
	var out []netip.Prefix
	for _, p := range [...]string{"10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "fc00::/7", "fe80::/10"} {
		out = append(out, netip.MustParsePrefix(p))
	}
	return out
}

// TooWideProxies returns a trusted network that holds more public addresses than any proxy
// needs. It returns the zero Prefix if there is none.
func (c *Config) TooWideProxies() netip.Prefix {
	for _, p := range c.TrustedProxies {
		widest := minProxyBits6
		if p.Addr().Is4() {
			widest = minProxyBits4
		}
		private := slices.ContainsFunc(privateNetworks(), func(n netip.Prefix) bool { return n.Bits() <= p.Bits() && n.Contains(p.Addr()) })
		if p.Bits() < widest && !private {
			return p
		}
	}
	return netip.Prefix{}
}

// PublicMetricsWarning is the warning about a metrics listener that other machines can connect to.
const PublicMetricsWarning = "any client that can reach this address can read metrics and profiles, and profiles contain parts of the memory; " +
	"block the address with a firewall, or use 127.0.0.1 in --metrics-addr"

// publicMetrics reports whether other machines can connect to the metrics listener.
func (c *Config) publicMetrics() bool {
	if c.MetricsAddr == "off" {
		return false
	}
	host, _, err := net.SplitHostPort(c.MetricsAddr)
	ip := net.ParseIP(host)
	return err == nil && host != "localhost" && (ip == nil || !ip.IsLoopback())
}

// Warnings returns a line for each unsafe setting. The server logs the same warnings.
func (c *Config) Warnings() (out []string) {
	if wide := c.TooWideProxies(); wide.IsValid() {
		out = append(out, fmt.Sprintf("Warning: trusted-proxies contains %s (from %s): %s.", wide, c.Source("trusted-proxies"), WideProxiesWarning))
	}
	if c.publicMetrics() {
		out = append(out, fmt.Sprintf("Warning: metrics-addr is %s (from %s): %s.", c.MetricsAddr, c.Source("metrics-addr"), PublicMetricsWarning))
	}
	return out
}

// Unused returns a line for each option that is set and has no effect with this engine.
func (c *Config) Unused() (out []string) {
	others, why := []string{"sync", "reserve"}, "the store is Redis"
	if c.Embedded() {
		others, why = []string{"redis.prefix", "redis.wait_replicas"}, "the store is embedded"
	}
	for _, name := range others {
		if s := c.settings[name]; s.source != "default" {
			out = append(out, fmt.Sprintf("%s has no effect: %s (from %s).", name, why, s.source))
		}
	}
	return out
}

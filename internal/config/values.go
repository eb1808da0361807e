package config

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"golang.org/x/net/idna"

	"linnet/internal/kv/rediskv"
)

// The parsers of option values. Their errors do not repeat the value, because it can contain a
// password.

func parseAddr(s string) (string, error) {
	host, port, err := net.SplitHostPort(s)
	if err != nil {
		return "", errors.New("must be HOST:PORT")
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 && port != "0" {
		return "", fmt.Errorf("port %q is not a number from 0 to 65535", port)
	}
	if strings.ContainsAny(host, "/ \t") {
		return "", fmt.Errorf("%q is not a host", host)
	}
	return s, nil
}

// parseMetricsAddr accepts an address or "off".
func parseMetricsAddr(s string) (string, error) {
	if s == "off" {
		return s, nil
	}
	return parseAddr(s)
}

func parsePublicURL(s string) (string, error) {
	if s == "" {
		return "", nil
	}
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return "", errors.New("must be a URL such as https://example.com")
	}
	if strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		return "", errors.New("must contain only a scheme and a host")
	}
	host, err := parseHost(u)
	return u.Scheme + "://" + host, err
}

// parseHost returns the host of a URL as browsers write it: in ASCII, without a final dot, and
// without the default port of the scheme.
func parseHost(u *url.URL) (string, error) {
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	if host == "" {
		return "", errors.New("has no host")
	}
	if _, err := netip.ParseAddr(host); err != nil && strings.ContainsFunc(host, func(r rune) bool { return r > unicode.MaxASCII }) {
		if host, err = idna.Lookup.ToASCII(host); err != nil {
			return "", fmt.Errorf("%q is not a host name", u.Hostname())
		}
	}
	port := u.Port()
	if n, err := strconv.ParseUint(port, 10, 16); port != "" && (err != nil || n == 0) {
		return "", fmt.Errorf("port %q is not a number from 1 to 65535", port)
	}
	if own := map[string]string{"http": "80", "https": "443"}[u.Scheme]; port != "" && port != own {
		return net.JoinHostPort(host, port), nil
	}
	if strings.Contains(host, ":") {
		return "[" + host + "]", nil
	}
	return host, nil
}

func parseHTTPS(s string) (string, error) {
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || u.Scheme != "https" {
		return "", errors.New("must be an HTTPS URL")
	}
	return s, nil
}

func parsePrefixes(s string) ([]netip.Prefix, error) {
	var out []netip.Prefix
	for _, part := range strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' }) {
		p, err := netip.ParsePrefix(part)
		if err != nil {
			a, err := netip.ParseAddr(part)
			if err != nil {
				return nil, fmt.Errorf("%q is neither an address nor a range like 10.0.0.0/8", part)
			}
			p = netip.PrefixFrom(a, a.BitLen())
		}
		out = append(out, p.Masked())
	}
	return out, nil
}

// ParseStore checks the scheme of a store URL. The engine parses the rest, which can name several
// hosts.
func ParseStore(s string) (string, error) {
	if s == "embedded" {
		return s, nil
	}
	scheme, rest, _ := strings.Cut(s, "://")
	switch scheme {
	case "redis", "rediss", "valkey", "valkeys", "redis+sentinel", "rediss+sentinel", "unix":
		if rest != "" {
			return s, rediskv.CheckURL(s)
		}
	}
	return "", errors.New("must be embedded or a URL such as redis://127.0.0.1:6379")
}

// MaskURL hides the passwords in a store URL.
func MaskURL(s string) string {
	scheme, rest, ok := strings.Cut(s, "://")
	if !ok {
		return s
	}
	rest, query, _ := strings.Cut(rest, "?")
	if at := strings.LastIndexByte(rest, '@'); at >= 0 {
		if user, _, has := strings.Cut(rest[:at], ":"); has {
			rest = user + ":***" + rest[at:]
		}
	}
	if query == "" {
		return scheme + "://" + rest
	}
	params := strings.Split(query, "&")
	for i, p := range params {
		if name, _, _ := strings.Cut(p, "="); strings.Contains(name, "pass") {
			params[i] = name + "=***"
		}
	}
	return scheme + "://" + rest + "?" + strings.Join(params, "&")
}

// ParseRedisPrefix checks a prefix of Redis keys.
func ParseRedisPrefix(s string) (string, error) {
	if len(s) > 64 || strings.ContainsAny(s, "{}\r\n\x00 ") {
		return "", errors.New("must have at most 64 characters and no braces or spaces")
	}
	return s, nil
}

// parseBucketPrefix checks a prefix of keys in a bucket.
func parseBucketPrefix(s string) (string, error) {
	if len(s) > 256 || strings.HasPrefix(s, "/") || strings.Contains(s, "//") || strings.ContainsAny(s, "\r\n\x00 ?#%\\") {
		return "", errors.New("must be a prefix such as media/linnet/, at most 256 characters long and not starting with a slash")
	}
	return s, nil
}

func parseCount(s string, most int) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > most {
		return 0, fmt.Errorf("must be a number from 0 to %d", most)
	}
	return n, nil
}

func parseDuration(s string) (time.Duration, error) {
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 || d > time.Hour {
		return 0, errors.New("must be a duration such as 30s or 2m, at most 1h")
	}
	return d, nil
}

// parseSize parses a number of bytes with an optional unit. Units are powers of 1024.
func parseSize(s string) (int64, error) {
	upper := strings.TrimSuffix(strings.TrimSuffix(strings.ToUpper(s), "B"), "I")
	shift := 0
	if i := strings.IndexAny(upper, "KMGT"); i >= 0 && i == len(upper)-1 {
		shift = 10 * (1 + strings.IndexByte("KMGT", upper[i]))
		upper = upper[:i]
	}
	n, err := strconv.ParseInt(strings.TrimSpace(upper), 10, 64)
	if err != nil || n < 0 || n > 1<<62>>shift {
		return 0, errors.New("must be a size such as 256MB or 2GB")
	}
	return n << shift, nil
}

func oneOf(s string, allowed ...string) error {
	if slices.Contains(allowed, s) {
		return nil
	}
	return fmt.Errorf("must be one of %s", strings.Join(allowed, ", "))
}

// parseFeedTTL accepts 0, or a duration of at least an hour that the engines support.
func parseFeedTTL(s string) (time.Duration, error) {
	d, err := time.ParseDuration(s)
	if err != nil || d != 0 && (d < time.Hour || d > 400*24*time.Hour) {
		return 0, errors.New("must be 0 or a duration from 1h to 9600h")
	}
	return d, nil
}

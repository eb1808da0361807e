package auth

import (
	"net/netip"
	"net/url"
	"strings"

	"linnet/internal/identity"
)

// target is the destination of the response to an app.
type target struct {
	Oob    bool   // no redirect: the page shows the code
	Source string // for form-action in the policy of the page; "" if Oob
	Shown  string // host or scheme, for the reader; "" if Oob
}

// parseTarget parses a redirect URI. It returns false for one that must never be in a Location
// header, registered or not. CheckGrant decides whether the app has registered it.
func parseTarget(uri string) (target, bool) {
	if uri == outOfBand {
		return target{Oob: true}, true
	}
	u, err := url.Parse(uri)
	if err != nil || u.User != nil || !identity.ValidRedirect(uri) {
		return target{}, false
	}
	switch u.Scheme {
	case "http", "https":
		if u.Hostname() == "" {
			return target{}, false
		}
		return target{Source: cspSource(u), Shown: u.Host}, true
	}
	return target{Source: u.Scheme + ":", Shown: u.Scheme + "://"}, true
}

// cspSource returns the origin of a web address for a Content-Security-Policy. The grammar of a
// host has no IPv6 addresses and only characters of host names. For other addresses it returns the
// scheme. https://www.w3.org/TR/CSP3/#grammardef-host-source
func cspSource(u *url.URL) string {
	host := strings.ToLower(u.Hostname())
	if a, err := netip.ParseAddr(host); err == nil && a.Is6() {
		return u.Scheme + ":"
	}
	if strings.Trim(host, "abcdefghijklmnopqrstuvwxyz0123456789.-") != "" {
		return u.Scheme + ":"
	}
	source := u.Scheme + "://" + host
	if port := u.Port(); port != "" {
		source += ":" + port
	}
	return source
}

// withQuery adds parameters to a redirect URI without changing the registered part.
func withQuery(uri string, q url.Values) string {
	sep := "?"
	if strings.Contains(uri, "?") {
		sep = "&"
		if strings.HasSuffix(uri, "?") || strings.HasSuffix(uri, "&") {
			sep = ""
		}
	}
	return uri + sep + q.Encode()
}

// webLink returns an http or https address unchanged, and "" for anything else.
func webLink(s string) string {
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return ""
	}
	return s
}

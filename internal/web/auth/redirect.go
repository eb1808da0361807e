package auth

import (
	"net/netip"
	"net/url"
	"strings"

	"linnet/internal/identity"
)

// target is where the answer to an app's request goes.
type target struct {
	Oob    bool   // nowhere: the code is shown
	Source string // for the form-action of the page whose form leads there, "" with oob
	Shown  string // host or scheme, for people; "" with oob
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

// cspSource returns the origin of a web address for a Content-Security-Policy. Its grammar has no
// IPv6 addresses and only characters of host names. For others it returns the scheme.
// https://www.w3.org/TR/CSP3/#grammardef-host-source
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

// withQuery adds parameters to a redirect URI and leaves every byte of it as it
// was registered.
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

// webLink returns an address if it is one of the web, else "".
func webLink(s string) string {
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return ""
	}
	return s
}

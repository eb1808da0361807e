package text

import (
	"net/netip"
	"strings"
	"unicode"
	"unicode/utf8"
)

// linkAt reads the link at byte i. If there is none it returns where to continue. Only http and
// https addresses are links, with a host that has a top-level domain, is an IPv4 address or is
// localhost, and without credentials.
func linkAt(s string, i int) (t token, skip int) {
	host := i + schemeLen(s[i:])
	if host == i || !linkMayFollow(lastRune(s, i)) {
		return token{}, i + 1
	}
	end := hostEnd(s, host)
	if !validHost(s[host:end]) {
		return token{}, host
	}
	end = portEnd(s, end)
	read := end
	if end < len(s) {
		switch s[end] {
		case '@':
			return token{}, end
		case '/', '?', '#':
			end, read = tailEnd(s, end)
		}
	}
	if read-i > MaxURL {
		// It skips all of it, because its parts are no links.
		return token{}, read
	}
	return token{kind: link, start: i, end: end}, end
}

// schemeLen returns the length of a leading "http://" or "https://" in any case, or 0.
func schemeLen(s string) int {
	for _, scheme := range [...]string{"https://", "http://"} {
		if n := len(scheme); len(s) >= n && s[n-1] == '/' && strings.EqualFold(s[:n], scheme) {
			return n
		}
	}
	return 0
}

// lowerScheme returns a link as typed with its scheme in lower case.
func lowerScheme(url string) string {
	n := strings.IndexByte(url, ':')
	if lower := strings.ToLower(url[:n]); lower != url[:n] {
		return lower + url[n:]
	}
	return url
}

// linkMayFollow reports whether a link can begin after r. It can after letters of scripts without
// spaces, as in Japanese.
func linkMayFollow(r rune) bool {
	switch {
	case r == '@' || r == '＠' || r == '$' || r == '#' || r == '＃':
		return false
	case 0x202a <= r && r <= 0x202e: // changes the order of the following text
		return false
	}
	return r >= utf8.RuneSelf || r == '_' || !isASCIIWord(byte(r))
}

// hostEnd reads labels of letters, digits, '_' and inner hyphens, separated by single dots, from
// byte i. If the last label begins with ASCII it ends at the first other character. No top-level
// domain mixes the two, but "https://example.comです" is common.
func hostEnd(s string, i int) int {
	label, end := i, i
	for j := i; j < len(s); {
		r, size := runeAt(s, j)
		switch {
		case isHostRune(r):
			end = j + size
		case r == '-' && j > label:
		case r == '.' && j > label && end == j:
			label = j + 1
		default:
			j = len(s)
		}
		j += size
	}
	if label >= end {
		return end
	}
	for j := label; j < end; j++ {
		if s[j] >= utf8.RuneSelf && j > label && s[label] < utf8.RuneSelf {
			return j
		}
	}
	return end
}

// isHostRune reports whether r can be in a label, apart from hyphens.
func isHostRune(r rune) bool {
	if r < utf8.RuneSelf {
		return isASCIIWord(byte(r))
	}
	return isLetter(r) || unicode.In(r, unicode.M, unicode.Nd)
}

// validHost reports whether a link can have a host as read by hostEnd.
func validHost(host string) bool {
	if host == "" || len(host) > MaxDomain {
		return false
	}
	dot := strings.LastIndexByte(host, '.')
	top := host[dot+1:]
	if dot < 0 {
		return strings.EqualFold(host, "localhost")
	}
	if c := top[0]; '0' <= c && c <= '9' {
		addr, err := netip.ParseAddr(host)
		return err == nil && addr.Is4()
	}
	if strings.HasPrefix(strings.ToLower(top), "xn--") {
		return true
	}
	for _, r := range top {
		if !isLetter(r) && !unicode.Is(unicode.M, r) {
			return false
		}
	}
	return utf8.RuneCountInString(top) >= 2
}

// portEnd reads ":port" at byte i, if there is a port of at most 65535.
func portEnd(s string, i int) int {
	if i >= len(s) || s[i] != ':' {
		return i
	}
	port, j := 0, i+1
	for ; j < len(s) && j < i+7 && '0' <= s[j] && s[j] <= '9'; j++ {
		port = port*10 + int(s[j]-'0')
	}
	if j == i+1 || port > 65535 {
		return i
	}
	return j
}

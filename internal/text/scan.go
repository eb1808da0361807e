package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// wideHash is the full-width '#' that Japanese and Chinese keyboards type.
const wideHash = "＃"

// scan finds the tokens of clean text from left to right. It doesn't search within tokens, so the
// '@' and '#' of an address have no meaning.
func scan(s string) []token {
	var toks []token
	for i := 0; i < len(s); {
		t, next := tokenAt(s, i)
		if t.end > 0 {
			if toks == nil {
				toks = make([]token, 0, 4)
			}
			toks = append(toks, t)
		}
		i = next
	}
	return toks
}

// tokenAt returns the token that begins at byte i, if its end is above 0, and where to continue,
// which is always after i.
func tokenAt(s string, i int) (token, int) {
	var t token
	skip := i + 1
	switch c := s[i]; c {
	case '@':
		t = mentionAt(s, i)
	case '#':
		t = tagAt(s, i, 1)
	case wideHash[0]:
		if strings.HasPrefix(s[i:], wideHash) {
			t = tagAt(s, i, len(wideHash))
		}
	case 'h', 'H':
		t, skip = linkAt(s, i)
	}
	if t.end > 0 {
		return t, t.end
	}
	return t, skip
}

// mentionAt reads the mention at the '@' of byte i. One that follows a word
// character, '@', '/' or '=' is part of an e-mail address or a path. So that
// "@ann.Thanks" mentions ann, a dot or hyphen belongs to the name only if a
// domain follows (Mastodon takes "ann.Thanks" for the name; local logins here
// have neither).
func mentionAt(s string, i int) token {
	if prev := lastRune(s, i); prev == '@' || prev == '/' || prev == '=' || isWord(prev) {
		return token{}
	}
	end := i + 1
	for end < len(s) && isASCIIWord(s[end]) {
		end++
	}
	if end == i+1 {
		return token{}
	}
	if at := remoteNameEnd(s, end); at < len(s) && s[at] == '@' {
		domain := portEnd(s, hostEnd(s, at+1))
		ok := domain > at+1 && domain-at-1 <= MaxDomain && at-i-1 <= maxRemoteName && mentionEnds(s, domain)
		if !ok {
			return token{}
		}
		return token{kind: mention, start: i, end: domain, mark: at - i}
	}
	if end-i-1 > MaxLogin || !mentionEnds(s, end) || dotted(s, end) {
		return token{}
	}
	return token{kind: mention, start: i, end: end, mark: end - i}
}

// dotted reports whether a host name continues a name that ends at byte i. The login of an outside
// feed such as "@example.org" must not mention a user "example". A host has lower-case letters.
func dotted(s string, i int) bool {
	for end := remoteNameEnd(s, i); i+1 < end; i++ {
		if c := s[i+1]; s[i] == '.' && (c >= 'a' && c <= 'z' || c >= '0' && c <= '9') {
			return true
		}
	}
	return false
}

// remoteNameEnd extends a name that ends at byte i over inner dots and hyphens, because names on
// other servers have them.
func remoteNameEnd(s string, i int) int {
	for end := i; end < len(s); end++ {
		switch c := s[end]; {
		case isASCIIWord(c):
			i = end + 1
		case c != '.' && c != '-':
			return i
		}
	}
	return i
}

// mentionEnds reports whether a mention can end at byte i: not before another '@', before "://", or
// within a word in Latin script. Words of other scripts can follow without a space, as in Japanese.
func mentionEnds(s string, i int) bool {
	r, _ := runeAt(s, i)
	if r == '@' || strings.HasPrefix(s[i:], "://") {
		return false
	}
	return r < utf8.RuneSelf || !unicode.In(r, unicode.Latin, unicode.Mn)
}

// tagAt reads the tag at byte i, whose '#' has mark bytes. One that follows a
// word character, '/', ')' or '=' is part of an address.
func tagAt(s string, i, mark int) token {
	if prev := lastRune(s, i); prev == '/' || prev == ')' || prev == '=' || isWord(prev) {
		return token{}
	}
	end := tagEnd(s, i+mark)
	if end == 0 {
		return token{}
	}
	return token{kind: tag, start: i, end: end, mark: mark}
}

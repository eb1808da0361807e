// Package text parses text that users type: mentions, tags and links, safe HTML, length, and words
// for search. Statuses, profile notes and profile fields all use it, so that the API and the pages
// agree.
//
// It asks a Resolver whether a login exists and where a tag's page is. It does no I/O and has no
// state, and every function is safe for concurrent use.
//
// The rules are those in Mastodon's documentation (https://docs.joinmastodon.org/user/posting/ and
// https://docs.joinmastodon.org/entities/Status/), so that clients that count and highlight get the
// same result. Comments at the rules name differences.
//
// All work is linear in the length of the text. Callers limit the length and the number of
// mentions. This package limits only single parts.
package text

import "strings"

// Limits of the parts of a text. Longer ones stay plain text and count in full.
const (
	MaxLogin      = 30   // characters of a login
	MaxFeedLogin  = 64   // characters of the login of an external feed
	MaxTag        = 100  // characters of a tag, without '#'
	MaxTagKey     = 120  // bytes of a FoldTag
	MaxURL        = 2048 // bytes of a link
	MaxDomain     = 253  // bytes of a host name, in links and remote mentions
	URLCount      = 23   // length of any link
	maxRemoteName = 128  // characters of the name in "@name@domain"
)

type kind uint8

const (
	mention kind = iota // "@name" or "@name@domain"
	tag                 // "#tag"
	link                // "https://…"
)

// token is a part of the text with a meaning. Tokens are in order and do not
// overlap.
type token struct {
	kind       kind
	start, end int // bytes of Doc.text; start is at the '@', '#' or scheme
	// mark is the length of the '#' of a tag, and of the "@name" of a mention,
	// which is all of it unless a domain follows.
	mark int
}

// Doc is a parsed text. It is immutable and safe for concurrent use. The zero Doc is an empty text.
type Doc struct {
	text   string
	tokens []token
}

// Parse finds what a text refers to. It never fails: invalid UTF-8 becomes
// U+FFFD, control characters other than newline and tab are dropped, and CRLF
// and CR become newlines.
func Parse(s string) Doc {
	s = clean(s)
	if !strings.ContainsAny(s, "@#") && !strings.Contains(s, "://") && !strings.Contains(s, wideHash) {
		return Doc{text: s}
	}
	return Doc{text: s, tokens: scan(s)}
}

// Text returns the cleaned text, which is what should be stored.
func (d Doc) Text() string { return d.text }

// Mentions returns the distinct logins as typed, without '@', or "name@domain" for "@name@domain".
// They are compared case-insensitively and in order of first appearance. They may not exist.
func (d Doc) Mentions() []string {
	return d.distinct(mention, strings.ToLower)
}

// Tags returns the tags as typed, without '#', in order of first appearance. Of tags with equal
// FoldTag it returns the first.
func (d Doc) Tags() []string {
	return d.distinct(tag, FoldTag)
}

// Links returns the absolute http and https URLs in order, repeated ones too.
// Each can be parsed by net/url; international host names and paths are as
// typed, not encoded.
func (d Doc) Links() []string {
	var out []string
	for _, t := range d.tokens {
		if t.kind == link {
			out = append(out, lowerScheme(d.text[t.start:t.end]))
		}
	}
	return out
}

// distinct returns the names of the tokens of one kind, the first of each key.
func (d Doc) distinct(k kind, key func(string) string) []string {
	var out []string
	seen := map[string]bool{}
	for _, t := range d.tokens {
		if t.kind != k {
			continue
		}
		name := d.name(t)
		if id := key(name); !seen[id] {
			seen[id] = true
			out = append(out, name)
		}
	}
	return out
}

// name returns the part of a token after '@' or '#'.
func (d Doc) name(t token) string {
	if t.kind == tag {
		return d.text[t.start+t.mark : t.end]
	}
	return d.text[t.start+1 : t.end]
}

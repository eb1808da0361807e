package mail

import (
	"net/mail"
	"strings"

	"golang.org/x/net/idna"

	"linnet/internal/wording"
)

// MaxAddress is how many bytes an address has at most (RFC 5321 section 4.5.3.1.3, less the
// angle brackets).
const MaxAddress = 254

// maxLocal is how many bytes stand before the @ at most (section 4.5.3.1.1).
const maxLocal = 64

// What is wrong with an address, as said to whoever typed it.
const (
	ErrAddress = wrong("is not an e-mail address like name@example.com")
	ErrLocal   = wrong("can have accented letters only after the @")
	ErrLong    = wrong("is too long (maximum is 254 characters)")
)

// wrong is a text that completes "The address".
type wrong string

func (w wrong) Error() string { return string(w) }

// Message implements wording.Messenger.
func (w wrong) Message() wording.Message { return wording.Message(w) }

// Normalize is the one form of an address, by which it is kept and compared: without blanks
// around it, in lower case, the domain as DNS has it (RFC 5891). Servers that tell
// Ann@example.com from ann@example.com are not known; who relies on it is not served. Only
// plain addresses are taken: no names, no quotes, no addresses of machines, and a domain with
// a dot.
func Normalize(address string) (string, error) {
	address = strings.ToLower(strings.TrimSpace(address))
	at := strings.LastIndexByte(address, '@')
	if at < 1 || at == len(address)-1 || strings.ContainsAny(address, "\r\n\t \x00<>()[]\"\\,;:") {
		return "", ErrAddress
	}
	local, domain := address[:at], address[at+1:]
	for i := range len(local) {
		if local[i] >= 0x80 {
			return "", ErrLocal
		}
	}
	domain, err := idna.Lookup.ToASCII(strings.TrimSuffix(domain, "."))
	if err != nil || !strings.Contains(domain, ".") || strings.Trim(domain[strings.LastIndexByte(domain, '.')+1:], "0123456789") == "" {
		return "", ErrAddress
	}
	address = local + "@" + domain
	if len(address) > MaxAddress || len(local) > maxLocal {
		return "", ErrLong
	}
	if a, err := mail.ParseAddress(address); err != nil || a.Address != address || a.Name != "" {
		return "", ErrAddress
	}
	return address, nil
}

// Shown is an address for people: the domain in their letters.
func Shown(address string) string {
	local, domain, ok := strings.Cut(address, "@")
	if !ok {
		return address
	}
	if d, err := idna.Display.ToUnicode(domain); err == nil {
		domain = d
	}
	return local + "@" + domain
}

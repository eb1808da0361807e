package mail

import (
	"net/mail"
	"strings"

	"golang.org/x/net/idna"

	"linnet/internal/wording"
)

// MaxAddress is the limit of an address in bytes (RFC 5321 section 4.5.3.1.3, without the angle
// brackets).
const MaxAddress = 254

// maxLocal is the limit of the part before the @ in bytes (section 4.5.3.1.1).
const maxLocal = 64

// Errors of an address, as shown to the user.
const (
	ErrAddress = wrong("must be a valid e-mail address, such as name@example.com")
	ErrLocal   = wrong("can have accented letters only after the @")
	ErrLong    = wrong("is too long (maximum is 254 characters)")
)

// wrong is an error text that completes "The address".
type wrong string

func (w wrong) Error() string { return string(w) }

// Message implements wording.Messenger.
func (w wrong) Message() wording.Message { return wording.Message(w) }

// Normalize returns the form in which an address is stored and compared: trimmed, in lower case,
// with the domain in its DNS form (RFC 5891). It treats Ann@example.com and ann@example.com as
// equal, like practically all servers. It only accepts plain addresses, without names, quotes and
// IP addresses, and with a dot in the domain.
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

// Shown returns an address for display, with the domain in Unicode.
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

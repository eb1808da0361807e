package linnet

import (
	"crypto/sha256"
	"encoding/hex"
	"net/netip"
	"path"
	"slices"
	"strings"
	"time"
)

// SignUpBlock is a rule against sign-ups.
type SignUpBlock struct {
	ID      ID
	Kind    BlockKind
	Value   string // in the form of its kind, see ParseSignUpBlock
	Ask     bool   // require approval; otherwise refuse the sign-up
	Note    string // for staff
	By      ID     // creator; 0 for a command
	Expires time.Time
}

// BlockKind is the kind of value that a sign-up rule matches. The values are stored and used in
// commands.
type BlockKind string

// Kinds of rules against sign-ups.
const (
	BlockAddress BlockKind = "address" // an IP network, such as 192.0.2.0/24
	BlockEmail   BlockKind = "email"   // a domain of e-mail addresses and its subdomains
	// BlockCanonical is the SHA-256 hash of one e-mail address, see CanonicalEmailHash.
	BlockCanonical BlockKind = "canonical"
	BlockName      BlockKind = "name" // a word that logins can't contain, or a pattern with * and ? that they can't match as a whole
)

// AllBlockKinds returns all kinds.
func AllBlockKinds() []BlockKind {
	return []BlockKind{BlockAddress, BlockEmail, BlockCanonical, BlockName}
}

// Limits of rules against sign-ups.
const (
	MaxSignUpBlocks     = 500
	MaxSignUpBlockNote  = 200 // characters
	MaxSignUpBlockValue = 253 // bytes
)

// Over reports whether the rule has expired.
func (b *SignUpBlock) Over(now time.Time) bool { return !b.Expires.IsZero() && !now.Before(b.Expires) }

// ParseSignUpBlock normalizes the value of a rule, or returns an error.
func ParseSignUpBlock(kind BlockKind, value string) (string, error) {
	is := strings.ToLower(strings.TrimSpace(value))
	if len(is) > MaxSignUpBlockValue {
		return "", FieldError("value", "ERR_TOO_LONG", "is %d bytes long (maximum is %d)", len(is), MaxSignUpBlockValue)
	}
	switch kind {
	case BlockAddress:
		p, ok := parseNetwork(is)
		if !ok {
			return "", FieldError("value", "ERR_INVALID", "is %q, but must be an address or a network such as 192.0.2.0/24 or 2001:db8::/32", value)
		}
		if p.Bits() == 0 {
			return "", FieldError("value", "ERR_INVALID", "covers every address. Close sign-up in the settings instead")
		}
		return p.String(), nil
	case BlockEmail:
		is = strings.TrimPrefix(strings.TrimPrefix(is, "@"), "*.")
		if !strings.Contains(is, ".") || strings.Trim(is, "abcdefghijklmnopqrstuvwxyz0123456789.-") != "" || strings.HasPrefix(is, ".") || strings.HasSuffix(is, ".") || strings.Contains(is, "..") {
			return "", FieldError("value", "ERR_INVALID", "is %q, but must be a domain such as mail.example. Write domains with non-ASCII characters in the xn--… form", value)
		}
		return is, nil
	case BlockCanonical:
		if strings.Contains(is, "@") {
			return CanonicalEmailHash(is), nil
		}
		if hash, err := hex.DecodeString(is); err != nil || len(hash) != sha256.Size {
			return "", FieldError("value", "ERR_INVALID", "is %q, but must be an e-mail address or its SHA-256 hash", value)
		}
		return is, nil
	case BlockName:
		if len(strings.Trim(is, "*?")) < 2 || strings.Trim(is, "abcdefghijklmnopqrstuvwxyz0123456789_*?") != "" {
			return "", FieldError("value", "ERR_INVALID", "is %q, but must be a word of at least two letters, digits or underscores, or a pattern with * and ?", value)
		}
		return is, nil
	}
	return "", FieldError("kind", "ERR_INCLUSION", "is %q, but must be address, email, canonical or name", string(kind))
}

// CanonicalEmailHash returns the hash by which Mastodon blocks an e-mail address: without case,
// dots and the part after a plus in its local part.
func CanonicalEmailHash(email string) string {
	local, domain, _ := strings.Cut(strings.ToLower(strings.TrimSpace(email)), "@")
	local, _, _ = strings.Cut(strings.ReplaceAll(local, ".", ""), "+")
	hash := sha256.Sum256([]byte(local + "@" + domain))
	return hex.EncodeToString(hash[:])
}

// parseNetwork parses an address or a network. It converts IPv4 in IPv6 to IPv4.
func parseNetwork(s string) (netip.Prefix, bool) {
	if a, err := netip.ParseAddr(s); err == nil && a.Zone() == "" {
		a = a.Unmap()
		return netip.PrefixFrom(a, a.BitLen()), true
	}
	p, err := netip.ParsePrefix(s)
	if err == nil && p.Addr().Is4In6() && p.Bits() >= 96 {
		p = netip.PrefixFrom(p.Addr().Unmap(), p.Bits()-96)
	}
	return p.Masked(), err == nil
}

// Applies reports whether the normalized rule matches a sign-up. Rules about addresses don't match
// without one.
func (b *SignUpBlock) Applies(in *SignUp) bool {
	switch b.Kind {
	case BlockAddress:
		p, err := netip.ParsePrefix(b.Value)
		return err == nil && in.From.IsValid() && p.Contains(in.From.Unmap().WithZone(""))
	case BlockEmail:
		_, domain, _ := strings.Cut(strings.ToLower(strings.TrimSuffix(strings.TrimSpace(in.Email), ".")), "@")
		return domain == b.Value || strings.HasSuffix(domain, "."+b.Value)
	case BlockCanonical:
		return in.Email != "" && CanonicalEmailHash(in.Email) == b.Value
	case BlockName:
		login := strings.ToLower(in.Login)
		if !strings.ContainsAny(b.Value, "*?") {
			return strings.Contains(login, b.Value)
		}
		fits, err := path.Match(b.Value, login)
		return err == nil && fits
	}
	return false
}

// AgainstSignUp returns the rule that applies to a sign-up: one that refuses it, or else one that
// requires approval, or nil.
func AgainstSignUp(all []SignUpBlock, in *SignUp, now time.Time) *SignUpBlock {
	var ask *SignUpBlock
	for i := range all {
		switch b := &all[i]; {
		case b.Over(now), !b.Applies(in):
		case !b.Ask:
			return b
		default:
			ask = b
		}
	}
	return ask
}

// SortSignUpBlocks sorts rules for display: by kind, then by value.
func SortSignUpBlocks(all []SignUpBlock) {
	slices.SortFunc(all, func(a, b SignUpBlock) int {
		return strings.Compare(string(a.Kind)+" "+a.Value, string(b.Kind)+" "+b.Value)
	})
}

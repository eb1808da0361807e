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
	Value   string // of the form of its kind, see ParseSignUpBlock
	Ask     bool   // a moderator decides; else nobody signs up
	Note    string // for those who run the installation
	By      ID     // who made it; 0: a command
	Expires time.Time
}

// BlockKind is what a rule against sign-ups is held against. The words stand in stores and in
// commands.
type BlockKind string

// Kinds of rules against sign-ups.
const (
	BlockAddress BlockKind = "address" // a network of addresses, as 192.0.2.0/24
	BlockEmail   BlockKind = "email"   // a domain of e-mail addresses, with those below it
	// BlockCanonical is the SHA-256 hash of one e-mail address, see CanonicalEmailHash.
	BlockCanonical BlockKind = "canonical"
	BlockName      BlockKind = "name" // a word that no login may contain, or a pattern with * and ? that none may match as a whole
)

// AllBlockKinds are the kinds.
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

// ParseSignUpBlock gives what a rule is held against its form, or says what is wrong with it.
func ParseSignUpBlock(kind BlockKind, value string) (string, error) {
	is := strings.ToLower(strings.TrimSpace(value))
	if len(is) > MaxSignUpBlockValue {
		return "", FieldError("value", "ERR_TOO_LONG", "has %d bytes (maximum is %d)", len(is), MaxSignUpBlockValue)
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
			return "", FieldError("value", "ERR_INVALID", "is %q, but must be a domain such as mail.example. Use the xn--… form for non-Latin domains", value)
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
			return "", FieldError("value", "ERR_INVALID", "is %q, but must be at least two letters, digits or underscores, or a pattern of them with * and ?", value)
		}
		return is, nil
	}
	return "", FieldError("kind", "ERR_INCLUSION", "is %q, but must be address, email, canonical or name", string(kind))
}

// CanonicalEmailHash is the hash by which Mastodon blocks one e-mail address, without case, dots
// and what follows a plus in its local part.
func CanonicalEmailHash(email string) string {
	local, domain, _ := strings.Cut(strings.ToLower(strings.TrimSpace(email)), "@")
	local, _, _ = strings.Cut(strings.ReplaceAll(local, ".", ""), "+")
	hash := sha256.Sum256([]byte(local + "@" + domain))
	return hex.EncodeToString(hash[:])
}

// parseNetwork reads an address or a network; IPv4 within IPv6 is IPv4.
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

// Applies reports whether the rule, of the form that ParseSignUpBlock gives, is about somebody
// who signs up. Without an address, or an e-mail address, rules about those are about nobody.
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

// AgainstSignUp is the rule that decides on somebody who signs up: one that refuses them, else
// one that leaves them to a moderator, nil if there is none.
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

// SortSignUpBlocks puts rules in the order in which they are shown: by kind, then by what they
// are about.
func SortSignUpBlocks(all []SignUpBlock) {
	slices.SortFunc(all, func(a, b SignUpBlock) int {
		return strings.Compare(string(a.Kind)+" "+a.Value, string(b.Kind)+" "+b.Value)
	})
}

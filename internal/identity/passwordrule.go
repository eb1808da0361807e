package identity

import (
	_ "embed"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"linnet/internal/linnet"
)

// commonPasswords are the most common passwords of at least MinPassword characters, one per line,
// in lower case. They are from the list of 30,000 leaked passwords of zxcvbn (see NOTICE).
//
//go:embed common_passwords.txt
var commonPasswords string

// CheckPassword returns an error for a password that is too short or easy to guess (NIST SP 800-63B
// section 3.1.1.2). Any characters are allowed.
func (s *Service) CheckPassword(p, login string) *linnet.Error {
	switch {
	case utf8.RuneCountInString(p) < linnet.MinPassword:
		return linnet.FieldError("password", "ERR_TOO_SHORT", "is too short (minimum is %d characters)", linnet.MinPassword)
	case len(p) > linnet.MaxPassword:
		return linnet.FieldError("password", "ERR_TOO_LONG", "is too long (maximum is %d bytes)", linnet.MaxPassword)
	}
	folded := strings.ToLower(norm.NFKC.String(p))
	host, _, _ := strings.Cut(s.core.Hostname, ":")
	label, _, _ := strings.Cut(host, ".")
	switch {
	case strings.TrimFunc(folded, func(r rune) bool { return !unicode.IsGraphic(r) || unicode.IsSpace(r) }) == "":
		return linnet.FieldError("password", "ERR_BLANK", "contains only spaces")
	case isCommon(folded) || isSequence(folded):
		return linnet.FieldError("password", "ERR_COMMON", "is too easy to guess. Choose another one, such as four unrelated words")
	case isMadeOf(folded, login), isMadeOf(folded, host), isMadeOf(folded, label), isMadeOf(folded, "linnet"):
		return linnet.FieldError("password", "ERR_COMMON", "is based on your username or this server's name. Choose another one")
	}
	return nil
}

// isCommon reports whether a password is in the list, with or without surrounding spaces.
func isCommon(p string) bool {
	p = strings.TrimSpace(p)
	return strings.HasPrefix(commonPasswords, p+"\n") || strings.Contains(commonPasswords, "\n"+p+"\n")
}

// isSequence reports whether all characters of a password are equally far apart: "aaaaaaaa",
// "abcdefgh", "87654321".
func isSequence(p string) bool {
	rs := []rune(p)
	for i := 2; i < len(rs); i++ {
		if rs[i]-rs[i-1] != rs[1]-rs[0] {
			return false
		}
	}
	return len(rs) < 2 || (rs[1]-rs[0])*(rs[1]-rs[0]) <= 1
}

// isMadeOf reports whether a password consists of a name, possibly repeated, and characters that
// are not letters. Names of fewer than three characters are ignored.
func isMadeOf(p, name string) bool {
	if name = strings.ToLower(name); len(name) < 3 || !strings.Contains(p, name) {
		return false
	}
	return !strings.ContainsFunc(strings.ReplaceAll(p, name, ""), unicode.IsLetter)
}

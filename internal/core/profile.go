package core

import "strings"

// UserURL is the address of somebody's profile page.
func (s *Service) UserURL(login string) string { return s.opt.PublicURL + "/@" + login }

// Set puts a new value where there is one; nil leaves what is.
func Set[T any](to, from *T) {
	if from != nil {
		*to = *from
	}
}

// BaseLanguage is the language of a code that may name a script or region as well.
func BaseLanguage(code string) string {
	base, _, _ := strings.Cut(strings.ReplaceAll(code, "_", "-"), "-")
	return strings.ToLower(base)
}

// ValidLanguage accepts ISO 639 codes, with a script or region, and "".
func ValidLanguage(l string) bool {
	if len(l) > 16 {
		return false
	}
	for _, c := range []byte(l) {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '-' && c != '_' {
			return false
		}
	}
	return len(l) != 1
}

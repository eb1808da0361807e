package core

import (
	"slices"
	"strings"

	"golang.org/x/text/language"
)

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

// maxLanguageTag is how many bytes of a language code are read: RFC 5646 section 4.4.1.
const maxLanguageTag = 35

// Language returns the code under which a post's language is stored, in the form of ISO 639.
// A region is kept if people filter by it, as in Mastodon. Language returns "" for "" and for
// codes that it does not know.
func Language(code string) string {
	if len(code) > maxLanguageTag {
		return ""
	}
	tag, err := language.Parse(code)
	base, sure := tag.Base()
	if err != nil || sure != language.Exact {
		return ""
	}
	region, sure := tag.Region()
	if regional := base.String() + "-" + region.String(); sure == language.Exact && slices.Contains(regionalLanguages(), regional) {
		return regional
	}
	return base.String()
}

// regionalLanguages are the languages whose readers tell regions apart.
func regionalLanguages() []string { return []string{"zh-CN", "zh-HK", "zh-TW", "nan-TW"} }

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

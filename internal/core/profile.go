package core

import (
	"slices"
	"strings"

	"golang.org/x/text/language"
)

// UserURL returns the address of a user's profile.
func (s *Service) UserURL(login string) string { return s.opt.PublicURL + "/@" + login }

// Set assigns *from to *to. It does nothing if from is nil.
func Set[T any](to, from *T) {
	if from != nil {
		*to = *from
	}
}

// BaseLanguage returns the language of a code without its script and region.
func BaseLanguage(code string) string {
	base, _, _ := strings.Cut(strings.ReplaceAll(code, "_", "-"), "-")
	return strings.ToLower(base)
}

// maxLanguageTag is the maximum length of a language code in bytes: RFC 5646 section 4.4.1.
const maxLanguageTag = 35

// Language returns the code under which a post's language is stored, in the form of ISO 639. As in
// Mastodon, it includes the region if users filter by it. It returns "" for "" and unknown codes.
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

// regionalLanguages returns the languages whose readers distinguish regions.
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

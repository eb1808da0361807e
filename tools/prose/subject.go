package main

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// maxSubject is the maximum number of characters of a commit subject.
const maxSubject = 70

var (
	subjectForm = regexp.MustCompile(`^[a-z0-9][a-z0-9/_.-]*(?:, [a-z0-9/_.-]+)*: \S`)
	// otherMoods match common verbs that are no imperatives.
	otherMoods = regexp.MustCompile(`: (?:(?:add|fix|test|accept|allow|show|return)(?:ed|e?s|ing)` +
		`|(?:change|make|move|remove|use|update|write|hide|store|rename)[ds]|(?:chang|mak|mov|remov|us|updat|writ|hid|stor|renam)ing) `)
)

// subjectFault returns an error text for a commit subject, or "". A subject has the form "package:
// imperative", in lower case after the colon and without a full stop.
func subjectFault(s string) string {
	switch _, text, _ := strings.Cut(s, ": "); {
	case strings.HasPrefix(s, "Merge ") || strings.HasPrefix(s, `Revert "`):
		return "" // written by git
	case utf8.RuneCountInString(s) > maxSubject:
		return "longer than 70 characters"
	case !subjectForm.MatchString(s):
		return "not of the form \"package: imperative\""
	case startsUpper(text):
		return "upper case after the colon"
	case strings.HasSuffix(s, "."):
		return "ends with a full stop"
	case otherMoods.MatchString(s + " "):
		return "the verb is not an imperative"
	}
	return ""
}

// startsUpper reports whether a text starts with a capitalised word. Names such as README and
// X-Forwarded-For are allowed.
func startsUpper(text string) bool {
	word, _, _ := strings.Cut(text, " ")
	return regexp.MustCompile(`^[A-Z][a-z]+$`).MatchString(word)
}

package ui

import (
	"strings"
	"unicode/utf8"
)

// Capitalize is a word as it begins a line.
func Capitalize(word string) string {
	_, n := utf8.DecodeRuneInString(word)
	return strings.ToUpper(word[:n]) + word[n:]
}

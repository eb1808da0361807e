package core

import (
	"slices"
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/text"
)

// Texts are lines (names, titles, labels: text.Line) or have several lines (Lines). This file
// checks the length and combining marks of both.

// Lines normalizes a text of several lines. It removes control characters, which terminals would
// execute. It returns "" if no character is visible.
func Lines(s string) string {
	if s = strings.TrimSpace(text.Parse(s).Text()); text.Blank(s) {
		return ""
	}
	return s
}

// CharBytes is the maximum average number of bytes per character of a limited text: a letter with
// its marks, or an emoji of several parts.
const CharBytes = 32

// TooLong reports whether a text exceeds a number of characters, or CharBytes times as many bytes.
func TooLong(s string, most int) bool {
	return len(s) > CharBytes*most || text.Count(s) > most
}

// CheckText checks the length and combining marks of a field. Nil means that it wasn't given.
func CheckText(field string, s *string, most int) error {
	switch {
	case s == nil:
		return nil
	case TooLong(*s, most):
		return linnet.FieldError(field, "ERR_TOO_LONG", "is too long (maximum is %d characters)", most)
	}
	return CheckMarks(field, *s)
}

// ReasonLine returns the stored form of a reason for a staff action.
func ReasonLine(typed string) (string, error) {
	if TooLong(typed, linnet.MaxReason) { // text.Line would shorten it
		return "", linnet.FieldError("text", "ERR_TOO_LONG", "is too long (maximum is %d characters)", linnet.MaxReason)
	}
	reason := text.Line(typed)
	return reason, CheckMarks("text", reason)
}

// CheckMarks refuses texts whose combining marks would cover neighbouring lines.
func CheckMarks(field string, texts ...string) error {
	if slices.ContainsFunc(texts, text.Overmarked) {
		return Overmarked(field)
	}
	return nil
}

// Overmarked returns the error for a text with more combining marks on a letter than any language
// needs.
func Overmarked(field string) *linnet.Error {
	return linnet.FieldError(field, "ERR_INVALID", "has a character with too many accents or other marks (maximum is %d)", text.MaxMarks)
}

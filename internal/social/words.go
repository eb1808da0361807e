package social

import (
	"slices"
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/text"
)

// What people type is of two sorts: a line (a name, a title, a label: text.Line) and
// a text of several lines (lines). Both are checked for their length and for marks
// here, whatever field they are in.

// lines is a text of several lines as it is stored: without control characters,
// which would be commands to the terminals in which some clients run, and empty if
// nothing of it would be seen.
func lines(s string) string {
	if s = strings.TrimSpace(text.Parse(s).Text()); text.Blank(s) {
		return ""
	}
	return s
}

// charBytes is how many bytes a character of a limited text may have on average:
// a letter with its marks, or an emoji of several parts.
const charBytes = 32

// tooLong says whether a text has more characters than most, or absurdly many
// bytes.
func tooLong(s string, most int) bool {
	return len(s) > charBytes*most || text.Count(s) > most
}

// checkText checks the length and the marks of a field; nil is one that was not given.
func checkText(field string, s *string, most int) error {
	switch {
	case s == nil:
		return nil
	case tooLong(*s, most):
		return linnet.FieldError(field, "ERR_TOO_LONG", "is too long (maximum is %d characters)", most)
	}
	return checkMarks(field, *s)
}

// reasonLine is the reason that staff give for an act, as the log of acts keeps it.
func reasonLine(typed string) (string, error) {
	if tooLong(typed, linnet.MaxReason) { // whatever of it would be left
		return "", linnet.FieldError("text", "ERR_TOO_LONG", "is too long (maximum is %d characters)", linnet.MaxReason)
	}
	reason := text.Line(typed)
	return reason, checkMarks("text", reason)
}

// checkMarks refuses texts that would paint over those around them.
func checkMarks(field string, texts ...string) error {
	if slices.ContainsFunc(texts, text.Overmarked) {
		return overmarked(field)
	}
	return nil
}

func overmarked(field string) *linnet.Error {
	return linnet.FieldError(field, "ERR_INVALID", "has a character with too many accents or other marks on it (maximum is %d); remove some", text.MaxMarks)
}

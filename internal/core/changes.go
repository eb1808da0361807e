package core

import (
	"strings"
	"time"

	"linnet/internal/wording"
)

// Part is a part of something that staff change, for the audit log.
type Part struct {
	Name wording.Message
	Is   any // a string, as it was typed; a wording.Message; a time, the zero one for none; or a bool, whether it is on
}

// PartOf is a part with its name.
func PartOf(name wording.Message, is any) Part { return Part{Name: name, Is: is} }

// Changes describes for the audit log which parts have changed, with old and new values. It returns
// "" if nothing has changed. Both slices must have the same parts.
func Changes(before, after []Part) wording.Message {
	var all []wording.Message
	for i, was := range before {
		if is := after[i].Is; !same(was.Is, is) {
			all = append(all, BeforeAndAfter(was.Name, was.Is, is))
		}
	}
	return wording.List(all...)
}

func same(a, b any) bool {
	if at, ok := a.(time.Time); ok {
		return at.Equal(b.(time.Time))
	}
	return a == b
}

const (
	shownChars  = 100 // of a text in the log of acts
	sharedChars = 10  // of the common beginning of two long texts
)

// BeforeAndAfter says for the audit log what a part was and is, see Part; an empty text is none. Of
// long texts that begins where they differ.
func BeforeAndAfter(name wording.Message, was, is any) wording.Message {
	switch w := was.(type) {
	case bool:
		if w {
			return wording.Messagef("%s: “on” → “off”", name)
		}
		return wording.Messagef("%s: “off” → “on”", name)
	case time.Time:
		was, is = orNone(w), orNone(is.(time.Time))
	case string:
		a := []rune(w)
		b := []rune(is.(string))
		common := 0
		for common < min(len(a), len(b)) && a[common] == b[common] {
			common++
		}
		skip := 0
		if max(len(a), len(b)) > shownChars {
			skip = max(0, common-sharedChars)
		}
		was, is = excerpt(a, skip), excerpt(b, skip)
	}
	switch {
	case was == "" && is == "":
		return wording.Messagef("%s: none → none", name)
	case was == "":
		return wording.Messagef("%s: none → “%s”", name, is)
	case is == "":
		return wording.Messagef("%s: “%s” → none", name, was)
	}
	return wording.Messagef("%s: “%s” → “%s”", name, was, is)
}

func orNone(t time.Time) any {
	if t.IsZero() {
		return ""
	}
	return t
}

func excerpt(rs []rune, skip int) string {
	if len(rs) == 0 {
		return ""
	}
	before, behind := "", ""
	if rs = rs[min(skip, len(rs)):]; skip > 0 {
		before = "…"
	}
	if len(rs) > shownChars {
		rs, behind = rs[:shownChars], "…"
	}
	return before + strings.ReplaceAll(strings.TrimSpace(string(rs)), "\n", " / ") + behind
}

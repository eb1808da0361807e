package core

import (
	"strings"
	"time"

	"linnet/internal/wording"
)

// Part is one setting or field that staff can change, for the audit log.
type Part struct {
	Name wording.Message
	Is   any // a string as typed; a wording.Message; a time, zero for none; or a bool, whether it is on
}

// PartOf returns a part.
func PartOf(name wording.Message, is any) Part { return Part{Name: name, Is: is} }

// Changes describes the changed parts for the audit log, with old and new values. It returns "" if
// nothing has changed. Both slices must have the same parts.
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
	shownChars  = 100 // of a text in the audit log
	sharedChars = 10  // of the common beginning of two long texts
)

// BeforeAndAfter describes the old and new value of a part for the audit log (see Part). An empty
// text means none. Long texts are shown from where they differ.
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

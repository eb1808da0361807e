package core

import "strings"

// OnOff is a switch in the words of the audit log.
func OnOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

// Changes says for the audit log what of some named parts is no longer as it was, "" for nothing:
// each with what was before and what is now. Both have the same parts.
func Changes(before, after [][2]string) string {
	var b strings.Builder
	for i, was := range before {
		if is := after[i][1]; is != was[1] {
			if b.Len() > 0 {
				b.WriteString("; ")
			}
			b.WriteString(BeforeAndAfter(was[0], was[1], is))
		}
	}
	return b.String()
}

const (
	shownChars  = 100 // of a text in the log of acts
	sharedChars = 10  // of those that two texts share at their beginnings, where they are longer
)

// BeforeAndAfter says for the audit log what a part was and is; an empty text is none. Of long texts that begins where they differ.
func BeforeAndAfter(name, was, is string) string {
	a, b := []rune(was), []rune(is)
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	skip := 0
	if max(len(a), len(b)) > shownChars {
		skip = max(0, same-sharedChars)
	}
	return name + ": " + excerpt(a, skip) + " → " + excerpt(b, skip)
}

func excerpt(rs []rune, skip int) string {
	if len(rs) == 0 {
		return "none"
	}
	before, behind := "", ""
	if rs = rs[min(skip, len(rs)):]; skip > 0 {
		before = "…"
	}
	if len(rs) > shownChars {
		rs, behind = rs[:shownChars], "…"
	}
	return "“" + before + strings.ReplaceAll(strings.TrimSpace(string(rs)), "\n", " / ") + behind + "”"
}

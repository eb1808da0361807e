package core

import (
	"slices"
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/text"
)

// FoldTags are tags as they are compared: without the sign, in lower case, each once.
func FoldTags(tags []string) []string {
	var out []string
	for _, t := range tags {
		if t = text.FoldTag(strings.TrimPrefix(strings.TrimSpace(t), "#")); t != "" && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}

// HasTag says whether a status has one of some folded tags.
func HasTag(v *linnet.StatusView, folded []string) bool {
	st := &v.Status
	if v.Repost != nil {
		st = &v.Repost.Status
	}
	return slices.ContainsFunc(st.Tags, func(t string) bool { return slices.Contains(folded, text.FoldTag(t)) })
}

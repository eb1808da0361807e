package core

import (
	"slices"
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/text"
)

// FoldTags returns tags in the form for comparisons: without "#", in lower case and without
// duplicates.
func FoldTags(tags []string) []string {
	var out []string
	for _, t := range tags {
		if t = text.FoldTag(strings.TrimPrefix(strings.TrimSpace(t), "#")); t != "" && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}

// HasTag reports whether a status has one of some folded tags.
func HasTag(v *linnet.StatusView, folded []string) bool {
	st := &v.Status
	if v.Repost != nil {
		st = &v.Repost.Status
	}
	return slices.ContainsFunc(st.Tags, func(t string) bool { return slices.Contains(folded, text.FoldTag(t)) })
}

package ui

import (
	"cmp"
	"strings"

	"linnet/internal/linnet"
)

// Preview returns the text of a status for lists and other sites, without text behind a filter or
// warning.
func Preview(st linnet.StatusView) string {
	return cmp.Or(strings.Join(st.FoundBy(linnet.FilterWarn, linnet.FilterHide), ", "), st.Warning, st.Text)
}

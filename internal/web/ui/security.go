package ui

import (
	"context"
	"slices"
	"strings"
)

// JoinNonEmpty are those texts that are not empty, with something between them.
func JoinNonEmpty(between string, texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(s string) bool { return s == "" }), between)
}

// Times says how often something happened, "" for once.
func Times(ctx context.Context, n int) string {
	if n < 2 {
		return ""
	}
	return Trn(ctx, int64(n), "%s time in a row", "%s times in a row")
}

package web

import (
	"context"
	"strings"

	"linnet/internal/linnet"
)

// securitySentence says in the reader's language what happened.
func securitySentence(ctx context.Context, e linnet.SecurityEntry) string {
	s := tr(ctx, e.Event.Sentence())
	if e.Detail == "" {
		return s
	}
	return tr(ctx, "%s: “%s”.", strings.TrimRight(s, ".。"), e.Detail)
}

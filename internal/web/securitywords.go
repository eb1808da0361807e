package web

import (
	"context"
	"strings"

	"linnet/internal/identity"
	"linnet/internal/linnet"
)

// securitySentence says in the reader's language what happened.
func securitySentence(ctx context.Context, e linnet.SecurityEntry) string {
	s := tr(ctx, e.Event.Sentence())
	if e.Detail == "" {
		return s
	}
	about := e.Detail
	if e.Event == linnet.SessionEnded { // of a browser
		about = identity.DeviceIn(readerOf(ctx).lang, about)
	}
	return tr(ctx, "%s: “%s”.", strings.TrimRight(s, ".。"), about)
}

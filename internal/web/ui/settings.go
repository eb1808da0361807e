package ui

import (
	"context"
	"time"
)

// VerifiedText returns the text of the verification mark.
func VerifiedText(ctx context.Context, at time.Time) string {
	return Tr(ctx, "Ownership of this link was checked on %s", FullTime(ctx, at))
}

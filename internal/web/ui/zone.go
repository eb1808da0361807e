package ui

import (
	"context"
	"time"

	"linnet/internal/locale"
)

// Zone returns the zone for rendering.
func Zone(ctx context.Context) *time.Location { return ReaderOf(ctx).Zone }

// FullTime returns a time in words, in the reader's language.
func FullTime(ctx context.Context, t time.Time) string {
	return ReaderOf(ctx).Lang.Time(t.In(Zone(ctx)), locale.Mark("2 January 2006, 15:04 MST"))
}

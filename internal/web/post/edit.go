package post

import (
	"context"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/web/ui"
)

// editedAt returns the time of the last edit, for the title of the mark.
func editedAt(ctx context.Context, s linnet.StatusView) string {
	return ui.Tr(ctx, "Edited %s", ui.FullTime(ctx, s.EditedAt()))
}

// UpdatedAt returns the time of the last edit of a status, or of its publication.
func UpdatedAt(st *linnet.Status) time.Time {
	if t := st.EditedAt(); !t.IsZero() {
		return t
	}
	return st.ID.Time()
}

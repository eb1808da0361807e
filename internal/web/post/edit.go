package post

import (
	"context"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/web/ui"
)

// editedAt says when a status was edited, for its title.
func editedAt(ctx context.Context, s linnet.StatusView) string {
	return ui.Tr(ctx, "Edited %s", ui.FullTime(ctx, s.EditedAt()))
}

// UpdatedAt is when a status was written, or edited last.
func UpdatedAt(st *linnet.Status) time.Time {
	if t := st.EditedAt(); !t.IsZero() {
		return t
	}
	return st.ID.Time()
}

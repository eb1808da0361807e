package apptest

import (
	"linnet/internal/linnet"
)

// Edit edits a status and fails on an error.
func (w *World) Edit(by, id linnet.ID, e linnet.Edit) linnet.StatusView {
	w.Helper()
	v := Must(w.Posting.Edit(w.Ctx, by, id, e))(w)
	w.Drain()
	return v
}

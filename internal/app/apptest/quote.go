package apptest

import (
	"linnet/internal/linnet"
)

// Quoted returns the texts of the quotes of a status as seen by a viewer.
func (w *World) Quoted(viewer, id linnet.ID) []string {
	w.Helper()
	return Texts(Must(w.Reading.Quotes(w.Ctx, viewer, id, linnet.Page{}))(w).Items)
}

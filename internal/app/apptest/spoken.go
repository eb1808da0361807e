package apptest

import (
	"linnet/internal/linnet"
)

// Speaks sets a user's language.
func (w *World) Speaks(who linnet.ID, code string) {
	w.Helper()
	Must(w.Social.Profiles.Update(w.Ctx, who, linnet.ProfileChange{Appearance: &linnet.Appearance{Language: code}}))(w)
}

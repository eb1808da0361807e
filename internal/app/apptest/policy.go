package apptest

import (
	"linnet/internal/linnet"
)

// Policy changes a user's notification policy.
func (w *World) Policy(me linnet.ID, c linnet.PolicyChange) {
	w.Helper()
	Must(w.Notify.ChangePolicy(w.Ctx, me, c))(w)
}

package apptest

import (
	"linnet/internal/linnet"
	"linnet/internal/locale"
)

// Plans returns a user's scheduled posts, soonest first, with the reasons of failed ones.
func (w *World) Plans(me linnet.ID) (out string) {
	w.Helper()
	all, _, err := w.Posting.Scheduled.Soonest(w.Ctx, me, 0, 400)
	if err != nil {
		w.Fatal(err)
	}
	for _, s := range all {
		out += "[" + s.Draft.Text + when(s.Failed != "", ": "+locale.English().Stored(s.Failed)) + "]"
	}
	return out
}

func when(on bool, s string) string {
	if on {
		return s
	}
	return ""
}

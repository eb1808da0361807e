package apptest

import (
	"linnet/internal/linnet"
)

func (w *World) Top(me linnet.ID) []linnet.StatusView {
	w.Helper()
	return w.Pages(2, func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
		return w.Feeds.ListTimeline(w.Ctx, me, linnet.TopList, p)
	})
}

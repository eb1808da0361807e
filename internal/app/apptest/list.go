package apptest

import (
	"fmt"
	"linnet/internal/linnet"
)

func (w *World) ListPage(me, list linnet.ID) string {
	w.Helper()
	return fmt.Sprint(Texts(w.Pages(3, func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
		return w.Feeds.ListTimeline(w.Ctx, me, list, p)
	})))
}

func (w *World) List(me linnet.ID, c linnet.ListChange) linnet.ID {
	w.Helper()
	if c.Title == nil {
		c.Title = new("list")
	}
	return Must(w.Lists.CreateList(w.Ctx, me, c))(w).ID
}

func (w *World) AddTo(me, list linnet.ID, users ...linnet.ID) {
	w.Helper()
	if err := w.Lists.AddToList(w.Ctx, me, list, users); err != nil {
		w.Fatal(err)
	}
}

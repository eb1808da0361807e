package apptest

import (
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// Town creates a reader who follows some authors with some statuses each, posted in turn.
func (w *World) Town(authors, statuses int) (reader linnet.ID, by []linnet.ID, m *Model) {
	w.Helper()
	reader, m = w.Person("reader"), NewModel()
	by = w.People(authors)
	for _, a := range by {
		w.Follow(reader, a)
		m.Follows[[2]linnet.ID{reader, a}] = true
	}
	for i := range statuses {
		for _, a := range by {
			m.Add(w.Post(a, "%d", i))
		}
	}
	w.Drain()
	return reader, by, m
}

func ForgetFeeds(w *World, readers ...linnet.ID) {
	w.Helper()
	for _, id := range readers {
		if err := w.Store.Feeds.ForgetFeeds(w.Ctx, record.HomeKey(id)); err != nil {
			w.Fatal(err)
		}
	}
}

package app_test

import (
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
)

// deepPage reads more than before entries of a home feed, down to pages merged below the floor. It
// returns the cursor of the next page.
func (w bounded) deepPage(reader linnet.ID, before int) linnet.Cursor {
	w.Helper()
	var p linnet.Page
	for shown := 0; shown <= before; {
		page := apptest.Must(w.Reading.Home(w.Ctx, reader, linnet.Page{Max: p.Max, Limit: 40}))(w.T)
		shown, p.Max = shown+len(page.Items), page.Last
	}
	return p.Max
}

// by returns the authors of a page of home, and the number of records read.
func (w bounded) by(reader linnet.ID, below linnet.Cursor) (authors map[linnet.ID]int, next linnet.Cursor, read int64) {
	w.Helper()
	before := w.engine.records.Load()
	page := apptest.Must(w.Reading.Home(w.Ctx, reader, linnet.Page{Max: below, Limit: 40}))(w.T)
	authors = map[linnet.ID]int{}
	for _, v := range page.Items {
		authors[v.Author]++
	}
	return authors, page.Last, w.engine.records.Load() - before
}

// TestPagesBelowShareAMerge checks that pages below the floor of a feed share a merge of all
// profiles. A page after a follow or unfollow reflects it.
func TestPagesBelowShareAMerge(t *testing.T) {
	w := newBounded(t)
	const authors = 150
	stranger := w.Person("stranger")
	for range 5 {
		w.Post(stranger, "the oldest")
	}
	reader, by, _ := w.Town(authors, 12)
	apptest.ForgetFeeds(w.World, reader)
	at := w.deepPage(reader, 1040)
	_, at, shared := w.by(reader, at)

	apptest.Must(w.Social.Unfollow(w.Ctx, reader, by[0]))(t)
	w.Drain()
	seen, at, merged := w.by(reader, at)
	if seen[by[0]] != 0 {
		t.Error("a page shows who is not followed any more")
	}
	if shared*2 > merged {
		t.Errorf("a page that follows another read %d records, one that had to merge %d", shared, merged)
	}

	w.Follow(reader, stranger)
	w.Drain()
	found := 0
	for at != "" && !t.Failed() {
		seen, at, _ = w.by(reader, at)
		found += seen[stranger]
	}
	if found != 5 {
		t.Errorf("pages show %d of the 5 statuses of who is followed since", found)
	}
	t.Logf("records read: %d by a page that follows another, %d by one that merged", shared, merged)
}

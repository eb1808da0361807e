package timeline

import (
	"context"

	"linnet/internal/linnet"
	"linnet/internal/store/db"
)

// PageRead is the result of one read of a timeline: entries, newest first, and how far it reached.
// The next read continues below Reached (or above it when reading upwards). End reports that
// nothing follows.
type PageRead struct {
	Entries   []linnet.Entry
	Reached   linnet.ID
	End       bool
	Exclusive []linnet.ID          // viewer's lists whose members are not shown
	At        linnet.FilterContext // context of the viewer's filters

	linnet.Repeats // of feeds
}

// PageReader reads a page of a timeline: about Limit entries of a span.
type PageReader func(ctx context.Context, sp db.Span) (PageRead, error)

// ScanMax is the maximum number of entries that one round of a page reads.
const ScanMax = 200

// PageOf returns a page of ids that were read with a limit.
func PageOf(ids []linnet.ID, sp db.Span) PageRead {
	return pageOf(len(ids), func(i int) linnet.ID { return ids[i] }, sp)
}

// feedPageOf is like pageOf, for a page of a feed.
func feedPageOf(page *db.FeedPage, sp db.Span) PageRead { return pageOf(page.Len(), page.ID, sp) }

func pageOf(n int, id func(int) linnet.ID, sp db.Span) PageRead {
	l := PageRead{End: n < sp.Limit, Entries: make([]linnet.Entry, n)}
	for i := range l.Entries {
		l.Entries[i].ID = id(i)
	}
	l.Reach(sp.Asc)
	return l
}

// PublicPageOf is like PageOf, for timelines that are the same for all users.
func PublicPageOf(ids []linnet.ID, sp db.Span) PageRead {
	l := PageOf(ids, sp)
	l.At = linnet.FilterPublic
	return l
}

// Reach sets how far the read reached to its last entry.
func (l *PageRead) Reach(asc bool) {
	if n := len(l.Entries); n > 0 {
		l.Reached = l.Entries[n-1].ID
		if asc {
			l.Reached = l.Entries[0].ID
		}
	}
}

// Span returns the bounds of a page as status ids.
func Span(p linnet.Page, maximum int) (sp db.Span, err error) {
	if p.Limit == 0 {
		p.Limit = linnet.DefaultPage
	}
	sp.Limit = min(max(p.Limit, 1), maximum)
	if sp.Below, err = p.Max.ID(); err != nil {
		return sp, err
	}
	if sp.Above, err = p.Since.ID(); err != nil {
		return sp, err
	}
	if p.Min != "" {
		sp.Asc = true
		sp.Above, err = p.Min.ID()
	}
	return sp, err
}

package timeline

import (
	"context"

	"linnet/internal/linnet"
	"linnet/internal/store/db"
)

// Entry is an entry that may belong on a page.
type Entry struct {
	Id, Author linnet.ID // author 0: not known yet
}

// PageRead is what one look into a timeline found: candidates, newest first, and how
// far it saw. The next look goes on below reached (rising: above it); end says
// that there is nothing further.
type PageRead struct {
	Cands     []Entry
	Reached   linnet.ID
	End       bool
	Window    []Entry              // of feeds: the candidates and what follows them
	Exclusive []linnet.ID          // the viewer's lists whose members are not to be shown
	At        linnet.FilterContext // which of the viewer's filters apply
	Also      map[linnet.ID]int    // how many reposts of a status were left out for one that follows
}

// Source looks into a timeline: about span.Limit candidates of a span.
type Source func(ctx context.Context, sp db.Span) (PageRead, error)

// ScanMax bounds what one round of a page reads.
const ScanMax = 200 // candidates a round, at most

// LookAt makes a look of ids that were read with a limit.
func LookAt(ids []linnet.ID, sp db.Span) PageRead {
	return lookOf(len(ids), func(i int) linnet.ID { return ids[i] }, sp)
}

// lookIn is lookAt for a page of a feed.
func lookIn(page *db.FeedPage, sp db.Span) PageRead { return lookOf(page.Len(), page.ID, sp) }

func lookOf(n int, id func(int) linnet.ID, sp db.Span) PageRead {
	l := PageRead{End: n < sp.Limit, Cands: make([]Entry, n)}
	for i := range l.Cands {
		l.Cands[i].Id = id(i)
	}
	l.Reach(sp.Asc)
	return l
}

// LookAtPublic is lookAt for timelines that are the same for all.
func LookAtPublic(ids []linnet.ID, sp db.Span) PageRead {
	l := LookAt(ids, sp)
	l.At = linnet.FilterPublic
	return l
}

// Reach takes the last candidate as how far the look saw.
func (l *PageRead) Reach(asc bool) {
	if n := len(l.Cands); n > 0 {
		l.Reached = l.Cands[n-1].Id
		if asc {
			l.Reached = l.Cands[0].Id
		}
	}
}

// Span reads a page's bounds as status ids.
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

package view

import (
	"slices"

	"linnet/internal/linnet"
	"linnet/internal/store/db"
)

// quoteDepth is the depth of loaded quotes: the quoted status, and its own quote, of which only the
// existence is shown.
const quoteDepth = 2

// readable reports whether a viewer can read a status that isn't for group members and whose author
// doesn't block the viewer. m is the relation to the author.
func readable(st *linnet.Status, viewer linnet.ID, m db.ViewerState) bool {
	switch {
	case st.Visibility.Open():
		return true
	case viewer == 0:
		return false
	case st.Author == viewer, st.Visibility == linnet.Private && (m.Follows() || st.QuoteAuthor == viewer):
		return true // quoted authors see the quote and can revoke it
	}
	return slices.ContainsFunc(st.Mentions, func(p linnet.Mention) bool { return p.ID == viewer })
}

// seenThrough returns the state of a quoted status for a viewer who can read it. m is the relation
// to its author. Statuses of silenced users are hidden from users who don't follow them.
func seenThrough(viewer linnet.ID, by *linnet.User, m db.ViewerState) linnet.QuoteState {
	switch {
	case by.Silenced && by.ID != viewer && !m.Follows():
		return linnet.QuoteUnauthorized
	case m.Blocks():
		return linnet.QuoteBlocked
	case m.Mutes():
		return linnet.QuoteMuted
	}
	return linnet.QuoteAccepted
}

// quoteOf returns the quote of a status for the viewer, or nil.
func (l *Loader) quoteOf(st *linnet.Status, depth uint8) *linnet.QuoteView {
	if st.QuoteOf == 0 {
		return nil
	}
	q := &linnet.QuoteView{Nested: depth > 0, State: linnet.QuoteRevoked}
	if st.QuoteRevoked {
		return q
	}
	ref := l.Status(st.QuoteOf)
	if ref == nil || ref.Status == nil {
		q.State = linnet.QuoteDeleted
		return q
	}
	q.State = linnet.QuoteUnauthorized
	by := l.User(ref.Status.Author)
	if by == nil || by.User == nil || by.User.Hidden() || !l.visible(ref.Status) {
		return q
	}
	if q.State = seenThrough(l.Viewer, by.User, l.Relation(by.User.ID)); l.Staff {
		q.State = linnet.QuoteAccepted
	}
	if q.State == linnet.QuoteUnauthorized {
		return q
	}
	q.Of = st.QuoteOf
	if q.Nested {
		return q
	}
	if v, ok := l.unfiltered(st.QuoteOf, depth+1); ok {
		q.Status = &v
	}
	return q
}

// mayQuote reports whether the viewer can quote a status they can read.
func (l *Loader) mayQuote(st *linnet.Status) bool {
	if l.Viewer == 0 || st.Author == l.Viewer {
		return st.LetsQuote(l.Viewer, false)
	}
	m := l.Relation(st.Author)
	return st.LetsQuote(l.Viewer, m.Follows()) && !m.Blocks()
}

package view

import (
	"slices"

	"linnet/internal/linnet"
	"linnet/internal/store/db"
)

// quoteDepth is how deep quotes are loaded: what a status quotes, and what that one quotes,
// of which no more is shown than that it is there.
const quoteDepth = 2

// askQuote asks for what a status quotes.
func (l *Loader) askQuote(st *linnet.Status, depth uint8) {
	if st.Quoting() && depth < quoteDepth {
		l.want(st.QuoteOf, st.QuoteAuthor, depth+1)
	}
}

// readable says whether somebody may read a status that is not for the members of a group,
// and whose author does not block them; m is how they stand to the author.
func readable(st *linnet.Status, viewer linnet.ID, m db.ViewerState) bool {
	switch {
	case st.Visibility <= linnet.Unlisted:
		return true
	case viewer == 0:
		return false
	case st.Author == viewer, st.Visibility == linnet.Private && (m.Follows() || st.QuoteAuthor == viewer):
		return true // whoever is quoted sees where, and can take the quote back
	}
	return slices.ContainsFunc(st.Mentions, func(p linnet.Mention) bool { return p.ID == viewer })
}

// seenThrough says what somebody who may see a quote sees of the status that it quotes, if
// they may read that: m is how they stand to its author. What people whom moderators have
// silenced write is kept from strangers.
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

// quoteOf is what a status quotes as the viewer sees it; nil if it quotes nothing.
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

// mayQuote says whether the viewer may quote a status that they may read.
func (l *Loader) mayQuote(st *linnet.Status) bool {
	if l.Viewer == 0 || st.Author == l.Viewer {
		return st.LetsQuote(l.Viewer, false)
	}
	m := l.Relation(st.Author)
	return st.LetsQuote(l.Viewer, m.Follows()) && !m.Blocks()
}

package live

import (
	"context"

	"linnet/internal/linnet"
	"linnet/internal/view"
)

// compiled returns the filters of the listening user, or nil if there are none. It bypasses the
// cache, which can learn of a change later.
func (l *Listener) compiled(ctx context.Context) (*view.CompiledFilters, error) {
	if l.who.User == 0 {
		return nil, nil
	}
	l.mu.Lock()
	set, changes := l.filters, l.changes
	l.mu.Unlock()
	if set == nil {
		var err error
		if set, err = l.hub.s.st.Inbox.Filters(ctx, l.who.User); err != nil {
			return nil, err
		}
		l.mu.Lock()
		if l.changes == changes {
			l.filters = set
		}
		l.mu.Unlock()
	}
	return view.CompileFilters(set), nil
}

// filtered returns a status with the matches of the listening user's filters. It returns v itself,
// which is shared, if there are none or v is nil.
func (l *Listener) filtered(ctx context.Context, st linnet.Stream, v *linnet.StatusView) (*linnet.StatusView, error) {
	compiled, err := l.compiled(ctx)
	if err != nil || compiled == nil || v == nil {
		return v, err
	}
	at := linnet.FilterPublic
	if personal(st) {
		at = linnet.FilterHome
	}
	own := *v
	own.Quote = ownQuote(v.Quote)
	if v.Repost != nil {
		original := *v.Repost
		original.Quote = ownQuote(original.Quote)
		own.Repost = &original
	}
	compiled.Apply(&own, l.who.User, at, l.hub.s.st.Now())
	return &own, nil
}

// ownQuote returns a copy of a quote, in which matches of one listener's filters can be set.
func ownQuote(q *linnet.QuoteView) *linnet.QuoteView {
	if q == nil || q.Status == nil {
		return q
	}
	own, quoted := *q, *q.Status
	own.Status = &quoted
	return &own
}

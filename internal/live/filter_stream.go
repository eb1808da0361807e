package live

import (
	"context"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/view"
)

// filters tells the apps of a user that the user's filters have changed, and
// reads them anew for the next status.
func (h *hub) filters(ev core.Event) {
	for _, l := range h.all() {
		if l.who.User != ev.To {
			continue
		}
		l.mu.Lock()
		l.filters = nil
		l.changes++
		l.mu.Unlock()
		for _, st := range l.subscribed() {
			if st.Kind == linnet.StreamUser {
				h.send(l, &linnet.StreamEvent{Stream: st, Type: ev.Type})
			}
		}
	}
}

// compiled holds the filters of the listening user ready; nil if there are none.
// They are read past the cache, which may hear of a change later than we.
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

// filtered is a status of the moment with what the listening user's filters find
// in it; v itself, which others share, if that is nothing or v is nil.
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

// ownQuote is a quote in which the filters of one listener may be noted.
func ownQuote(q *linnet.QuoteView) *linnet.QuoteView {
	if q == nil || q.Status == nil {
		return q
	}
	own, quoted := *q, *q.Status
	own.Status = &quoted
	return &own
}

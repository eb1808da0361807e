package live

import (
	"context"
	"slices"

	"linnet/internal/core"
	"linnet/internal/linnet"
)

// readersBatch is the number of readers that a status is loaded for at a time.
const readersBatch = 500

// looksAlike reports whether a new status has the same view for all readers: it has no viewer state
// yet and doesn't quote.
func looksAlike(v *linnet.StatusView) bool {
	return v.Quote == nil && (v.Repost == nil || v.Repost.Quote == nil)
}

// sendEach sends a status to listeners whose streams include it, with each reader's view: edited
// statuses have viewer state, and quotes depend on permissions.
func (h *hub) sendEach(ctx context.Context, listeners []*Listener, ev core.Event, about subject) {
	streams := map[*Listener][]linnet.Stream{}
	var readers []linnet.ID
	for _, l := range listeners {
		if carry := h.carriers(ctx, l, ev, about); len(carry) > 0 {
			streams[l] = carry
			readers = append(readers, l.who.User)
		}
	}
	slices.Sort(readers)
	asked := map[linnet.ID]bool{}
	views := map[linnet.ID]*linnet.StatusView{}
	for some := range slices.Chunk(slices.Compact(readers), readersBatch) {
		found, err := h.s.view.ForReaders(ctx, ev.Status, some)
		if err != nil {
			break
		}
		for _, who := range some {
			asked[who], views[who] = true, found[who]
		}
	}
	told := encoded{}
	for l, carry := range streams {
		if own := views[l.who.User]; own != nil {
			h.sendStatus(ctx, l, carry, ev, own, told)
		} else if !asked[l.who.User] {
			l.Close() // it would miss this event, so the client has to fetch
		}
	}
}

// mayQuote reports whether a listener can quote a new status, as far as its sets show. Users who
// block the author don't receive it.
func (l *Listener) mayQuote(ctx context.Context, v *linnet.StatusView) bool {
	if l.who.User == 0 {
		return false
	}
	st := &v.Status
	if v.Repost != nil {
		st = &v.Repost.Status
	}
	sets, _, err := l.reader(ctx)
	return st.LetsQuote(l.who.User, err == nil && sets.follows.has(st.Author))
}

// quotable returns the two views of a new status that looks alike: for readers who can't quote it
// and for those who can.
func quotable(v *linnet.StatusView) (no, yes *linnet.StatusView) {
	as := func(may bool) *linnet.StatusView {
		own := *v
		if own.MayQuote = may; v.Repost != nil {
			original := *v.Repost
			original.MayQuote = may
			own.Repost = &original
		}
		return &own
	}
	return as(false), as(true)
}

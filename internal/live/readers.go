package live

import (
	"context"
	"slices"

	"linnet/internal/core"
	"linnet/internal/linnet"
)

// readersBatch is for how many readers a status is shown at once.
const readersBatch = 500

// looksAlike reports whether all who hear of a new status see the same of it: nobody has
// done anything with it yet, and it quotes nothing, which each may see otherwise.
func looksAlike(v *linnet.StatusView) bool {
	return v.Quote == nil && (v.Repost == nil || v.Repost.Quote == nil)
}

// tellEach hands a status to those whose streams carry it, as each of them sees it: what is
// edited with what they have done with it before, and of what is quoted no more than they
// may see.
func (h *hub) tellEach(ctx context.Context, listeners []*Listener, ev core.Event, about subject) {
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
	told := told{}
	for l, carry := range streams {
		if own := views[l.who.User]; own != nil {
			h.tellStatus(ctx, l, carry, ev, own, told)
		} else if !asked[l.who.User] {
			l.Close() // it would miss this event: let it fetch
		}
	}
}

// mayQuote says whether a listener may quote what is read in a new status, as far as its
// sets tell: whoever blocks the author does not hear of it.
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

// quotable are the views of a new status that looks alike to all but for whether they may
// quote it: who may not, and who may.
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

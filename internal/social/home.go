package social

import (
	"context"
	"slices"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/store"
)

// keptAge is how long a page may be shown again at most. What somebody changes
// is seen at once; this is for what runs out with time alone.
const keptAge = time.Second

// keptHome is the newest page of a home as it was last shown, with all that it
// follows from: the entries of the feed, and a watch over the records and marks
// that their views were made of. While both are the same, so is the page.
type keptHome struct {
	limit int
	look  look
	watch *store.Watch
	at    time.Time
	page  linnet.Slice[linnet.StatusView]
}

// keptHomeWeight counts what a page holds of its own, and something for the views
// it shares with others, which it keeps from being forgotten.
func keptHomeWeight(_ linnet.ID, k *keptHome) uint32 {
	return uint32(3000 + 16*len(k.look.window) + 1000*len(k.page.Items))
}

// newestHome is Home without bounds. The feed is read each time; to gather and
// judge the entries is most of the work, and is done again only if something has
// changed.
func (s *Service) newestHome(ctx context.Context, me linnet.ID, p linnet.Page) (out linnet.Slice[linnet.StatusView], err error) {
	sp, err := span(p, linnet.MaxPage)
	if err != nil {
		return out, err
	}
	b := &browse{s: s, f: s.home(me)}
	first, err := b.look(ctx, sp)
	if err != nil {
		return out, kvError(err)
	}
	now := s.st.Now()
	if k, ok := s.homes.GetIfPresent(me); ok && k.answers(sp.Limit, &first, now) {
		out = k.page
		out.Items = slices.Clone(out.Items)
		return out, nil
	}
	first.watch = s.st.Watch()
	looks := 0
	out, err = s.page(ctx, me, p, func(ctx context.Context, sp store.Span) (look, error) {
		if looks++; looks == 1 {
			return first, nil
		}
		first.watch.Spoil() // the page follows from more than the first look
		return b.look(ctx, sp)
	}, homeKeep)
	if err == nil && first.watch.Holds() {
		kept := out
		kept.Items = slices.Clone(out.Items)
		s.homes.Set(me, &keptHome{sp.Limit, first, first.watch, now, kept})
	}
	return out, err
}

// answers says whether a look of this moment leads to the page that is kept.
func (k *keptHome) answers(limit int, l *look, now time.Time) bool {
	return limit == k.limit && now.Sub(k.at) < keptAge &&
		l.end == k.look.end && l.reached == k.look.reached && len(l.exclusive) == 0 && len(k.look.exclusive) == 0 &&
		slices.Equal(l.cands, k.look.cands) && slices.Equal(l.window, k.look.window) && k.watch.Holds()
}

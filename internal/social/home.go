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
// follows from: what was found in the feed, or, if that was not all, the entries
// that were found there and elsewhere; and a watch over the records and marks that
// their views were made of. While both are the same, so is the page.
type keptHome struct {
	limit int
	feed  *store.FeedPage // or nil, and
	look  look
	watch *store.Watch
	at    time.Time
	page  linnet.Slice[linnet.StatusView]
}

// keptHomeWeight counts what a page holds of its own, and something for the views
// it shares with others, which it keeps from being forgotten.
func keptHomeWeight(_ linnet.ID, k *keptHome) uint32 {
	return uint32(4000 + 16*len(k.look.window) + 1000*len(k.page.Items))
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
	feed, err := b.askDown(ctx, sp)
	if err != nil {
		return out, kvError(err)
	}
	now := s.st.Now()
	alone := b.alone(feed, sp)
	k, ok := s.homes.GetIfPresent(me)
	ok = ok && k.limit == sp.Limit && now.Sub(k.at) < keptAge && k.watch.Holds()
	if ok && alone && k.feed != nil && k.feed.Same(feed) {
		return k.again(), nil
	}
	first, err := b.lookDown(ctx, sp, feed)
	if err != nil {
		return out, kvError(err)
	}
	if ok && !alone && k.feed == nil && k.look.same(&first) {
		return k.again(), nil
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
		k := &keptHome{limit: sp.Limit, watch: first.watch, at: now, page: out}
		if alone {
			k.feed = feed
		} else {
			k.look = first
		}
		k.page = k.again()
		s.homes.Set(me, k)
	}
	return out, err
}

// alone says whether a falling look follows from what was found in the feed and
// from nothing else.
func (b *browse) alone(page *store.FeedPage, sp store.Span) bool {
	_, need := downSpan(sp)
	return !page.Cold && !page.Filling && (page.Floor == 0 || page.Len() >= need) && len(b.pulled) == 0 && len(b.exclusive) == 0
}

// again is the page for somebody else, who may change what it lists.
func (k *keptHome) again() linnet.Slice[linnet.StatusView] {
	out := k.page
	out.Items = slices.Clone(out.Items)
	return out
}

// same says whether two looks lead to the same page. With exclusive lists it follows
// from more than the look.
func (l *look) same(o *look) bool {
	return l.end == o.end && l.reached == o.reached && len(l.exclusive) == 0 && len(o.exclusive) == 0 &&
		slices.Equal(l.cands, o.cands) && slices.Equal(l.window, o.window)
}

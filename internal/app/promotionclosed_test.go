package app_test

import (
	"slices"
	"testing"

	"linnet/internal/linnet"
)

// A promotion names its promoters, so users who voted only with a boost for their followers are
// not among them, although their votes count. A favourite names its user, and so does a boost
// that is unlisted.
func TestPromotionNamesNoClosedBoosts(t *testing.T) {
	onEngines(t, func(w *world) {
		b := newBallot(w)
		st := w.post(b.ann, "good").ID
		boost := func(by linnet.ID, v linnet.Visibility) {
			w.Helper()
			must(w.Posting.Repost(w.ctx, by, st, &v))(w)
			w.drain()
		}
		both, unlisted := b.voters[4], b.voters[5]
		for _, by := range b.voters[:4] {
			boost(by, linnet.Private)
		}
		boost(both, linnet.Private)
		b.favour(st, both, b.voters[6])
		boost(unlisted, linnet.Unlisted)
		b.favour(st, b.voters[7:12]...)
		promotions := must(w.store.Statuses.PromotionsOf(w.ctx, st))(w)
		if len(promotions) != 1 {
			w.Fatalf("%d promotions", len(promotions))
		}
		p := must(w.View.Status(w.ctx, b.me, promotions[0]))(w)
		named := slices.Clone(p.Promoters)
		for _, by := range b.voters[:4] {
			if slices.Contains(named, by) {
				w.Errorf("%v is named, who boosted for followers only", by)
			}
		}
		for _, by := range []linnet.ID{both, unlisted, b.voters[6]} {
			if !slices.Contains(named, by) {
				w.Errorf("%v is not named: %v", by, named)
			}
		}
		w.tops(b.eve)           // follows only users who boosted for their followers
		w.tops(b.me, "RT good") // follows the author
		for _, v := range w.top(b.me) {
			for _, by := range b.voters[:4] {
				if slices.Contains(v.Promoters, by) {
					w.Errorf("Top names %v", by)
				}
			}
		}
		w.check()
	})
}

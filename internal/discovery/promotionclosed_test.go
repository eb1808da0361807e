package discovery_test

import (
	"slices"
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
)

// A promotion names its promoters, so users who voted only with a boost for their followers are
// not among them, although their votes count. A favourite names its user, and so does a boost
// that is unlisted.
func TestPromotionNamesNoClosedBoosts(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		b := newBallot(w)
		st := w.Post(b.ann, "good").ID
		boost := func(by linnet.ID, v linnet.Visibility) {
			w.Helper()
			apptest.Must(w.Posting.Repost(w.Ctx, by, st, &v))(w)
			w.Drain()
		}
		both, unlisted := b.voters[4], b.voters[5]
		for _, by := range b.voters[:4] {
			boost(by, linnet.Private)
		}
		boost(both, linnet.Private)
		b.favour(st, both, b.voters[6])
		boost(unlisted, linnet.Unlisted)
		b.favour(st, b.voters[7:12]...)
		promotions := apptest.Must(w.Store.Statuses.PromotionsOf(w.Ctx, st))(w)
		if len(promotions) != 1 {
			w.Fatalf("%d promotions", len(promotions))
		}
		p := apptest.Must(w.View.Status(w.Ctx, b.me, promotions[0]))(w)
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
		tops(w, b.eve)           // follows only users who boosted for their followers
		tops(w, b.me, "RT good") // follows the author
		for _, v := range w.Top(b.me) {
			for _, by := range b.voters[:4] {
				if slices.Contains(v.Promoters, by) {
					w.Errorf("Top names %v", by)
				}
			}
		}
		w.Check()
	})
}

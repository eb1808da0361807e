package apptest

import (
	"linnet/internal/linnet"
)

// Ranks reads a ranking to its end, in pages of limit entries.
func (w *World) Ranks(limit int, read func(linnet.RankPage) (linnet.Ranking, error)) (all []linnet.Ranked) {
	w.Helper()
	for p := (linnet.RankPage{Limit: limit}); ; {
		page := Must(read(p))(w)
		all = append(all, page.Items...)
		if page.Next == "" {
			return all
		}
		if len(page.Items) > limit || len(all) > linnet.RankingEntries {
			w.Fatalf("%d on a page of %d, %d together", len(page.Items), limit, len(all))
		}
		p.After = page.Next
	}
}

func (w *World) CatchUp(me linnet.ID) []linnet.Ranked {
	w.Helper()
	return w.Ranks(2, func(p linnet.RankPage) (linnet.Ranking, error) { return w.Feeds.CatchUp(w.Ctx, me, p) })
}

func RankedTexts(all []linnet.Ranked) []string {
	views := make([]linnet.StatusView, len(all))
	for i := range all {
		views[i] = all[i].StatusView
	}
	return Texts(views)
}

package apptest

import (
	"linnet/internal/linnet"
	"linnet/internal/store/db"
)

// TrendingLink is the link whose timeline linkPages reads.
const TrendingLink = "https://news.test/bird"

// Listed reads the stored entries of a public timeline, including hidden statuses.
func (w *World) Listed(name string) []linnet.ID {
	w.Helper()
	sp := db.Span{Limit: 1000}
	switch name {
	case "tag":
		return Must(w.Store.Statuses.Tagged(w.Ctx, []string{"tag"}, sp))(w)
	case "link":
		return Must(w.Store.Statuses.Links.Statuses(w.Ctx, TrendingLink, sp))(w)
	}
	return Must(w.Store.Statuses.Global(w.Ctx, sp))(w)
}

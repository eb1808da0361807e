package ranking

import (
	"net/url"
	"strings"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/web/page"
	"linnet/internal/web/post"
	"linnet/internal/web/ui"
)

// rankedPart is a page of a timeline ordered by score, see [ranked].
type rankedPart struct {
	Rows  []rankedRow
	At    time.Time // time of the ranking
	From  time.Time // start of its period
	First string    // path of the first page; "" on the first page
	More  string    // path of the next page; "" at the end
	Empty ui.Empty
}

// rankedRow is a status and the explanation of its score.
type rankedRow struct {
	*post.Row
	Score string // "" for none
}

// askedRank returns the part of a ranking that the address selects.
func askedRank(c *page.Context) linnet.RankPage {
	return linnet.RankPage{After: linnet.RankCursor(c.Request.URL.Query().Get("cursor"))}
}

// rankedPage returns a page of a ranking.
func rankedPage(c *page.Context, r linnet.Ranking, e ui.Empty) rankedPart {
	p := rankedPart{At: r.At, From: r.From, Empty: e}
	for _, item := range r.Items {
		if len(post.Visible([]linnet.StatusView{item.StatusView})) > 0 {
			p.Rows = append(p.Rows, rankedRow{post.NewRow(c, item.StatusView), scoreLine(c.Lang(), item.Why)})
		}
	}
	if r.Next != "" {
		p.More = c.Request.URL.Path + "?" + url.Values{"cursor": {string(r.Next)}}.Encode()
	}
	if c.Request.URL.Query().Get("cursor") != "" {
		p.First = c.Request.URL.Path
	}
	return p
}

// scoreLine explains a score in a line.
func scoreLine(in *locale.Language, y linnet.Why) string {
	terms := []string{scoreNumber(in, y.Own)}
	for _, t := range []struct {
		n    float64
		what string
	}{{y.Favourites, locale.Mark("%s for favourites")}, {y.Reposts, locale.Mark("%s for boosts")}, {y.Replies, locale.Mark("%s for replies")}} {
		if t.n != 0 {
			terms = append(terms, in.Text(t.what, scoreNumber(in, t.n)))
		}
	}
	line, factors := strings.Join(terms, " + "), ""
	if y.Decay < .995 {
		factors = " × " + in.Text(locale.Mark("%.2f for age"), y.Decay)
	}
	if y.Weight != 1 {
		factors += " × " + in.Text(locale.Mark("%s for source"), scoreNumber(in, y.Weight))
	}
	switch {
	case factors == "" && len(terms) == 1:
		return in.Text(locale.Mark("Score 1: no favourites, boosts or replies yet"))
	case factors != "" && len(terms) > 1:
		line = "(" + line + ")"
	}
	return in.Text(locale.Mark("Score %s = %s"), scoreNumber(in, y.Score), line+factors)
}

// scoreNumber formats a number with one decimal, unless that is 0.
func scoreNumber(in *locale.Language, x float64) string { return in.Decimal(x, 1) }

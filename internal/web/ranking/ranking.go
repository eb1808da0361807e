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

// rankedPart is a page of a timeline in the order of scores, for the part "ranked".
type rankedPart struct {
	Rows  []rankedRow
	At    time.Time // when the order was made
	From  time.Time // start of its period
	First string    // where it begins, "" if this is that page
	More  string    // path of the next page; "" at the end
	Empty ui.Empty
}

// rankedRow is a status, and in a line why it stands where it does.
type rankedRow struct {
	*post.Row
	Score string // "" where it does not matter
}

// unscored is what stands there in the order of time.
func (p rankedPart) unscored() {
	for i := range p.Rows {
		p.Rows[i].Score = ""
	}
}

// askedRank is the part of a ranking that the address names.
func askedRank(c *page.Context) linnet.RankPage {
	return linnet.RankPage{After: linnet.RankCursor(c.Request.URL.Query().Get("cursor"))}
}

// ranked prepares a page of a ranking.
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

// scoreLine says in a line what a score is made of.
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
		return in.Text(locale.Mark("Score 1: no votes yet"))
	case factors != "" && len(terms) > 1:
		line = "(" + line + ")"
	}
	return in.Text(locale.Mark("Score %s = %s"), scoreNumber(in, y.Score), line+factors)
}

// scoreNumber writes a number with one digit behind the point, if that is not 0.
func scoreNumber(in *locale.Language, x float64) string { return in.Decimal(x, 1) }

package mastodon

import (
	"math"
	"net/url"

	"linnet/internal/linnet"
)

// ranking is a page of a timeline that is in the order of scores. docs/own-api.md
// describes it, docs/ranking.md the score.
type ranking struct {
	viewer linnet.ID
	page   linnet.Ranking
}

type rankingTail struct {
	Cursor   *string `json:"cursor"` // null at the end
	AsOf     string  `json:"as_of"`
	Since    string  `json:"since"`
	NewestID *string `json:"newest_id"` // null if there was nothing
	Kept     int     `json:"kept"`
}

// why says why a status stands where it does.
type why struct {
	Score float64 `json:"score"`
	Parts parts   `json:"parts"`
}

// parts: (own + favourites + reblogs + replies) * decay * weight is the score.
type parts struct {
	Own        float64 `json:"own"`
	Favourites float64 `json:"favourites"`
	Reblogs    float64 `json:"reblogs"`
	Replies    float64 `json:"replies"`
	Decay      float64 `json:"decay"`
	Weight     float64 `json:"weight"`
}

func whyOf(y linnet.Why) why {
	return why{rounded(y.Score), parts{rounded(y.Own), rounded(y.Favourites), rounded(y.Reposts), rounded(y.Replies), rounded(y.Decay), rounded(y.Weight)}}
}

// rounded keeps four digits behind the point: more say nothing to people.
func rounded(x float64) float64 { return math.Round(x*1e4) / 1e4 }

func (d ranking) write(a *API, w *buffer) {
	w.text(`{"items":`)
	writeList(w, d.page.Items, func(v *linnet.Ranked) {
		w.text(`{"status":`)
		a.writeStatus(w, &v.StatusView, d.viewer)
		w.text(`,"why":`)
		w.value(whyOf(v.Why))
		w.text("}")
	})
	tail := rankingTail{AsOf: timestamp(d.page.At), Since: timestamp(d.page.From), NewestID: optID(d.page.Newest), Kept: d.page.Kept}
	if d.page.Next != "" {
		next := string(d.page.Next)
		tail.Cursor = &next
	}
	w.text(",")
	w.members(tail)
	w.text("}")
}

// rankPage reads which part of a ranking is asked for.
func rankPage(in *input) linnet.RankPage {
	return linnet.RankPage{After: linnet.RankCursor(in.text("cursor")), Limit: in.page(linnet.DefaultPage, linnet.MaxPage).Limit}
}

// rankingPage answers with a page of a ranking, and names the next in the Link header.
func rankingPage(r *request, page linnet.Ranking, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	if page.Next != "" {
		q := r.URL.Query()
		q.Set("cursor", string(page.Next))
		q.Del(tokenParam)
		next := url.URL{Path: r.URL.Path, RawQuery: q.Encode()}
		r.setHeader("Link", "<"+r.api.base+next.String()+`>; rel="next"`)
	}
	return ranking{r.me(), page}, nil
}

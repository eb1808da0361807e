package wire

import (
	"math"

	"linnet/internal/linnet"
)

// Ranking is a page of a timeline in the order of scores. docs/own-api.md describes it, and
// docs/ranking.md describes the score.
type Ranking struct {
	Viewer linnet.ID
	Page   linnet.Ranking
}

type rankingTail struct {
	Cursor   *string `json:"cursor"` // null at the end
	AsOf     string  `json:"as_of"`
	Since    string  `json:"since"`
	NewestID *string `json:"newest_id"` // null for an empty ranking
	Kept     int     `json:"kept"`
}

// explanation is the score of a status with its parts.
type explanation struct {
	Score float64    `json:"score"`
	Parts scoreParts `json:"parts"`
}

// scoreParts are the parts of a score: (own + favourites + reblogs + replies) * decay * weight.
type scoreParts struct {
	Own        float64 `json:"own"`
	Favourites float64 `json:"favourites"`
	Reblogs    float64 `json:"reblogs"`
	Replies    float64 `json:"replies"`
	Decay      float64 `json:"decay"`
	Weight     float64 `json:"weight"`
}

func explanationOf(y linnet.Why) explanation {
	return explanation{rounded(y.Score), scoreParts{rounded(y.Own), rounded(y.Favourites), rounded(y.Reposts), rounded(y.Replies), rounded(y.Decay), rounded(y.Weight)}}
}

// rounded returns x with four decimals.
func rounded(x float64) float64 { return math.Round(x*1e4) / 1e4 }

func (d Ranking) write(e *Encoder, w *buffer) {
	w.text(`{"items":`)
	writeList(w, d.Page.Items, func(v *linnet.Ranked) {
		w.text(`{"status":`)
		e.writeStatus(w, &v.StatusView, d.Viewer)
		w.text(`,"why":`)
		w.value(explanationOf(v.Why))
		w.text("}")
	})
	tail := rankingTail{AsOf: Timestamp(d.Page.At), Since: Timestamp(d.Page.From), NewestID: OptionalID(d.Page.Newest), Kept: d.Page.Total,
		Cursor: Nullable(string(d.Page.Next))}
	w.text(",")
	w.contents(tail)
	w.text("}")
}

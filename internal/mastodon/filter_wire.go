package mastodon

import (
	"time"

	"linnet/internal/linnet"
)

// filter is the entity Filter.
// https://docs.joinmastodon.org/entities/Filter/
type filter struct {
	filterHead
	Keywords []filterKeyword `json:"keywords"`
	Statuses []filterStatus  `json:"statuses"`
}

// filterHead is a filter as it stands in a FilterResult.
type filterHead struct {
	ID        string   `json:"id"`
	Title     string   `json:"title"`
	Context   []string `json:"context"`
	ExpiresAt *string  `json:"expires_at"`
	Action    string   `json:"filter_action"`
}

// filterKeyword is the entity FilterKeyword.
// https://docs.joinmastodon.org/entities/FilterKeyword/
type filterKeyword struct {
	ID        string `json:"id"`
	Keyword   string `json:"keyword"`
	WholeWord bool   `json:"whole_word"`
}

// filterStatus is the entity FilterStatus.
// https://docs.joinmastodon.org/entities/FilterStatus/
type filterStatus struct {
	ID       string `json:"id"`
	StatusID string `json:"status_id"`
}

// filterResult is the entity FilterResult. What matched nothing is null.
// https://docs.joinmastodon.org/entities/FilterResult/
type filterResult struct {
	Filter   filterHead `json:"filter"`
	Keywords []string   `json:"keyword_matches"`
	Statuses []string   `json:"status_matches"`
}

// oldFilter is the entity V1::Filter, which stands for one keyword.
// https://docs.joinmastodon.org/entities/V1_Filter/
type oldFilter struct {
	ID           string   `json:"id"`
	Phrase       string   `json:"phrase"`
	Context      []string `json:"context"`
	WholeWord    bool     `json:"whole_word"`
	ExpiresAt    *string  `json:"expires_at"`
	Irreversible bool     `json:"irreversible"`
}

func filterOf(v *linnet.Filter) filter {
	return filter{filterHeadOf(v), each(v.Keywords, filterKeywordOf), each(v.Statuses, filterStatusOf)}
}

func filterHeadOf(v *linnet.Filter) filterHead {
	return filterHead{ID: v.ID.String(), Title: v.Title, Context: v.Context.Words(), ExpiresAt: optTime(v.ExpiresAt), Action: v.Action.String()}
}

func filterKeywordOf(v *linnet.FilterKeyword) filterKeyword {
	return filterKeyword{ID: v.ID.String(), Keyword: v.Keyword, WholeWord: v.WholeWord}
}

func filterStatusOf(v *linnet.FilterStatus) filterStatus {
	return filterStatus{ID: v.ID.String(), StatusID: v.Status.String()}
}

func oldFilterOf(f *linnet.Filter, k *linnet.FilterKeyword) oldFilter {
	return oldFilter{ID: k.ID.String(), Phrase: k.Keyword, Context: f.Context.Words(), WholeWord: k.WholeWord,
		ExpiresAt: optTime(f.ExpiresAt), Irreversible: f.Action == linnet.FilterHide}
}

// filteredOf is what a status says of the viewer's filters, mostly [].
func filteredOf(v *linnet.StatusView) []filterResult {
	out := []filterResult{}
	if v.Filtered == nil {
		return out
	}
	for i := range *v.Filtered {
		r := &(*v.Filtered)[i]
		result := filterResult{Filter: filterHeadOf(r.Filter), Keywords: r.Keywords}
		for _, id := range r.Statuses {
			result.Statuses = append(result.Statuses, id.String())
		}
		out = append(out, result)
	}
	return out
}

// optTime is a moment, or null if there is none.
func optTime(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	s := timestamp(t)
	return &s
}

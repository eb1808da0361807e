package wire

import (
	"linnet/internal/linnet"
)

// filter is the entity Filter.
// https://docs.joinmastodon.org/entities/Filter/
type Filter struct {
	filterHead
	Keywords []FilterKeyword `json:"keywords"`
	Statuses []FilterStatus  `json:"statuses"`
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
type FilterKeyword struct {
	ID        string `json:"id"`
	Keyword   string `json:"keyword"`
	WholeWord bool   `json:"whole_word"`
}

// filterStatus is the entity FilterStatus.
// https://docs.joinmastodon.org/entities/FilterStatus/
type FilterStatus struct {
	ID       string `json:"id"`
	StatusID string `json:"status_id"`
}

// filterResult is the entity FilterResult. What matched nothing is null.
// https://docs.joinmastodon.org/entities/FilterResult/
type FilterResult struct {
	Filter   filterHead `json:"filter"`
	Keywords []string   `json:"keyword_matches"`
	Statuses []string   `json:"status_matches"`
}

// oldFilter is the entity V1::Filter, which stands for one keyword.
// https://docs.joinmastodon.org/entities/V1_Filter/
type FilterV1 struct {
	ID           string   `json:"id"`
	Phrase       string   `json:"phrase"`
	Context      []string `json:"context"`
	WholeWord    bool     `json:"whole_word"`
	ExpiresAt    *string  `json:"expires_at"`
	Irreversible bool     `json:"irreversible"`
}

func FilterOf(v *linnet.Filter) Filter {
	return Filter{filterHeadOf(v), Each(v.Keywords, FilterKeywordOf), Each(v.Statuses, FilterStatusOf)}
}

func filterHeadOf(v *linnet.Filter) filterHead {
	return filterHead{ID: v.ID.String(), Title: v.Title, Context: v.Context.Words(), ExpiresAt: OptionalTime(v.ExpiresAt), Action: v.Action.String()}
}

func FilterKeywordOf(v *linnet.FilterKeyword) FilterKeyword {
	return FilterKeyword{ID: v.ID.String(), Keyword: v.Keyword, WholeWord: v.WholeWord}
}

func FilterStatusOf(v *linnet.FilterStatus) FilterStatus {
	return FilterStatus{ID: v.ID.String(), StatusID: v.Status.String()}
}

func FilterV1Of(f *linnet.Filter, k *linnet.FilterKeyword) FilterV1 {
	return FilterV1{ID: k.ID.String(), Phrase: k.Keyword, Context: f.Context.Words(), WholeWord: k.WholeWord,
		ExpiresAt: OptionalTime(f.ExpiresAt), Irreversible: f.Action == linnet.FilterHide}
}

// filteredOf is what a status says of the viewer's filters, mostly [].
func filteredOf(v *linnet.StatusView) []FilterResult {
	out := []FilterResult{}
	if v.Filtered == nil {
		return out
	}
	for i := range *v.Filtered {
		r := &(*v.Filtered)[i]
		result := FilterResult{Filter: filterHeadOf(r.Filter), Keywords: r.Keywords}
		for _, id := range r.Statuses {
			result.Statuses = append(result.Statuses, id.String())
		}
		out = append(out, result)
	}
	return out
}

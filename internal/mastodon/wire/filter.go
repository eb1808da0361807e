package wire

import (
	"linnet/internal/linnet"
)

// Filter is the entity Filter.
// https://docs.joinmastodon.org/entities/Filter/
type Filter struct {
	filterHead
	Keywords []FilterKeyword `json:"keywords"`
	Statuses []FilterStatus  `json:"statuses"`
}

// filterHead is the part of a filter that FilterResult contains.
type filterHead struct {
	ID        string   `json:"id"`
	Title     string   `json:"title"`
	Context   []string `json:"context"`
	ExpiresAt *string  `json:"expires_at"`
	Action    string   `json:"filter_action"`
}

// FilterKeyword is the entity FilterKeyword.
// https://docs.joinmastodon.org/entities/FilterKeyword/
type FilterKeyword struct {
	ID        string `json:"id"`
	Keyword   string `json:"keyword"`
	WholeWord bool   `json:"whole_word"`
}

// FilterStatus is the entity FilterStatus.
// https://docs.joinmastodon.org/entities/FilterStatus/
type FilterStatus struct {
	ID       string `json:"id"`
	StatusID string `json:"status_id"`
}

// FilterResult is the entity FilterResult. Lists without matches are null.
// https://docs.joinmastodon.org/entities/FilterResult/
type FilterResult struct {
	Filter   filterHead `json:"filter"`
	Keywords []string   `json:"keyword_matches"`
	Statuses []string   `json:"status_matches"`
}

// FilterV1 is the entity V1::Filter, which represents one keyword.
// https://docs.joinmastodon.org/entities/V1_Filter/
type FilterV1 struct {
	ID           string   `json:"id"`
	Phrase       string   `json:"phrase"`
	Context      []string `json:"context"`
	WholeWord    bool     `json:"whole_word"`
	ExpiresAt    *string  `json:"expires_at"`
	Irreversible bool     `json:"irreversible"`
}

// FilterOf encodes a filter.
func FilterOf(v *linnet.Filter) Filter {
	return Filter{filterHeadOf(v), Each(v.Keywords, FilterKeywordOf), Each(v.Statuses, FilterStatusOf)}
}

func filterHeadOf(v *linnet.Filter) filterHead {
	return filterHead{ID: v.ID.String(), Title: v.Title, Context: v.Context.Words(), ExpiresAt: OptionalTime(v.ExpiresAt), Action: v.Action.String()}
}

// FilterKeywordOf encodes a keyword of a filter.
func FilterKeywordOf(v *linnet.FilterKeyword) FilterKeyword {
	return FilterKeyword{ID: v.ID.String(), Keyword: v.Keyword, WholeWord: v.WholeWord}
}

// FilterStatusOf encodes a filtered status.
func FilterStatusOf(v *linnet.FilterStatus) FilterStatus {
	return FilterStatus{ID: v.ID.String(), StatusID: v.Status.String()}
}

// FilterV1Of encodes a keyword of a filter as a filter of version 1.
func FilterV1Of(f *linnet.Filter, k *linnet.FilterKeyword) FilterV1 {
	return FilterV1{ID: k.ID.String(), Phrase: k.Keyword, Context: f.Context.Words(), WholeWord: k.WholeWord,
		ExpiresAt: OptionalTime(f.ExpiresAt), Irreversible: f.Action == linnet.FilterHide}
}

// filteredOf encodes the matches of the viewer's filters, mostly [].
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

package record

import (
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// FiltersKey holds all filters of a user, because they are read and compiled together for every
// page of the user.
func FiltersKey(user linnet.ID) kv.Key { return IDKey(KindFilters, user) }

type Filter struct {
	ID       JID                  `json:"id"`
	Title    string               `json:"title"`
	Context  linnet.FilterContext `json:"in"`
	Action   linnet.FilterAction  `json:"action,omitempty"`
	Expires  int64                `json:"expires,omitempty"` // Unix milliseconds
	Keywords []keywordRecord      `json:"keywords,omitempty"`
	Statuses []filteredRecord     `json:"statuses,omitempty"`
}

type keywordRecord struct {
	ID    JID    `json:"id"`
	Text  string `json:"text"`
	Whole bool   `json:"whole,omitempty"`
}

type filteredRecord struct {
	ID     JID `json:"id"`
	Status JID `json:"status"`
}

func EncodeFilters(set *linnet.FilterSet) []byte {
	records := make([]Filter, len(set.Filters))
	for i := range set.Filters {
		f := &set.Filters[i]
		r := Filter{ID: JID(f.ID), Title: f.Title, Context: f.Context, Action: f.Action}
		if !f.ExpiresAt.IsZero() {
			r.Expires = f.ExpiresAt.UnixMilli()
		}
		for _, k := range f.Keywords {
			r.Keywords = append(r.Keywords, keywordRecord{JID(k.ID), k.Keyword, k.WholeWord})
		}
		for _, st := range f.Statuses {
			r.Statuses = append(r.Statuses, filteredRecord{JID(st.ID), JID(st.Status)})
		}
		records[i] = r
	}
	return Encode(records)
}

func DecodeFilters(get *kv.Get) (*linnet.FilterSet, error) {
	set := &linnet.FilterSet{Version: get.Version}
	if get.Version == 0 {
		return set, nil
	}
	var records []Filter
	if err := Decode(get, &records); err != nil {
		return nil, err
	}
	set.Filters = make([]linnet.Filter, len(records))
	for i, r := range records {
		f := linnet.Filter{ID: linnet.ID(r.ID), Title: r.Title, Context: r.Context, Action: r.Action}
		if r.Expires != 0 {
			f.ExpiresAt = time.UnixMilli(r.Expires)
		}
		for _, k := range r.Keywords {
			f.Keywords = append(f.Keywords, linnet.FilterKeyword{ID: linnet.ID(k.ID), Keyword: k.Text, WholeWord: k.Whole})
		}
		for _, st := range r.Statuses {
			f.Statuses = append(f.Statuses, linnet.FilterStatus{ID: linnet.ID(st.ID), Status: linnet.ID(st.Status)})
		}
		set.Filters[i] = f
	}
	return set, nil
}

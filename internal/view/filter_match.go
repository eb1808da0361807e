package view

import (
	"slices"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/text"
)

// CompiledFilters has a user's filters in a form that can be matched. It is built once per version
// of the filters and shared.
type CompiledFilters struct {
	set      *linnet.FilterSet
	keywords *text.Matcher      // of all filters
	from     []int              // index of the first keyword of each filter in it
	named    map[linnet.ID]bool // statuses in a filter
}

// CompileFilters returns the compiled form of filters, or nil if there are none. It compiles each
// version once.
func CompileFilters(set *linnet.FilterSet) *CompiledFilters {
	if set == nil || len(set.Filters) == 0 {
		return nil
	}
	if v, ok := set.Memo.Get().(*CompiledFilters); ok {
		return v
	}
	v := &CompiledFilters{set: set, named: map[linnet.ID]bool{}}
	var words []text.Keyword
	for i := range set.Filters {
		v.from = append(v.from, len(words))
		for _, k := range set.Filters[i].Keywords {
			words = append(words, text.Keyword{Text: k.Keyword, Whole: k.WholeWord})
		}
		for _, st := range set.Filters[i].Statuses {
			v.named[st.Status] = true
		}
	}
	v.keywords = text.NewMatcher(words)
	set.Memo.Set(v)
	return v
}

// Match returns the matches of the filters with a context in a status. repost is the boost by which
// it is shown, or 0.
func (v *CompiledFilters) Match(st *linnet.SharedStatus, repost linnet.ID, at linnet.FilterContext, now time.Time) *[]linnet.FilterResult {
	words := v.keywords.Match(plainOf(st))
	if len(words) == 0 && !v.named[st.ID] && !v.named[repost] {
		return nil
	}
	var out []linnet.FilterResult
	for i := range v.set.Filters {
		f := &v.set.Filters[i]
		r := linnet.FilterResult{Filter: f}
		for ; len(words) > 0 && words[0] < v.from[i]+len(f.Keywords); words = words[1:] {
			r.Keywords = append(r.Keywords, f.Keywords[words[0]-v.from[i]].Keyword)
		}
		for _, named := range f.Statuses {
			if named.Status == st.ID || named.Status == repost {
				r.Statuses = append(r.Statuses, named.Status)
			}
		}
		if (len(r.Keywords) > 0 || len(r.Statuses) > 0) && f.Context&at != 0 && !f.Expired(now) {
			r.Keywords = slices.Compact(r.Keywords)
			out = append(out, r)
		}
	}
	if len(out) == 0 {
		return nil
	}
	return &out
}

// plainOf returns the texts of a status for filters, including its poll and the descriptions of its
// attachments. They are built once per version of the status.
func plainOf(st *linnet.SharedStatus) text.Plain {
	if p, ok := st.Plain.Get().(text.Plain); ok {
		return p
	}
	parts := append(make([]string, 0, 3+linnet.MaxAttachments), st.Warning, st.Text, st.Poll.Text())
	for i := range st.Media {
		parts = append(parts, st.Media[i].Description)
	}
	p := text.FoldPlain(parts...)
	st.Plain.Set(p)
	return p
}

// Apply sets the matches of the viewer's filters in a view, in the original of a boost and in a
// quoted status. It skips statuses of the viewer.
func (v *CompiledFilters) Apply(view *linnet.StatusView, viewer linnet.ID, at linnet.FilterContext, now time.Time) {
	if v == nil {
		return
	}
	for _, of := range [...]*linnet.StatusView{view, view.Repost} {
		if of != nil && of.Quote != nil && of.Quote.Status != nil && of.Quote.Status.Author != viewer {
			of.Quote.Status.Filtered = v.Match(of.Quote.Status.SharedStatus, 0, at, now)
		}
	}
	if view.Repost == nil {
		if view.Author != viewer {
			view.Filtered = v.Match(view.SharedStatus, 0, at, now)
		}
		return
	}
	if view.Repost.Author == viewer {
		return
	}
	view.Repost.Filtered = v.Match(view.Repost.SharedStatus, view.ID, at, now)
	if view.Author != viewer {
		view.Filtered = view.Repost.Filtered
	}
}

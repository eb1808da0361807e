package mastodon

import (
	"context"
	"strings"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/wire"
)

// ofPath answers with what get gives for the id in the path, as show writes it.
func ofPath[T, W any](r *request, get func(ctx context.Context, me, id linnet.ID) (T, error), show func(*T) W) (any, error) {
	id, err := r.pathID()
	if err != nil {
		return nil, err
	}
	v, err := get(r.Context(), r.me(), id)
	if err != nil {
		return nil, err
	}
	return show(&v), nil
}

// endPath answers that what the id in the path names is no more.
func endPath(r *request, end func(ctx context.Context, me, id linnet.ID) error) (any, error) {
	id, err := r.pathID()
	if err != nil {
		return nil, err
	}
	return wire.Empty{}, end(r.Context(), r.me(), id)
}

func (a *API) getFilters(r *request) (any, error) {
	vs, err := a.svc.Reading.Filters(r.Context(), r.me())
	if err != nil {
		return nil, err
	}
	return wire.Each(vs, wire.FilterOf), nil
}

func (a *API) getFilter(r *request) (any, error) {
	return ofPath(r, a.svc.Reading.Filter, wire.FilterOf)
}

func (a *API) createFilter(r *request) (any, error) {
	c, err := filterChange(r.in)
	if err != nil {
		return nil, err
	}
	v, err := a.svc.Reading.CreateFilter(r.Context(), r.me(), c)
	if err != nil {
		return nil, err
	}
	return wire.FilterOf(&v), nil
}

func (a *API) updateFilter(r *request) (any, error) {
	return ofPath(r, func(ctx context.Context, me, id linnet.ID) (linnet.Filter, error) {
		c, err := filterChange(r.in)
		if err != nil {
			return linnet.Filter{}, err
		}
		return a.svc.Reading.UpdateFilter(ctx, me, id, c)
	}, wire.FilterOf)
}

func (a *API) deleteFilter(r *request) (any, error) {
	return endPath(r, a.svc.Reading.DeleteFilter)
}

func filterChange(in *input) (linnet.FilterChange, error) {
	c := linnet.FilterChange{Title: in.optText("title"), Context: filterContext(in), ExpiresIn: expiresIn(in)}
	if word := in.text("filter_action"); word != "" {
		action, ok := linnet.ParseFilterAction(word)
		if !ok {
			in.fault("filter_action", "must be warn, hide or blur")
		}
		c.Action = &action
	}
	rows := in.items("keywords_attributes")
	if len(rows) > 2*linnet.MaxFilterKeywords { // all replaced at once
		in.fault("keywords_attributes", "has too many keywords")
		rows = nil
	}
	known := true
	for _, v := range rows {
		k, ok := keywordChange(in.within("keywords_attributes", v))
		known = known && ok
		if k != (linnet.KeywordChange{}) {
			c.Keywords = append(c.Keywords, k)
		}
	}
	if err := in.err(); err != nil {
		return c, err
	}
	if !known {
		return c, errNotFound()
	}
	return c, nil
}

// keywordChange reads one keyword of a filter; ok is false for an id that no
// keyword can have. A row that a form left empty changes nothing.
func keywordChange(in *input) (c linnet.KeywordChange, ok bool) {
	c = linnet.KeywordChange{Keyword: in.optText("keyword"), WholeWord: in.optFlag("whole_word"), Remove: in.flag("_destroy")}
	if c.ID, ok = in.id("id"); c.ID == 0 && (c.Keyword == nil || strings.TrimSpace(*c.Keyword) == "") && c.WholeWord == nil {
		return linnet.KeywordChange{}, ok
	}
	return c, ok
}

// filterContext reads the places where a filter applies; nil if there is no word
// of them.
func filterContext(in *input) *linnet.FilterContext {
	if !in.has("context") {
		return nil
	}
	var c linnet.FilterContext
	for _, word := range in.texts("context") {
		one, ok := linnet.ParseFilterContext(strings.TrimSpace(word))
		if !ok && strings.TrimSpace(word) != "" {
			in.fault("context", "must be home, notifications, public, thread or account")
		}
		c |= one
	}
	return &c
}

// expiresIn reads a number of seconds. What is null or empty, unlike what is
// absent, means never, and so does 0.
func expiresIn(in *input) *time.Duration {
	if _, sent := in.fields["expires_in"]; !sent {
		return nil
	}
	d := time.Duration(in.number("expires_in")) * time.Second
	return &d
}

// filterPart answers for what hangs on one filter: its keywords or its statuses.
// The pattern cannot name them: it would meet that of /filters/keywords/{id}.
func filterPart(keywords, statuses handler) handler {
	return func(a *API, r *request) (any, error) {
		switch r.PathValue("part") {
		case "keywords":
			return keywords(a, r)
		case "statuses":
			return statuses(a, r)
		}
		return nil, errNotFound()
	}
}

func (a *API) filterKeywords(r *request) (any, error) {
	return ofPath(r, a.svc.Reading.Filter, func(f *linnet.Filter) any { return wire.Each(f.Keywords, wire.FilterKeywordOf) })
}

func (a *API) filterStatuses(r *request) (any, error) {
	return ofPath(r, a.svc.Reading.Filter, func(f *linnet.Filter) any { return wire.Each(f.Statuses, wire.FilterStatusOf) })
}

func (a *API) addFilterKeyword(r *request) (any, error) {
	return ofPath(r, func(ctx context.Context, me, id linnet.ID) (linnet.FilterKeyword, error) {
		c := linnet.KeywordChange{Keyword: r.in.optText("keyword"), WholeWord: r.in.optFlag("whole_word")}
		if err := r.in.err(); err != nil {
			return linnet.FilterKeyword{}, err
		}
		return a.svc.Reading.AddFilterKeyword(ctx, me, id, c)
	}, wire.FilterKeywordOf)
}

func (a *API) getFilterKeyword(r *request) (any, error) {
	return ofPath(r, func(ctx context.Context, me, id linnet.ID) (linnet.FilterKeyword, error) {
		v, _, err := a.svc.Reading.FilterKeyword(ctx, me, id)
		return v, err
	}, wire.FilterKeywordOf)
}

func (a *API) updateFilterKeyword(r *request) (any, error) {
	return ofPath(r, func(ctx context.Context, me, id linnet.ID) (linnet.FilterKeyword, error) {
		c := linnet.KeywordChange{ID: id, Keyword: r.in.optText("keyword"), WholeWord: r.in.optFlag("whole_word")}
		if err := r.in.err(); err != nil {
			return linnet.FilterKeyword{}, err
		}
		v, _, err := a.svc.Reading.UpdateFilterKeyword(ctx, me, c, nil)
		return v, err
	}, wire.FilterKeywordOf)
}

func (a *API) deleteFilterKeyword(r *request) (any, error) {
	return endPath(r, a.svc.Reading.DeleteFilterKeyword)
}

func (a *API) addFilterStatus(r *request) (any, error) {
	return ofPath(r, func(ctx context.Context, me, id linnet.ID) (linnet.FilterStatus, error) {
		status, _ := r.in.id("status_id")
		if err := r.in.err(); err != nil {
			return linnet.FilterStatus{}, err
		}
		return a.svc.Reading.AddFilterStatus(ctx, me, id, status)
	}, wire.FilterStatusOf)
}

func (a *API) getFilterStatus(r *request) (any, error) {
	return ofPath(r, a.svc.Reading.FilterStatus, wire.FilterStatusOf)
}

func (a *API) deleteFilterStatus(r *request) (any, error) {
	return endPath(r, a.svc.Reading.DeleteFilterStatus)
}

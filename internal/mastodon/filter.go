package mastodon

import (
	"context"
	"strings"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
)

func (a *API) getFilters(r *request.Request) (any, error) {
	vs, err := a.svc.Reading.Filters(r.Context(), r.Viewer())
	if err != nil {
		return nil, err
	}
	return wire.Each(vs, wire.FilterOf), nil
}

func (a *API) getFilter(r *request.Request) (any, error) {
	return request.ByID(r, a.svc.Reading.Filter, wire.FilterOf)
}

func (a *API) createFilter(r *request.Request) (any, error) {
	c, err := filterChange(r.In)
	if err != nil {
		return nil, err
	}
	v, err := a.svc.Reading.CreateFilter(r.Context(), r.Viewer(), c)
	if err != nil {
		return nil, err
	}
	return wire.FilterOf(&v), nil
}

func (a *API) updateFilter(r *request.Request) (any, error) {
	return request.ByID(r, func(ctx context.Context, me, id linnet.ID) (linnet.Filter, error) {
		c, err := filterChange(r.In)
		if err != nil {
			return linnet.Filter{}, err
		}
		return a.svc.Reading.UpdateFilter(ctx, me, id, c)
	}, wire.FilterOf)
}

func (a *API) deleteFilter(r *request.Request) (any, error) {
	return request.DoByID(r, a.svc.Reading.DeleteFilter)
}

func filterChange(in *request.Input) (linnet.FilterChange, error) {
	c := linnet.FilterChange{Title: in.OptString("title"), Context: filterContext(in), ExpiresIn: expiresIn(in)}
	if word := in.String("filter_action"); word != "" {
		action, ok := linnet.ParseFilterAction(word)
		if !ok {
			in.Fault("filter_action", "must be warn, hide or blur")
		}
		c.Action = &action
	}
	rows := in.Items("keywords_attributes")
	if len(rows) > 2*linnet.MaxFilterKeywords { // all replaced at once
		in.Fault("keywords_attributes", "has too many keywords")
		rows = nil
	}
	known := true
	for _, v := range rows {
		k, ok := keywordChange(in.Within("keywords_attributes", v))
		known = known && ok
		if k != (linnet.KeywordChange{}) {
			c.Keywords = append(c.Keywords, k)
		}
	}
	if err := in.Err(); err != nil {
		return c, err
	}
	if !known {
		return c, request.ErrNotFound()
	}
	return c, nil
}

// keywordChange reads one keyword of a filter; ok is false for an id that no
// keyword can have. A row that a form left empty changes nothing.
func keywordChange(in *request.Input) (c linnet.KeywordChange, ok bool) {
	c = linnet.KeywordChange{Keyword: in.OptString("keyword"), WholeWord: in.OptFlag("whole_word"), Remove: in.Flag("_destroy")}
	if c.ID, ok = in.ID("id"); c.ID == 0 && (c.Keyword == nil || strings.TrimSpace(*c.Keyword) == "") && c.WholeWord == nil {
		return linnet.KeywordChange{}, ok
	}
	return c, ok
}

// filterContext reads the places where a filter applies; nil if there is no word
// of them.
func filterContext(in *request.Input) *linnet.FilterContext {
	if !in.Has("context") {
		return nil
	}
	var c linnet.FilterContext
	for _, word := range in.Strings("context") {
		one, ok := linnet.ParseFilterContext(strings.TrimSpace(word))
		if !ok && strings.TrimSpace(word) != "" {
			in.Fault("context", "must be home, notifications, public, thread or account")
		}
		c |= one
	}
	return &c
}

// expiresIn reads a number of seconds. What is null or empty, unlike what is
// absent, means never, and so does 0.
func expiresIn(in *request.Input) *time.Duration {
	if _, sent := in.Fields["expires_in"]; !sent {
		return nil
	}
	d := time.Duration(in.Number("expires_in")) * time.Second
	return &d
}

// filterPart answers for what hangs on one filter: its keywords or its statuses.
// The pattern cannot name them: it would meet that of /filters/keywords/{id}.
func (a *API) filterPart(keywords, statuses request.Handler) request.Handler {
	return func(r *request.Request) (any, error) {
		switch r.PathValue("part") {
		case "keywords":
			return keywords(r)
		case "statuses":
			return statuses(r)
		}
		return nil, request.ErrNotFound()
	}
}

func (a *API) filterKeywords(r *request.Request) (any, error) {
	return request.ByID(r, a.svc.Reading.Filter, func(f *linnet.Filter) any { return wire.Each(f.Keywords, wire.FilterKeywordOf) })
}

func (a *API) filterStatuses(r *request.Request) (any, error) {
	return request.ByID(r, a.svc.Reading.Filter, func(f *linnet.Filter) any { return wire.Each(f.Statuses, wire.FilterStatusOf) })
}

func (a *API) addFilterKeyword(r *request.Request) (any, error) {
	return request.ByID(r, func(ctx context.Context, me, id linnet.ID) (linnet.FilterKeyword, error) {
		c := linnet.KeywordChange{Keyword: r.In.OptString("keyword"), WholeWord: r.In.OptFlag("whole_word")}
		if err := r.In.Err(); err != nil {
			return linnet.FilterKeyword{}, err
		}
		return a.svc.Reading.AddFilterKeyword(ctx, me, id, c)
	}, wire.FilterKeywordOf)
}

func (a *API) getFilterKeyword(r *request.Request) (any, error) {
	return request.ByID(r, func(ctx context.Context, me, id linnet.ID) (linnet.FilterKeyword, error) {
		v, _, err := a.svc.Reading.FilterKeyword(ctx, me, id)
		return v, err
	}, wire.FilterKeywordOf)
}

func (a *API) updateFilterKeyword(r *request.Request) (any, error) {
	return request.ByID(r, func(ctx context.Context, me, id linnet.ID) (linnet.FilterKeyword, error) {
		c := linnet.KeywordChange{ID: id, Keyword: r.In.OptString("keyword"), WholeWord: r.In.OptFlag("whole_word")}
		if err := r.In.Err(); err != nil {
			return linnet.FilterKeyword{}, err
		}
		v, _, err := a.svc.Reading.UpdateFilterKeyword(ctx, me, c, nil)
		return v, err
	}, wire.FilterKeywordOf)
}

func (a *API) deleteFilterKeyword(r *request.Request) (any, error) {
	return request.DoByID(r, a.svc.Reading.DeleteFilterKeyword)
}

func (a *API) addFilterStatus(r *request.Request) (any, error) {
	return request.ByID(r, func(ctx context.Context, me, id linnet.ID) (linnet.FilterStatus, error) {
		status, _ := r.In.ID("status_id")
		if err := r.In.Err(); err != nil {
			return linnet.FilterStatus{}, err
		}
		return a.svc.Reading.AddFilterStatus(ctx, me, id, status)
	}, wire.FilterStatusOf)
}

func (a *API) getFilterStatus(r *request.Request) (any, error) {
	return request.ByID(r, a.svc.Reading.FilterStatus, wire.FilterStatusOf)
}

func (a *API) deleteFilterStatus(r *request.Request) (any, error) {
	return request.DoByID(r, a.svc.Reading.DeleteFilterStatus)
}

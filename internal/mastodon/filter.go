package mastodon

import (
	"context"
	"strings"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
	"linnet/internal/reading"
)

// filterHandler handles filters.
// https://docs.joinmastodon.org/methods/filters/
type filterHandler struct {
	reading *reading.Service
}

func (h *filterHandler) routes() []request.Route {
	return []request.Route{
		request.Handle("GET /api/v2/filters", request.User("read:filters"), h.list),
		request.Handle("POST /api/v2/filters", request.User("write:filters"), h.create),
		request.Handle("GET /api/v2/filters/{id}", request.User("read:filters"), h.get),
		request.Handle("PUT /api/v2/filters/{id}", request.User("write:filters"), h.update),
		request.Handle("DELETE /api/v2/filters/{id}", request.User("write:filters"), h.delete),
		request.Handle("GET /api/v2/filters/{id}/{part}", request.User("read:filters"), h.part(h.keywords, h.statuses)),
		request.Handle("POST /api/v2/filters/{id}/{part}", request.User("write:filters"), h.part(h.addKeyword, h.addStatus)),
		request.Handle("GET /api/v2/filters/keywords/{id}", request.User("read:filters"), h.keyword),
		request.Handle("PUT /api/v2/filters/keywords/{id}", request.User("write:filters"), h.updateKeyword),
		request.Handle("DELETE /api/v2/filters/keywords/{id}", request.User("write:filters"), h.deleteKeyword),
		request.Handle("GET /api/v2/filters/statuses/{id}", request.User("read:filters"), h.status),
		request.Handle("DELETE /api/v2/filters/statuses/{id}", request.User("write:filters"), h.deleteStatus),
		request.Handle("GET /api/v1/filters", request.User("read:filters"), h.listV1),
		request.Handle("POST /api/v1/filters", request.User("write:filters"), h.createV1),
		request.Handle("GET /api/v1/filters/{id}", request.User("read:filters"), h.getV1),
		request.Handle("PUT /api/v1/filters/{id}", request.User("write:filters"), h.updateV1),
		request.Handle("DELETE /api/v1/filters/{id}", request.User("write:filters"), h.deleteKeyword),
	}
}

func (h *filterHandler) list(r *request.Request) (any, error) {
	vs, err := h.reading.Filters(r.Context(), r.Viewer())
	if err != nil {
		return nil, err
	}
	return wire.Each(vs, wire.FilterOf), nil
}

func (h *filterHandler) get(r *request.Request) (any, error) {
	return request.ByID(r, h.reading.Filter, wire.FilterOf)
}

func (h *filterHandler) create(r *request.Request) (any, error) {
	c, err := filterChange(r.In)
	if err != nil {
		return nil, err
	}
	v, err := h.reading.CreateFilter(r.Context(), r.Viewer(), c)
	if err != nil {
		return nil, err
	}
	return wire.FilterOf(&v), nil
}

func (h *filterHandler) update(r *request.Request) (any, error) {
	return request.ByID(r, func(ctx context.Context, me, id linnet.ID) (linnet.Filter, error) {
		c, err := filterChange(r.In)
		if err != nil {
			return linnet.Filter{}, err
		}
		return h.reading.UpdateFilter(ctx, me, id, c)
	}, wire.FilterOf)
}

func (h *filterHandler) delete(r *request.Request) (any, error) {
	return request.DoByID(r, h.reading.DeleteFilter)
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
		in.Fault("keywords_attributes", "can have at most %d entries", 2*linnet.MaxFilterKeywords)
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

// keywordChange reads a keyword of a filter. It returns false for an invalid id. An empty row
// changes nothing.
func keywordChange(in *request.Input) (c linnet.KeywordChange, ok bool) {
	c = linnet.KeywordChange{Keyword: in.OptString("keyword"), WholeWord: in.OptFlag("whole_word"), Remove: in.Flag("_destroy")}
	if c.ID, ok = in.ID("id"); c.ID == 0 && (c.Keyword == nil || strings.TrimSpace(*c.Keyword) == "") && c.WholeWord == nil {
		return linnet.KeywordChange{}, ok
	}
	return c, ok
}

// filterContext reads the contexts in which a filter applies. It returns nil if they are absent.
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

// expiresIn reads a number of seconds. A null, empty or zero value means never, and an absent one
// means no change.
func expiresIn(in *request.Input) *time.Duration {
	if _, sent := in.Fields["expires_in"]; !sent {
		return nil
	}
	d := time.Duration(in.Number("expires_in")) * time.Second
	return &d
}

// part handles the keywords or statuses of a filter. A pattern with their names would conflict
// with /filters/keywords/{id}.
func (h *filterHandler) part(keywords, statuses request.Handler) request.Handler {
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

func (h *filterHandler) keywords(r *request.Request) (any, error) {
	return request.ByID(r, h.reading.Filter, func(f *linnet.Filter) any { return wire.Each(f.Keywords, wire.FilterKeywordOf) })
}

func (h *filterHandler) statuses(r *request.Request) (any, error) {
	return request.ByID(r, h.reading.Filter, func(f *linnet.Filter) any { return wire.Each(f.Statuses, wire.FilterStatusOf) })
}

func (h *filterHandler) addKeyword(r *request.Request) (any, error) {
	return request.ByID(r, func(ctx context.Context, me, id linnet.ID) (linnet.FilterKeyword, error) {
		c := linnet.KeywordChange{Keyword: r.In.OptString("keyword"), WholeWord: r.In.OptFlag("whole_word")}
		if err := r.In.Err(); err != nil {
			return linnet.FilterKeyword{}, err
		}
		return h.reading.AddFilterKeyword(ctx, me, id, c)
	}, wire.FilterKeywordOf)
}

func (h *filterHandler) keyword(r *request.Request) (any, error) {
	return request.ByID(r, func(ctx context.Context, me, id linnet.ID) (linnet.FilterKeyword, error) {
		v, _, err := h.reading.FilterKeyword(ctx, me, id)
		return v, err
	}, wire.FilterKeywordOf)
}

func (h *filterHandler) updateKeyword(r *request.Request) (any, error) {
	return request.ByID(r, func(ctx context.Context, me, id linnet.ID) (linnet.FilterKeyword, error) {
		c := linnet.KeywordChange{ID: id, Keyword: r.In.OptString("keyword"), WholeWord: r.In.OptFlag("whole_word")}
		if err := r.In.Err(); err != nil {
			return linnet.FilterKeyword{}, err
		}
		v, _, err := h.reading.UpdateFilterKeyword(ctx, me, c, nil)
		return v, err
	}, wire.FilterKeywordOf)
}

func (h *filterHandler) deleteKeyword(r *request.Request) (any, error) {
	return request.DoByID(r, h.reading.DeleteFilterKeyword)
}

func (h *filterHandler) addStatus(r *request.Request) (any, error) {
	return request.ByID(r, func(ctx context.Context, me, id linnet.ID) (linnet.FilterStatus, error) {
		status, _ := r.In.ID("status_id")
		if err := r.In.Err(); err != nil {
			return linnet.FilterStatus{}, err
		}
		return h.reading.AddFilterStatus(ctx, me, id, status)
	}, wire.FilterStatusOf)
}

func (h *filterHandler) status(r *request.Request) (any, error) {
	return request.ByID(r, h.reading.FilterStatus, wire.FilterStatusOf)
}

func (h *filterHandler) deleteStatus(r *request.Request) (any, error) {
	return request.DoByID(r, h.reading.DeleteFilterStatus)
}

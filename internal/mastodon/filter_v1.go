package mastodon

import (
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
)

// listV1 returns each keyword as a filter, because filters of version 1 have one keyword.
// https://docs.joinmastodon.org/methods/filters/#v1
func (h *filterHandler) listV1(r *request.Request) (any, error) {
	vs, err := h.reading.Filters(r.Context(), r.Viewer())
	if err != nil {
		return nil, err
	}
	out := []wire.FilterV1{}
	for i := range vs {
		for k := range vs[i].Keywords {
			out = append(out, wire.FilterV1Of(&vs[i], &vs[i].Keywords[k]))
		}
	}
	return out, nil
}

func (h *filterHandler) getV1(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	k, f, err := h.reading.FilterKeyword(r.Context(), r.Viewer(), id)
	if err != nil {
		return nil, err
	}
	return wire.FilterV1Of(&f, &k), nil
}

func (h *filterHandler) createV1(r *request.Request) (any, error) {
	k, f := filterChangeV1(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	if k.WholeWord == nil {
		k.WholeWord = new(bool)
	}
	v, err := h.reading.CreateKeywordFilter(r.Context(), r.Viewer(), k, f)
	if err != nil {
		return nil, err
	}
	return wire.FilterV1Of(&v, &v.Keywords[0]), nil
}

func (h *filterHandler) updateV1(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	k, f := filterChangeV1(r.In)
	if k.Keyword != nil && strings.TrimSpace(*k.Keyword) == "" {
		r.In.Fault("phrase", "can't be blank")
	}
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	_, now, err := h.reading.FilterKeyword(r.Context(), r.Viewer(), id)
	if err != nil {
		return nil, err
	}
	if f.Action != nil && (*f.Action == linnet.FilterHide) == (now.Action == linnet.FilterHide) {
		f.Action = nil // this version only knows two of the three actions
	}
	k.ID = id
	keyword, of, err := h.reading.UpdateFilterKeyword(r.Context(), r.Viewer(), k, &f)
	if err != nil {
		return nil, err
	}
	return wire.FilterV1Of(&of, &keyword), nil
}

func filterChangeV1(in *request.Input) (linnet.KeywordChange, linnet.FilterChange) {
	k := linnet.KeywordChange{Keyword: in.OptString("phrase"), WholeWord: in.OptFlag("whole_word")}
	f := linnet.FilterChange{Context: filterContext(in), ExpiresIn: expiresIn(in)}
	if hide := in.OptFlag("irreversible"); hide != nil {
		action := linnet.FilterWarn
		if *hide {
			action = linnet.FilterHide
		}
		f.Action = &action
	}
	return k, f
}

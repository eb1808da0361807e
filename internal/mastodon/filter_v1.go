package mastodon

import (
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
)

// The first version of filters knows filters of one keyword. It serves the
// keywords of the filters of today, each as a filter.
// https://docs.joinmastodon.org/methods/filters/#v1

func (a *API) getOldFilters(r *request.Request) (any, error) {
	vs, err := a.svc.Reading.Filters(r.Context(), r.Viewer())
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

func (a *API) getOldFilter(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	k, f, err := a.svc.Reading.FilterKeyword(r.Context(), r.Viewer(), id)
	if err != nil {
		return nil, err
	}
	return wire.FilterV1Of(&f, &k), nil
}

func (a *API) createOldFilter(r *request.Request) (any, error) {
	k, f := oldFilterChange(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	if k.WholeWord == nil {
		k.WholeWord = new(bool)
	}
	v, err := a.svc.Reading.CreateKeywordFilter(r.Context(), r.Viewer(), k, f)
	if err != nil {
		return nil, err
	}
	return wire.FilterV1Of(&v, &v.Keywords[0]), nil
}

func (a *API) updateOldFilter(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	k, f := oldFilterChange(r.In)
	if k.Keyword != nil && strings.TrimSpace(*k.Keyword) == "" {
		r.In.Fault("phrase", "can't be blank")
	}
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	_, now, err := a.svc.Reading.FilterKeyword(r.Context(), r.Viewer(), id)
	if err != nil {
		return nil, err
	}
	if f.Action != nil && (*f.Action == linnet.FilterHide) == (now.Action == linnet.FilterHide) {
		f.Action = nil // this version knows two of three actions, and is not to change the third
	}
	k.ID = id
	keyword, of, err := a.svc.Reading.UpdateFilterKeyword(r.Context(), r.Viewer(), k, &f)
	if err != nil {
		return nil, err
	}
	return wire.FilterV1Of(&of, &keyword), nil
}

func oldFilterChange(in *request.Input) (linnet.KeywordChange, linnet.FilterChange) {
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

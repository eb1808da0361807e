package mastodon

import (
	"cmp"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
)

// quotedID reads the id of the quoted status. Other servers call the parameter quote_id.
func quotedID(in *request.Input) (linnet.ID, bool) {
	id, ok := in.ID("quoted_status_id")
	if id != 0 || !ok {
		return id, ok
	}
	return in.ID("quote_id")
}

// quotePolicy parses a quote policy. It returns nil if it is absent.
func quotePolicy(in *request.Input, name string) *linnet.QuotePolicy {
	word := in.String(name)
	if word == "" {
		return nil
	}
	p, ok := linnet.ParseQuotePolicy(word)
	if !ok {
		in.Fault(name, "must be public, followers or nobody")
	}
	return &p
}

func (h *statusHandler) quotes(r *request.Request) (any, error) {
	id, err := r.PathID()
	p := request.TimelinePage(r.In)
	if err = cmp.Or(err, r.In.Err()); err != nil {
		return nil, err
	}
	s, err := h.reading.Quotes(r.Context(), r.Viewer(), id, p)
	return request.Statuses(r, s, err)
}

func (h *statusHandler) revokeQuote(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	quoting, ok := linnet.ParseID(r.PathValue("quoting"))
	if !ok {
		return nil, request.ErrNotFound()
	}
	v, err := h.posting.RevokeQuote(r.Context(), r.Viewer(), id, quoting)
	if err != nil {
		return nil, err
	}
	return wire.OneStatus{Viewer: r.Viewer(), View: &v}, nil
}

func (h *statusHandler) setInteractionPolicy(r *request.Request) (any, error) {
	id, err := r.PathID()
	p := quotePolicy(r.In, "quote_approval_policy")
	if p == nil {
		r.In.Fault("quote_approval_policy", "must be public, followers or nobody")
	}
	if err = cmp.Or(err, r.In.Err()); err != nil {
		return nil, err
	}
	v, err := h.posting.SetQuotePolicy(r.Context(), r.Viewer(), id, *p)
	if err != nil {
		return nil, err
	}
	return wire.OneStatus{Viewer: r.Viewer(), View: &v}, nil
}

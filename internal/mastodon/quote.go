package mastodon

import (
	"cmp"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/wire"
)

// quotedID reads which status a new one quotes; quote_id is what other servers call it.
func quotedID(in *input) (linnet.ID, bool) {
	id, ok := in.id("quoted_status_id")
	if id != 0 || !ok {
		return id, ok
	}
	return in.id("quote_id")
}

// quotePolicy reads who may quote a status, nil if nothing is said.
func quotePolicy(in *input, name string) *linnet.QuotePolicy {
	word := in.text(name)
	if word == "" {
		return nil
	}
	p, ok := linnet.ParseQuotePolicy(word)
	if !ok {
		in.fault(name, "must be public, followers or nobody")
	}
	return &p
}

func (a *API) statusQuotes(r *request) (any, error) {
	id, err := r.pathID()
	p := timelinePage(r.in)
	if err = cmp.Or(err, r.in.err()); err != nil {
		return nil, err
	}
	s, err := a.svc.Reading.Quotes(r.Context(), r.me(), id, p)
	return a.statuses(r, s, err)
}

func (a *API) revokeQuote(r *request) (any, error) {
	id, err := r.pathID()
	if err != nil {
		return nil, err
	}
	quoting, ok := linnet.ParseID(r.PathValue("quoting"))
	if !ok {
		return nil, errNotFound()
	}
	v, err := a.svc.Posting.RevokeQuote(r.Context(), r.me(), id, quoting)
	if err != nil {
		return nil, err
	}
	return wire.OneStatus{Viewer: r.me(), View: &v}, nil
}

func (a *API) setInteractionPolicy(r *request) (any, error) {
	id, err := r.pathID()
	p := quotePolicy(r.in, "quote_approval_policy")
	if p == nil {
		r.in.fault("quote_approval_policy", "must be public, followers or nobody")
	}
	if err = cmp.Or(err, r.in.err()); err != nil {
		return nil, err
	}
	v, err := a.svc.Posting.SetQuotePolicy(r.Context(), r.me(), id, *p)
	if err != nil {
		return nil, err
	}
	return wire.OneStatus{Viewer: r.me(), View: &v}, nil
}

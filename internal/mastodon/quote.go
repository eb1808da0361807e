package mastodon

import (
	"cmp"
	"html"

	"linnet/internal/linnet"
)

// quote is the entity Quote.
// https://docs.joinmastodon.org/entities/Quote/
type quote struct {
	State  string  `json:"state"`
	Status *status `json:"quoted_status"`
}

// shallowQuote is the entity ShallowQuote: what a quoted status quotes.
// https://docs.joinmastodon.org/entities/ShallowQuote/
type shallowQuote struct {
	State    string  `json:"state"`
	StatusID *string `json:"quoted_status_id"`
}

// quoteApproval is the entity QuoteApproval. Nobody is asked before a quote is made.
// https://docs.joinmastodon.org/entities/QuoteApproval/
type quoteApproval struct {
	Automatic   []string `json:"automatic"`
	Manual      []string `json:"manual"`
	CurrentUser string   `json:"current_user"`
}

// statusQuote are the members of a status that are about quotes.
type statusQuote struct {
	Quote    any           `json:"quote"` // quote, shallowQuote or null
	Approval quoteApproval `json:"quote_approval"`
}

func (a *API) quoteOf(v *linnet.StatusView, viewer linnet.ID) any {
	q := v.Quote
	switch {
	case q == nil:
		return nil
	case q.Nested:
		return shallowOf(q)
	case q.Status == nil:
		return quote{State: string(q.State)}
	}
	st := a.status(q.Status, viewer)
	return quote{string(q.State), &st}
}

func shallowOf(q *linnet.QuoteView) shallowQuote {
	out := shallowQuote{State: string(q.State)}
	if q.State == linnet.QuoteAccepted {
		out.StatusID = optID(q.Of)
	}
	return out
}

// approvalOf says who may quote a status; of a repost, the original.
func approvalOf(v *linnet.StatusView) quoteApproval {
	st, out := &v.Status, quoteApproval{Automatic: []string{}, Manual: []string{}, CurrentUser: "denied"}
	if v.Repost != nil {
		st = &v.Repost.Status
	}
	if p := st.Quoters(); p != linnet.QuoteNobody {
		out.Automatic = []string{p.String()}
	}
	if v.MayQuote {
		out.CurrentUser = "automatic"
	}
	return out
}

// writeApproval appends what approvalOf is.
func writeApproval(w *buffer, v *linnet.StatusView) {
	st := &v.Status
	if v.Repost != nil {
		st = &v.Repost.Status
	}
	w.text(`{"automatic":[`)
	switch st.Quoters() {
	case linnet.QuotePublic:
		w.text(`"public"`)
	case linnet.QuoteFollowers:
		w.text(`"followers"`)
	}
	if v.MayQuote {
		w.text(`],"manual":[],"current_user":"automatic"}`)
	} else {
		w.text(`],"manual":[],"current_user":"denied"}`)
	}
}

// writeQuote appends what statusQuote is as members, with a comma before them.
func (a *API) writeQuote(w *buffer, v *linnet.StatusView, viewer linnet.ID) {
	w.text(`,"quote":`)
	switch q := v.Quote; {
	case q == nil:
		w.text("null")
	case q.Nested:
		w.value(shallowOf(q))
	case q.Status == nil:
		w.value(quote{State: string(q.State)})
	default:
		w.text(`{"state":`)
		w.value(q.State)
		w.text(`,"quoted_status":`)
		a.writeStatus(w, q.Status, viewer)
		w.text("}")
	}
	w.text(`,"quote_approval":`)
	writeApproval(w, v)
}

// quoteInline is the paragraph by which apps that know nothing of quotes lead to what is
// quoted; "" if there is none.
// https://docs.joinmastodon.org/methods/statuses/#create
func quoteInline(v *linnet.StatusView) string {
	url := html.EscapeString(v.QuoteLink())
	if url == "" {
		return ""
	}
	return `<p class="quote-inline">RE: <a href="` + url + `" rel="nofollow noopener" target="_blank">` + url + `</a></p>`
}

// writeQuoteInline appends it within the text of a status.
func writeQuoteInline(w *buffer, v *linnet.StatusView) {
	if v.Quote == nil {
		return
	}
	if s := quoteInline(v); s != "" {
		start := len(w.b)
		w.value(s)
		w.b = append(w.b[:start], w.b[start+1:len(w.b)-1]...) // without the quotation marks
	}
}

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
	return oneStatus{r.me(), &v}, nil
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
	return oneStatus{r.me(), &v}, nil
}

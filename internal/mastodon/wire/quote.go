package wire

import (
	"html"

	"linnet/internal/linnet"
)

// Quote is the entity Quote.
// https://docs.joinmastodon.org/entities/Quote/
type Quote struct {
	State  string  `json:"state"`
	Status *Status `json:"quoted_status"`
}

// ShallowQuote is the entity ShallowQuote, for the quote of a quoted status.
// https://docs.joinmastodon.org/entities/ShallowQuote/
type ShallowQuote struct {
	State    string  `json:"state"`
	StatusID *string `json:"quoted_status_id"`
}

// QuoteApproval is the entity QuoteApproval. Quotes are never approved manually.
// https://docs.joinmastodon.org/entities/QuoteApproval/
type QuoteApproval struct {
	Automatic   []string `json:"automatic"`
	Manual      []string `json:"manual"`
	CurrentUser string   `json:"current_user"`
}

// statusQuote contains the members of a status about quotes.
type statusQuote struct {
	Quote    any           `json:"quote"` // Quote, ShallowQuote or null
	Approval QuoteApproval `json:"quote_approval"`
}

func (e *Encoder) quote(v *linnet.StatusView, viewer linnet.ID) any {
	q := v.Quote
	switch {
	case q == nil:
		return nil
	case q.Nested:
		return shallowOf(q)
	case q.Status == nil:
		return Quote{State: string(q.State)}
	}
	st := e.Status(q.Status, viewer)
	return Quote{string(q.State), &st}
}

func shallowOf(q *linnet.QuoteView) ShallowQuote {
	out := ShallowQuote{State: string(q.State)}
	if q.State == linnet.QuoteAccepted {
		out.StatusID = OptionalID(q.Of)
	}
	return out
}

// approvalOf returns the quote policy of a status. A boost has the policy of the original.
func approvalOf(v *linnet.StatusView) QuoteApproval {
	st, out := &v.Status, QuoteApproval{Automatic: []string{}, Manual: []string{}, CurrentUser: "denied"}
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

// writeApproval appends the JSON of approvalOf.
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

// writeQuote appends the members of statusQuote with a leading comma.
func (e *Encoder) writeQuote(w *buffer, v *linnet.StatusView, viewer linnet.ID) {
	w.text(`,"quote":`)
	switch q := v.Quote; {
	case q == nil:
		w.text("null")
	case q.Nested:
		w.value(shallowOf(q))
	case q.Status == nil:
		w.value(Quote{State: string(q.State)})
	default:
		w.text(`{"state":`)
		w.value(q.State)
		w.text(`,"quoted_status":`)
		e.writeStatus(w, q.Status, viewer)
		w.text("}")
	}
	w.text(`,"quote_approval":`)
	writeApproval(w, v)
}

// quoteInline returns a paragraph with a link to the quoted status, or "". Apps without support
// for quotes show it.
// https://docs.joinmastodon.org/methods/statuses/#create
func quoteInline(v *linnet.StatusView) string {
	url := html.EscapeString(v.QuoteLink())
	if url == "" {
		return ""
	}
	return `<p class="quote-inline">RE: <a href="` + url + `" rel="nofollow noopener" target="_blank">` + url + `</a></p>`
}

// writeQuoteInline appends quoteInline within the content of a status.
func writeQuoteInline(w *buffer, v *linnet.StatusView) {
	if v.Quote == nil {
		return
	}
	if s := quoteInline(v); s != "" {
		w.contents(s)
	}
}

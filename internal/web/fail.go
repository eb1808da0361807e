package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"strconv"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/locale"
)

// httpError is an error of a request that no service sees. Its texts are English constants that are
// translated when they are shown. msg can have values. said is used instead of msg if it is already
// in the reader's language.
type httpError struct {
	code int
	head string // "": what the code is called
	msg  string
	args []any // values of msg
	said string
	back string // path that leads on; "" is the landing page
	text string // of the link there
}

func (e *httpError) Error() string {
	if e.said != "" {
		return e.said
	}
	return fmt.Sprintf(e.msg, e.args...)
}

// foreignForm refuses a form that did not come from a page given to this browser; msg is a text.
func foreignForm(r *http.Request, msg string) error {
	return &httpError{code: http.StatusForbidden, back: r.URL.RequestURI(), text: "Reload the page",
		msg: msg}
}

// failure is what an error page shows.
type failure struct {
	Code      int
	Heading   string
	Text      string
	Back      string // path of the way out
	BackText  string
	RequestID string
	Typed     []typedText // of the form that was not accepted
}

// heading names a code that a page is answered with.
func heading(code int) string {
	switch code {
	case http.StatusBadRequest:
		return locale.Mark("Invalid request")
	case http.StatusUnauthorized:
		return locale.Mark("Log in to continue")
	case http.StatusForbidden:
		return locale.Mark("You can't do that")
	case http.StatusNotFound:
		return locale.Mark("Page not found")
	case http.StatusMethodNotAllowed:
		return locale.Mark("That isn't possible here")
	case http.StatusGone:
		return locale.Mark("No longer valid")
	case http.StatusRequestEntityTooLarge:
		return locale.Mark("Too much data")
	case http.StatusUnprocessableEntity:
		return locale.Mark("That can't be accepted")
	case http.StatusTooManyRequests:
		return locale.Mark("Too many attempts")
	case http.StatusServiceUnavailable:
		return locale.Mark("Temporarily unavailable")
	}
	return locale.Mark("Something went wrong")
}

// codeOf is the code for one of social's refusals.
func codeOf(k linnet.Kind) int {
	switch k {
	case linnet.Invalid, linnet.Conflict:
		return http.StatusUnprocessableEntity
	case linnet.Unauthenticated, linnet.Forbidden:
		return http.StatusForbidden
	case linnet.NotFound:
		return http.StatusNotFound
	case linnet.TooMany:
		return http.StatusTooManyRequests
	case linnet.Unavailable, linnet.Full:
		return http.StatusServiceUnavailable
	case linnet.Gone:
		return http.StatusGone
	}
	return http.StatusInternalServerError
}

// fail answers with the page for err, and logs it if the fault is ours.
func (c *call) fail(err error) {
	f := failure{Back: "/", BackText: c.tr("Go to the front page"), RequestID: c.id, Typed: c.typedTexts()}
	var he *httpError
	var le *linnet.Error
	switch {
	case errors.As(err, &he):
		f.Code, f.Heading, f.Text = he.code, c.tr(he.head), he.said
		if f.Text == "" {
			f.Text = c.tr(he.msg, he.args...)
		}
		if he.back != "" {
			f.Back, f.BackText = he.back, c.tr(he.text)
		}
	case isKind(err, linnet.NotFound):
		// The same text for missing, deleted and invisible pages.
		f.Code, f.Text = http.StatusNotFound, c.tr("This page doesn't exist, or you can't see it.")
	case errors.As(err, &le) && le.Kind != linnet.Internal:
		f.Code, f.Text = codeOf(le.Kind), c.told(le)
		if le.Kind == linnet.TooMany {
			f.Text = c.wait(le.RetryAfter)
		}
		retryAfter(c.w.Header(), le)
	case errors.Is(err, context.DeadlineExceeded):
		f.Code = http.StatusServiceUnavailable
		retryAfter(c.w.Header(), &linnet.Error{Kind: linnet.Unavailable})
	default:
		f.Code = http.StatusInternalServerError
	}
	if f.Heading == "" {
		f.Heading = c.tr(heading(f.Code))
	}
	if f.Text == "" {
		f.Text = c.tr(ourFault(f.Code))
	}
	c.log(f.Code, err)
	c.mayGoTo, c.shared = "", false
	p := page{Title: f.Heading, Body: errorView(f), Bare: f.Code >= 500}
	err = c.render(f.Code, p)
	if err != nil && !p.Bare { // the data around the page can't be read
		p.Bare = true
		err = c.render(f.Code, p)
	}
	if err != nil {
		c.log(http.StatusInternalServerError, err)
		http.Error(c.w, "", http.StatusInternalServerError)
	}
}

// ourFault returns the advice for codes of 500 and above. The cause isn't shown, but the request id
// finds it in the log.
func ourFault(code int) string {
	if code == http.StatusServiceUnavailable {
		return locale.Mark("The server can't reach its store, or can't save anything right now. Please try again in a moment.")
	}
	return locale.Mark("Try again. If the problem continues, contact the administrators and give them the number below.")
}

// log logs internal errors, once. A disconnected client isn't one.
func (c *call) log(code int, err error) {
	if code < 500 || c.r.Context().Err() != nil && errors.Is(err, context.Canceled) {
		return
	}
	c.svc.Moderation.NoteFault()
	c.opts.Log.LogAttrs(c.r.Context(), slog.LevelError, "page failed", slog.Int("code", code),
		slog.String("method", c.r.Method), slog.String("route", c.pattern),
		slog.String("request_id", c.id), slog.Any("err", err))
}

// retryAfter says when it makes sense to come back, in whole seconds.
func retryAfter(h http.Header, e *linnet.Error) {
	if e.Kind != linnet.TooMany && e.Kind != linnet.Unavailable {
		return
	}
	wait := e.RetryAfter
	if wait <= 0 {
		wait = time.Second
	}
	h.Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
}

// wait asks the reader to wait for a time.
func (c *call) wait(d time.Duration) string {
	switch n, unit := linnet.RoundWait(d); unit {
	case time.Hour:
		return c.trn(n, "Please wait %s hour and try again.", "Please wait %s hours and try again.")
	case time.Minute:
		return c.trn(n, "Please wait %s minute and try again.", "Please wait %s minutes and try again.")
	default:
		return c.trn(n, "Please wait %s second and try again.", "Please wait %s seconds and try again.")
	}
}

// refusal is what social says against an act, nil if the fault is ours.
func refusal(err error) *linnet.Error {
	var e *linnet.Error
	if !errors.As(err, &e) || e.Kind == linnet.Internal {
		return nil
	}
	return e
}

package page

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/web/paths"
)

// Error is an error of a page itself, not of a service. Its texts are English constants that are
// translated when they are shown. Msg can contain verbs for Args. Localized replaces Msg if the
// text is already in the reader's language.
type Error struct {
	Code      int
	Heading   string // "" for the name of the code
	Msg       string
	Args      []any // values of Msg
	Localized string
	Back      string // path of the link on the error page; "" for the landing page
	BackText  string // text of that link
}

// Error returns the text, in English unless it is localized.
func (e *Error) Error() string {
	if e.Localized != "" {
		return e.Localized
	}
	return fmt.Sprintf(e.Msg, e.Args...)
}

// ForeignForm returns the error for a form that wasn't submitted from a page in this browser.
func ForeignForm(r *http.Request, msg string) error {
	return &Error{Code: http.StatusForbidden, Back: r.URL.RequestURI(), BackText: "Reload the page",
		Msg: msg}
}

// failure is the content of an error page.
type failure struct {
	Code      int
	Heading   string
	Text      string
	Back      string // path of the link
	BackText  string
	RequestID string
	Typed     []TypedText // of the refused form
}

// heading returns the heading of an error page with a status code.
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
		return locale.Mark("Action not available")
	case http.StatusGone:
		return locale.Mark("No longer valid")
	case http.StatusRequestEntityTooLarge:
		return locale.Mark("Too much data")
	case http.StatusUnprocessableEntity:
		return locale.Mark("Invalid input")
	case http.StatusTooManyRequests:
		return locale.Mark("Too many attempts")
	case http.StatusServiceUnavailable:
		return locale.Mark("Temporarily unavailable")
	}
	return locale.Mark("Something went wrong")
}

// StatusCode returns the HTTP status code for a kind of error.
func StatusCode(k linnet.Kind) int {
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

// fail renders the page for err, and logs internal errors.
func fail(c *Context, err error) {
	f := failure{Back: "/", BackText: c.Tr("Go to the front page"), RequestID: c.RequestID, Typed: TypedTexts(c, c.Request.PostForm)}
	var he *Error
	var le *linnet.Error
	var fe FieldErrors
	switch {
	case errors.As(err, &he):
		f.Code, f.Heading, f.Text = he.Code, c.Tr(he.Heading), he.Localized
		if f.Text == "" {
			f.Text = c.Tr(he.Msg, he.Args...)
		}
		if he.Back != "" {
			f.Back, f.BackText = he.Back, c.Tr(he.BackText)
		}
	case IsKind(err, linnet.NotFound):
		// The same text for missing, deleted and invisible pages.
		f.Code, f.Text = http.StatusNotFound, c.Tr("This page doesn't exist, or you can't see it.")
	case errors.As(err, &le) && le.Kind != linnet.Internal:
		f.Code, f.Text = StatusCode(le.Kind), c.ErrorText(le)
		if le.Kind == linnet.TooMany {
			f.Text = c.WaitText(le.RetryAfter)
		}
		SetRetryAfter(c.Writer.Header(), le)
	case errors.Is(err, context.DeadlineExceeded):
		f.Code = http.StatusServiceUnavailable
		SetRetryAfter(c.Writer.Header(), &linnet.Error{Kind: linnet.Unavailable})
	case errors.As(err, &fe): // the page doesn't show the form that was submitted
		f.Code, f.Text = http.StatusUnprocessableEntity, strings.Join(slices.Compact(slices.Sorted(maps.Values(fe))), " ")
	default:
		f.Code = http.StatusInternalServerError
	}
	if f.Heading == "" {
		f.Heading = c.Tr(heading(f.Code))
	}
	if f.Text == "" {
		// The cause isn't shown, but the request id finds it in the log.
		f.Text = c.Tr("Try again. If the problem continues, contact the administrators and give them the number below.")
		if f.Code == http.StatusServiceUnavailable {
			f.Text = c.Tr("The server can't reach its store, or can't save anything right now. Please try again in a moment.")
		}
	}
	c.LogError(f.Code, err)
	c.FormTargets, c.Shared = "", false
	p := Page{Title: f.Heading, Body: errorView(f), Bare: f.Code >= 500}
	err = c.Render(f.Code, p)
	if err != nil && !p.Bare { // the data around the page can't be read
		p.Bare = true
		err = c.Render(f.Code, p)
	}
	if err != nil {
		c.LogError(http.StatusInternalServerError, err)
		http.Error(c.Writer, "", http.StatusInternalServerError)
	}
}

// LogError logs internal errors, once. A disconnected client isn't one.
func (c *Context) LogError(code int, err error) {
	if code < 500 || c.Request.Context().Err() != nil && errors.Is(err, context.Canceled) {
		return
	}
	c.svc.NoteFault()
	c.Opts.Log.LogAttrs(c.Request.Context(), slog.LevelError, "page failed", slog.Int("code", code),
		slog.String("method", c.Request.Method), slog.String("route", c.Pattern),
		slog.String("request_id", c.RequestID), slog.Any("err", err))
}

// SetRetryAfter sets the Retry-After header for rate limits and temporary failures, in whole
// seconds.
func SetRetryAfter(h http.Header, e *linnet.Error) {
	if e.Kind != linnet.TooMany && e.Kind != linnet.Unavailable {
		return
	}
	wait := e.RetryAfter
	if wait <= 0 {
		wait = time.Second
	}
	h.Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
}

// WaitText returns a text that asks the reader to wait for a duration.
func (c *Context) WaitText(d time.Duration) string {
	switch n, unit := linnet.RoundWait(d); unit {
	case time.Hour:
		return c.Trn(n, "Please wait %s hour and try again.", "Please wait %s hours and try again.")
	case time.Minute:
		return c.Trn(n, "Please wait %s minute and try again.", "Please wait %s minutes and try again.")
	default:
		return c.Trn(n, "Please wait %s second and try again.", "Please wait %s seconds and try again.")
	}
}

// Refusal returns the [linnet.Error] in err, or nil if err is an internal error.
func Refusal(err error) *linnet.Error {
	var e *linnet.Error
	if !errors.As(err, &e) || e.Kind == linnet.Internal {
		return nil
	}
	return e
}

// OrNotFound converts errors about names that can't exist into NotFound.
func OrNotFound(err error, doing string) error {
	if IsKind(err, linnet.Invalid) {
		return NotFound()
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// AllowAnyOrigin lets scripts of other sites read the response as visitors see it. Browsers send no
// cookies with such requests.
func (c *Context) AllowAnyOrigin() { c.Writer.Header().Set("Access-Control-Allow-Origin", "*") }

// UnknownPersonPath is the pattern of paths below a profile that have no page.
const UnknownPersonPath = "/@{login}/..."

// ScriptError returns an error whose text the script shows.
func (c *Context) ScriptError(err error) error {
	var e *linnet.Error
	if errors.As(err, &e) && (e.Kind == linnet.Forbidden || e.Kind == linnet.Invalid) {
		return &Error{Code: http.StatusUnprocessableEntity, Localized: c.ErrorText(e), Back: paths.Security, BackText: "Password and security"}
	}
	return err
}

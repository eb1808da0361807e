package request

import (
	"context"
	"errors"
	"net/http"
	"runtime/debug"
	"strconv"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/locale"
)

// Problem is an error with its status code and body. ProblemOf makes it of the errors of services.
// Handlers create it for errors of HTTP and OAuth.
type Problem struct {
	Code       int
	Body       ErrorBody
	Challenge  string // WWW-Authenticate
	retryAfter time.Duration
	limit      int64 // that refused the request, 0 if unknown
}

// ErrorBody is the entity Error, the entity ValidationError, or the error of RFC 6749 section 5.2.
// https://docs.joinmastodon.org/entities/Error/
type ErrorBody struct {
	Error       string                  `json:"error"`
	Description string                  `json:"error_description,omitempty"`
	Details     map[string][]FieldError `json:"details,omitempty"`
}

// FieldError describes an invalid parameter.
// https://docs.joinmastodon.org/entities/ValidationError/
type FieldError struct {
	Error       string `json:"error"`
	Description string `json:"description"`
}

// Error returns the message.
func (p *Problem) Error() string { return p.Body.Error }

// codeOf returns the status code of a kind of error. It returns a fixed sentence for kinds whose
// messages would reveal too much.
func codeOf(kind linnet.Kind) (code int, sentence string) {
	switch kind {
	case linnet.Invalid, linnet.Conflict:
		return http.StatusUnprocessableEntity, ""
	case linnet.Unauthenticated:
		return http.StatusUnauthorized, ""
	case linnet.Forbidden:
		return http.StatusForbidden, ""
	case linnet.NotFound:
		// An invisible object gets the same text as a missing one.
		return http.StatusNotFound, locale.Mark("Record not found")
	case linnet.TooMany:
		return http.StatusTooManyRequests, ""
	case linnet.Unavailable:
		return http.StatusServiceUnavailable, locale.Mark("The server is busy or its store isn't responding. Try again in a moment")
	case linnet.Full:
		return http.StatusInsufficientStorage, locale.Mark("The server refuses writes at the moment. The operator needs to free up space")
	case linnet.Gone:
		return http.StatusGone, ""
	}
	return http.StatusInternalServerError, locale.Mark("Something went wrong on the server. The operator can look up the request id in the log")
}

// ProblemOf converts any error, in the language of the client. Errors of RFC 6749 stay English,
// because section 5.2 requires ASCII.
func ProblemOf(err error, lang *locale.Language) *Problem {
	var p *Problem
	if errors.As(err, &p) {
		if p.Body.Description == "" {
			told := *p
			told.Body.Error = lang.Text(p.Body.Error)
			return &told
		}
		return p
	}
	var e *linnet.Error
	if !errors.As(err, &e) {
		kind := linnet.Internal
		if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
			kind = linnet.Unavailable
		}
		e = &linnet.Error{Kind: kind}
	}
	code, sentence := codeOf(e.Kind)
	if sentence == "" || e.Public {
		sentence = e.In(lang.Say())
	} else {
		sentence = lang.Text(sentence)
	}
	p = &Problem{Code: code, Body: ErrorBody{Error: sentence, Details: detailsOf(e.Fields, lang)}, retryAfter: e.RetryAfter, limit: e.Limit}
	if code == http.StatusUnauthorized {
		p.Challenge = `Bearer realm="Linnet"`
	}
	if p.retryAfter <= 0 && (code == http.StatusServiceUnavailable || code == http.StatusTooManyRequests) {
		p.retryAfter = time.Second
	}
	return p
}

func detailsOf(fields []linnet.Field, lang *locale.Language) map[string][]FieldError {
	if len(fields) == 0 {
		return nil
	}
	details := make(map[string][]FieldError, len(fields))
	for _, f := range fields {
		details[f.Name] = append(details[f.Name], FieldError{f.Code, f.In(lang.Say())})
	}
	return details
}

// Language returns the language in which the client wants error messages.
func Language(r *http.Request) *locale.Language {
	return locale.Preferred(r.Header.Get("Accept-Language"))
}

// Fail sends an error. Internal errors are logged here, and nowhere else.
func (s *Server) Fail(w http.ResponseWriter, r *http.Request, err error) {
	p := ProblemOf(err, Language(r))
	if p.Code >= http.StatusInternalServerError && p.Code != http.StatusNotImplemented && r.Context().Err() == nil {
		s.noteFault()
		s.log.ErrorContext(r.Context(), "request failed", "method", r.Method, "route", r.Pattern,
			"code", p.Code, "request_id", w.Header().Get("X-Request-Id"), "err", err)
	}
	h := w.Header()
	if p.Challenge != "" {
		h.Set("WWW-Authenticate", p.Challenge)
	}
	if p.retryAfter > 0 {
		seconds := int64((p.retryAfter + time.Second - 1) / time.Second)
		h.Set("Retry-After", strconv.FormatInt(seconds, 10))
	}
	if p.Code == http.StatusTooManyRequests {
		s.setRefusal(h, p)
	}
	h.Set("Cache-Control", "no-store")
	h.Add("Vary", "Accept-Language")
	h.Del("Link")
	h.Del("Content-Type")
	s.writeJSON(w, r, p.Code, &p.Body)
}

// RecoverPanic turns a panic into an internal error, so that it does not affect other requests on
// the connection.
func (s *Server) RecoverPanic(w http.ResponseWriter, r *http.Request) {
	v := recover()
	if v == nil {
		return
	}
	if v == http.ErrAbortHandler {
		panic(v)
	}
	s.noteFault()
	s.log.ErrorContext(r.Context(), "request handler panicked", "method", r.Method, "path", r.URL.Path, "value", v,
		"request_id", w.Header().Get("X-Request-Id"), "stack", string(debug.Stack()))
	if w.Header().Get("Content-Type") != "" {
		panic(http.ErrAbortHandler) // the response has started: break it, so that it is not mistaken for a complete one
	}
	p := ProblemOf(nil, Language(r))
	s.writeJSON(w, r, p.Code, &p.Body)
}

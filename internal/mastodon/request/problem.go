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

// problem is an error with its code and body on the wire. It is made here from
// the domain's errors, or directly where the fault is one of HTTP or OAuth.
type Problem struct {
	Code       int
	Body       ErrorBody
	Challenge  string // WWW-Authenticate
	retryAfter time.Duration
	limit      int64 // that refused the request, 0 if it is not known
}

// problemBody is Mastodon's Error and ValidationError entity, and the error of
// RFC 6749 section 5.2.
type ErrorBody struct {
	Error       string                  `json:"error"`
	Description string                  `json:"error_description,omitempty"`
	Details     map[string][]FieldError `json:"details,omitempty"`
}

type FieldError struct {
	Error       string `json:"error"`
	Description string `json:"description"`
}

func (p *Problem) Error() string { return p.Body.Error }

// codeOf gives each kind of error its code, and the sentence that stands in for
// messages which would tell too much.
func codeOf(kind linnet.Kind) (code int, sentence string) {
	switch kind {
	case linnet.Invalid, linnet.Conflict:
		return http.StatusUnprocessableEntity, ""
	case linnet.Unauthenticated:
		return http.StatusUnauthorized, ""
	case linnet.Forbidden:
		return http.StatusForbidden, ""
	case linnet.NotFound:
		// One sentence for all: what may not be seen looks like what is not there.
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
	return http.StatusInternalServerError, locale.Mark("Something went wrong on the server. The operator can find it in the log by its request id")
}

// problemOf turns any error into a problem, told in the language that the client asks for. What
// RFC 6749 defines stays English: its descriptions are ASCII (section 5.2).
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

// asked is the language in which a client wants to be told what went wrong.
func Language(r *http.Request) *locale.Language {
	return locale.Preferred(r.Header.Get("Accept-Language"))
}

// fail answers with an error and logs it if the fault is ours. This is the one
// place that logs.
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

// recoverPanic turns a panic into an internal error, so that one bad request
// does not take its connection's others along.
func (s *Server) RecoverPanic(w http.ResponseWriter, r *http.Request) {
	v := recover()
	if v == nil {
		return
	}
	if v == http.ErrAbortHandler {
		panic(v)
	}
	s.noteFault()
	s.log.ErrorContext(r.Context(), "panic", "method", r.Method, "path", r.URL.Path, "value", v,
		"request_id", w.Header().Get("X-Request-Id"), "stack", string(debug.Stack()))
	if w.Header().Get("Content-Type") != "" {
		panic(http.ErrAbortHandler) // an answer was begun; nobody must take half of it for the whole
	}
	p := ProblemOf(nil, Language(r))
	s.writeJSON(w, r, p.Code, &p.Body)
}

package request

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/mastodon/wire"
)

func TestProblems(t *testing.T) {
	busy := linnet.Errorf(linnet.Unavailable, "store at 10.0.0.1 is away")
	busy.RetryAfter = 1500 * time.Millisecond
	for _, c := range []struct {
		err        error
		code       int
		text       string
		retryAfter string
		logged     bool
	}{
		{linnet.FieldError("username", "ERR_TAKEN", "is taken"), 422, "Validation failed: Username is taken", "", false},
		{linnet.Errorf(linnet.Conflict, "too late"), 422, "too late", "", false},
		{linnet.Errorf(linnet.Unauthenticated, "who?"), 401, "who?", "", false},
		{linnet.Errorf(linnet.Forbidden, "no"), 403, "no", "", false},
		{fmt.Errorf("read: %w", linnet.Errorf(linnet.NotFound, "status 7 is private")), 404, "Record not found", "", false},
		{linnet.Errorf(linnet.Gone, "used up"), 410, "used up", "", false},
		{linnet.Errorf(linnet.TooMany, "slower"), 429, "slower", "1", false},
		{busy, 503, "Try again", "2", true},
		{linnet.Errorf(linnet.Full, "disk"), 507, "refuses writes", "", true},
		{errors.New("secret detail"), 500, "Something went wrong", "", true},
		{fmt.Errorf("x: %w", context.DeadlineExceeded), 503, "Try again", "1", true},
	} {
		var log strings.Builder
		a := &Server{noteFault: func() {}, enc: wire.NewEncoder("", nil), log: slog.New(slog.NewTextHandler(&log, nil)), now: time.Now}
		w := httptest.NewRecorder()
		a.Fail(w, httptest.NewRequest("GET", "/api/v1/x", nil), c.err)
		var body ErrorBody
		if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
			t.Fatal(err)
		}
		if w.Code != c.code || !strings.Contains(body.Error, c.text) || w.Header().Get("Retry-After") != c.retryAfter {
			t.Errorf("%v: %d %q, Retry-After %q", c.err, w.Code, body.Error, w.Header().Get("Retry-After"))
		}
		if strings.Contains(w.Body.String(), "secret") || strings.Contains(w.Body.String(), "10.0.0.1") {
			t.Errorf("%v: the answer tells too much: %s", c.err, w.Body)
		}
		if got := strings.Count(log.String(), "request failed"); (got == 1) != c.logged {
			t.Errorf("%v: logged %d times", c.err, got)
		}
	}
}

func TestProblemDetails(t *testing.T) {
	err := &linnet.Error{Kind: linnet.Invalid, Msg: "no", Fields: []linnet.Field{
		{Name: "username", Code: "ERR_TAKEN", Msg: "is taken"}, {Name: "username", Code: "ERR_INVALID", Msg: "is odd"}}}
	b, _ := json.Marshal(ProblemOf(err, locale.English()).Body)
	want := `{"error":"no","details":{"username":[{"error":"ERR_TAKEN","description":"is taken"},{"error":"ERR_INVALID","description":"is odd"}]}}`
	if string(b) != want {
		t.Errorf("got %s", b)
	}
}

// TestProblemsAreTranslated checks that errors are in the client's language, including their
// values.
func TestProblemsAreTranslated(t *testing.T) {
	busy := &Problem{Code: http.StatusUnauthorized, Body: ErrorBody{Error: "The access token is invalid"}}
	for _, c := range []struct {
		err         error
		accept      string
		text, wants string // wants: what stays
	}{
		{linnet.FieldError("text", "ERR_TOO_LONG", "has %d characters (maximum is %d)", 501, 500), "de-DE,de;q=0.9", "Ungültig: Text: ", "501"},
		{linnet.FieldError("text", "ERR_TOO_LONG", "has %d characters (maximum is %d)", 501, 500), "en", "Validation failed: Text has 501 characters (maximum is 500)", "501"},
		{linnet.Errorf(linnet.Forbidden, "You can't mute yourself."), "ja", "自分", ""},
		{fmt.Errorf("read: %w", linnet.Errorf(linnet.NotFound, "status 7 is private")), "fr", "", ""},
		{busy, "es", "", ""},
		{&Problem{Code: http.StatusBadRequest, Body: ErrorBody{Error: "invalid_grant", Description: "The code is used up."}}, "de", "invalid_grant", ""},
	} {
		got := ProblemOf(c.err, locale.Preferred(c.accept)).Body
		english := ProblemOf(c.err, locale.English()).Body
		oauth := got.Description != ""
		if !strings.HasPrefix(got.Error, c.text) || !strings.Contains(got.Error, c.wants) || got.Error == english.Error && c.accept != "en" && !oauth || got.Description != english.Description {
			t.Errorf("%s: %v: %q", c.accept, c.err, got)
		}
		for name, d := range got.Details {
			if c.accept != "en" && d[0].Description == english.Details[name][0].Description {
				t.Errorf("%s: the detail of %s is %q", c.accept, name, d[0].Description)
			}
		}
	}
}

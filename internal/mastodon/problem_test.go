package mastodon

import (
	"bytes"
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

	"linnet/internal/bird"
	"linnet/internal/linnet"
	"linnet/internal/locale"
)

func TestProblems(t *testing.T) {
	whole, _, _ := newAPI(t)
	busy := linnet.Errorf(linnet.Unavailable, "store at 10.0.0.1 is away")
	busy.RetryAfter = 1500 * time.Millisecond
	for _, c := range []struct {
		err        error
		code       int
		text       string
		retryAfter string
		logged     bool
	}{
		{linnet.FieldError("username", "ERR_TAKEN", "is taken"), 422, "Validation failed: username is taken", "", false},
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
		a := &API{svc: whole.svc, log: slog.New(slog.NewTextHandler(&log, nil)), opts: Options{Now: time.Now}}
		w := httptest.NewRecorder()
		a.fail(w, httptest.NewRequest("GET", "/api/v1/x", nil), c.err)
		var body problemBody
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

// TestUnknownOEmbedFormat checks that formats which Linnet does not write are answered with 501, as
// oEmbed requires, and are not logged as a fault of the server.
func TestUnknownOEmbedFormat(t *testing.T) {
	whole, _, _ := newAPI(t)
	var log strings.Builder
	a := New(whole.svc, Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	for _, format := range []string{"xml", "XML", "yaml", "json%00"} {
		w := httptest.NewRecorder()
		a.ServeHTTP(w, httptest.NewRequest("GET", "/api/oembed?url=https://linnet.test/@ann/1&format="+format, nil))
		if w.Code != 501 || !json.Valid(w.Body.Bytes()) {
			t.Errorf("format=%s: %d %s", format, w.Code, w.Body)
		}
	}
	if log.Len() != 0 {
		t.Errorf("logged: %s", &log)
	}
}

func TestProblemDetails(t *testing.T) {
	err := &linnet.Error{Kind: linnet.Invalid, Msg: "no", Fields: []linnet.Field{
		{Name: "username", Code: "ERR_TAKEN", Msg: "is taken"}, {Name: "username", Code: "ERR_INVALID", Msg: "is odd"}}}
	b, _ := json.Marshal(problemOf(err, locale.English()).body)
	want := `{"error":"no","details":{"username":[{"error":"ERR_TAKEN","description":"is taken"},{"error":"ERR_INVALID","description":"is odd"}]}}`
	if string(b) != want {
		t.Errorf("got %s", b)
	}
}

// TestPanic: a panic is answered as an internal fault, unless an answer was begun.
func TestPanic(t *testing.T) {
	whole, _, _ := newAPI(t)
	a := &API{svc: whole.svc, log: slog.New(slog.DiscardHandler), mux: http.NewServeMux()}
	a.mux.HandleFunc("GET /before", func(http.ResponseWriter, *http.Request) { panic("x") })
	a.mux.HandleFunc("GET /within", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = w.Write([]byte("data"))
		panic("x")
	})
	w := httptest.NewRecorder()
	a.ServeHTTP(w, httptest.NewRequest("GET", "/before", nil))
	if w.Code != 500 || !json.Valid(w.Body.Bytes()) {
		t.Errorf("got %d %s", w.Code, w.Body)
	}
	defer func() {
		if v := recover(); v != http.ErrAbortHandler {
			t.Errorf("recovered %v, want the connection ended", v)
		}
	}()
	a.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/within", nil))
}

func TestPictures(t *testing.T) {
	a, _, _ := newAPI(t)
	seen := map[string]string{}
	for i := range 20 {
		w, name := httptest.NewRecorder(), fmt.Sprintf("ann_%d", i)
		a.ServeHTTP(w, httptest.NewRequest("GET", "/avatars/"+name+".png", nil))
		if w.Code != 200 || w.Header().Get("Content-Type") != "image/png" || !strings.Contains(w.Header().Get("Cache-Control"), "immutable") {
			t.Fatalf("%d %v", w.Code, w.Header())
		}
		if w.Body.Len() > 20_000 {
			t.Errorf("an avatar of %d bytes", w.Body.Len())
		}
		seen[w.Body.String()] = ""
		if w.Body.String() != string(bird.New(name).PNG(avatarSize)) {
			t.Fatal("not the bird that pages show")
		}
	}
	if len(seen) < 20 {
		t.Errorf("20 users have %d pictures", len(seen))
	}
	for _, path := range []string{"/avatars/X.png", "/avatars/7", "/avatars/a-b.png", "/avatars/..%2fx.png"} {
		w := httptest.NewRecorder()
		a.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		if w.Code != 404 || !json.Valid(w.Body.Bytes()) {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	if len(a.banner) > 20_000 {
		t.Errorf("the banner has %d bytes", len(a.banner))
	}
}

// Drawing is bounded: who waits for a turn may go away, and what was drawn is
// drawn once.
func TestAviary(t *testing.T) {
	v := newAviary()
	first, err := v.draw(t.Context(), "ann")
	if err != nil {
		t.Fatal(err)
	}
	for range avatarAtOnce { // everybody is busy
		v.drawing <- struct{}{}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if p, err := v.draw(ctx, "bob"); err == nil {
		t.Errorf("%d bytes were drawn out of turn", len(p))
	}
	if again, ok := v.kept("ann"); !ok || !bytes.Equal(again, first) {
		t.Error("a bird is drawn a second time")
	}
	for range avatarQueue {
		v.waiting <- struct{}{}
	}
	if _, err := v.draw(t.Context(), "eve"); linnet.KindOf(err) != linnet.Unavailable {
		t.Errorf("a full queue: %v", err)
	}
}

// A client is told in its language what went wrong, with the values that it is about.
func TestProblemsAreTranslated(t *testing.T) {
	busy := &problem{code: http.StatusUnauthorized, body: problemBody{Error: "The access token is invalid"}}
	for _, c := range []struct {
		err         error
		accept      string
		text, wants string // wants: what stays
	}{
		{linnet.FieldError("text", "ERR_TOO_LONG", "has %d characters (maximum is %d)", 501, 500), "de-DE,de;q=0.9", "Ungültig: text: ", "501"},
		{linnet.FieldError("text", "ERR_TOO_LONG", "has %d characters (maximum is %d)", 501, 500), "en", "Validation failed: text has 501 characters (maximum is 500)", "501"},
		{linnet.Errorf(linnet.Forbidden, "You can't mute yourself."), "ja", "自分", ""},
		{fmt.Errorf("read: %w", linnet.Errorf(linnet.NotFound, "status 7 is private")), "fr", "", ""},
		{busy, "es", "", ""},
		{oauthError("invalid_grant", "The code is used up."), "de", "invalid_grant", ""},
	} {
		got := problemOf(c.err, locale.Preferred(c.accept)).body
		english := problemOf(c.err, locale.English()).body
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

package web_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/web"
)

// TestFail checks that each error is shown as a page with its status code. Only internal errors are
// logged, once, and pages do not reveal their details.
func TestFail(t *testing.T) {
	w := newWorld(t, loopbackURL)
	wait := &linnet.Error{Kind: linnet.TooMany, Msg: "too many", RetryAfter: 1500 * time.Millisecond}
	for _, tc := range []struct {
		err   error
		code  int
		retry string
	}{
		{fmt.Errorf("x: %w", linnet.Errorf(linnet.Invalid, "no")), 422, ""},
		{linnet.Errorf(linnet.Unauthenticated, "no"), 403, ""},
		{linnet.Errorf(linnet.Forbidden, "no"), 403, ""},
		{linnet.Errorf(linnet.NotFound, "secret"), 404, ""},
		{linnet.Errorf(linnet.Conflict, "no"), 422, ""},
		{linnet.Errorf(linnet.Gone, "no"), 410, ""},
		{wait, 429, "2"},
		{linnet.Errorf(linnet.Unavailable, "down"), 503, "1"},
		{linnet.Errorf(linnet.Full, "full"), 503, ""},
		{fmt.Errorf("x: %w", context.DeadlineExceeded), 503, "1"},
		{linnet.Errorf(linnet.Internal, "secret"), 500, ""},
		{errors.New("secret"), 500, ""},
	} {
		var log bytes.Buffer
		rec := httptest.NewRecorder()
		web.WithPage(w.handler, slog.New(slog.NewTextHandler(&log, nil)), func(context.Context) error { return tc.err }).
			ServeHTTP(rec, httptest.NewRequest("GET", "/x?token=private", nil))
		if rec.Code != tc.code || rec.Header().Get("Retry-After") != tc.retry || !strings.Contains(rec.Body.String(), `href="/"`) {
			t.Errorf("%v: %d, Retry-After %q", tc.err, rec.Code, rec.Header().Get("Retry-After"))
		}
		if strings.Contains(rec.Body.String(), "secret") || strings.Contains(log.String(), "private") {
			t.Errorf("%v: page or log tells too much:\n%s\n%s", tc.err, rec.Body, &log)
		}
		if got := strings.Count(log.String(), "page failed"); got != 1 && tc.code >= 500 || got != 0 && tc.code < 500 {
			t.Errorf("%v: logged %d times: %s", tc.err, got, &log)
		}
	}
}

// TestTooLongIsAPage checks that a request that exceeds its deadline gets an error page.
func TestTooLongIsAPage(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ctx, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	rec := httptest.NewRecorder()
	web.WithPage(w.handler, slog.New(slog.DiscardHandler), func(ctx context.Context) error { return fmt.Errorf("read: %w", ctx.Err()) }).
		ServeHTTP(rec, httptest.NewRequestWithContext(ctx, "GET", "/x", nil))
	if rec.Code != http.StatusServiceUnavailable || !strings.Contains(rec.Body.String(), "Temporarily unavailable") {
		t.Errorf("%d: %s", rec.Code, rec.Body)
	}
}

func TestPanicIsAPage(t *testing.T) {
	w := newWorld(t, loopbackURL)
	var log bytes.Buffer
	rec := httptest.NewRecorder()
	web.WithPage(w.handler, slog.New(slog.NewTextHandler(&log, nil)), func(context.Context) error { panic("oh") }).ServeHTTP(rec, httptest.NewRequest("GET", "/x", nil))
	if rec.Code != http.StatusInternalServerError || strings.Contains(rec.Body.String(), "oh<") || !strings.Contains(log.String(), "panic: oh") {
		t.Errorf("%d %s\n%s", rec.Code, rec.Body, &log)
	}
}

// TestStoreAway checks that pages are still served while the store is unavailable.
func TestStoreAway(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.user("ann")
	in, out := w.browser().logIn("ann"), w.browser()
	out.get("/login")
	out.get("/@ann") // caches that the instance is not private
	if err := w.engine.Close(); err != nil {
		t.Fatal(err)
	}
	for _, a := range []answer{out.get("/"), out.get("/@ann"), in.get("/oauth/authorize?client_id=1&redirect_uri=x:y")} {
		want(t, a, http.StatusServiceUnavailable, "<!doctype html>", `href="/"`, "storage isn't responding")
		if a.Header.Get("Retry-After") == "" {
			t.Error("no Retry-After")
		}
	}
	want(t, out.get("/nowhere"), http.StatusNotFound)
}

package mastodon

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"linnet/internal/bird"
	"linnet/internal/linnet"
)

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

// TestPanic checks that a panic causes a server error, or an interrupted response if that has
// begun.
func TestPanic(t *testing.T) {
	whole, _, _ := newAPI(t)
	a := New(whole.svc, Options{Log: slog.New(slog.DiscardHandler)})
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
	if banner := drawBanner(); len(banner) > 20_000 {
		t.Errorf("the banner has %d bytes", len(banner))
	}
}

// TestAviary checks that drawing is limited, that waiting ends with the request, and that drawings
// are cached.
func TestAviary(t *testing.T) {
	v := newDefaultAvatars()
	first, err := v.draw(t.Context(), "ann")
	if err != nil {
		t.Fatal(err)
	}
	for range avatarAtOnce { // all slots are used
		v.drawing <- struct{}{}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if p, err := v.draw(ctx, "bob"); err == nil {
		t.Errorf("%d bytes were drawn out of turn", len(p))
	}
	if again, ok := v.cached("ann"); !ok || !bytes.Equal(again, first) {
		t.Error("a bird is drawn a second time")
	}
	for range avatarQueue {
		v.waiting <- struct{}{}
	}
	if _, err := v.draw(t.Context(), "eve"); linnet.KindOf(err) != linnet.Unavailable {
		t.Errorf("a full queue: %v", err)
	}
}

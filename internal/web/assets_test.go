package web

import (
	"bytes"
	"compress/gzip"
	"encoding/xml"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"linnet/internal/bird"
)

func TestAssets(t *testing.T) {
	a := loadAssets()
	for _, name := range []string{"style.css", "script.js", "icons.svg"} {
		path := a.path(name)
		rec := httptest.NewRecorder()
		if !a.serve(rec, httptest.NewRequest("GET", path, nil)) || rec.Code != http.StatusOK || rec.Body.Len() == 0 {
			t.Errorf("GET %s: %d, %d bytes", path, rec.Code, rec.Body.Len())
		}
		if h := rec.Header(); !strings.Contains(h.Get("Cache-Control"), "immutable") || h.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("headers of %s: %v", path, h)
		}
		for _, other := range []string{strings.Replace(path, "/assets/", "/assets/0", 1), "/assets/" + name} {
			if a.serve(httptest.NewRecorder(), httptest.NewRequest("GET", other, nil)) {
				t.Errorf("%s is served: it would be kept for ever", other)
			}
		}
	}
	if rec := httptest.NewRecorder(); a.serve(rec, httptest.NewRequest("POST", a.path("style.css"), nil)) {
		t.Error("a file answers POST")
	}
}

// What pages weigh is bounded, as it travels.
func styleIsLight(t *testing.T) {
	a := loadAssets()
	css := a.byPath[a.path("style.css")].body
	if n := zipped(t, css); n > 13<<10 {
		t.Errorf("style.css has %d bytes, %d on the way", len(css), n)
	}
	for _, foreign := range []string{"http:", "https:", "@import", "url("} {
		if strings.Contains(string(css), foreign) {
			t.Errorf("style.css contains %q: pages load nothing from elsewhere", foreign)
		}
	}
}

// zipped is the size of a body as it travels to a browser, in bytes.
func zipped(t *testing.T, body []byte) int {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(body); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Len()
}

func TestFacesArePictures(t *testing.T) {
	w := newWorld(t, loopbackURL)
	b := w.browser()
	one, other := b.get("/faces/ann.svg"), b.get("/faces/bob.svg")
	want(t, one, http.StatusOK, `<svg xmlns="http://www.w3.org/2000/svg"`)
	if one.body == other.body || one.body != b.get("/faces/ann.svg").body {
		t.Error("pictures are alike, or change")
	}
	if h := one.Header; h.Get("Content-Type") != "image/svg+xml" || !strings.Contains(h.Get("Cache-Control"), "immutable") {
		t.Errorf("headers %v", h)
	}
	for i := range 200 {
		if err := xml.Unmarshal(bird.New(strconv.Itoa(i)).SVG(), new(struct{})); err != nil {
			t.Fatalf("bird %d: %v", i, err)
		}
	}
	for _, path := range []string{"/faces/a-b.svg", "/faces/.svg", "/faces/ann.png", "/faces/", "/faces/ann.svg/"} {
		want(t, b.get(path), http.StatusNotFound)
	}
}

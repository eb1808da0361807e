package web

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestAssets(t *testing.T) {
	a := loadAssets()
	for _, name := range []string{"style.css", "logo.svg"} {
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

// What pages weigh is bounded; the limit is for the file as it is, uncompressed.
func TestStyleIsLight(t *testing.T) {
	a := loadAssets()
	css := a.byPath[a.path("style.css")].body
	if len(css) > 16<<10 {
		t.Errorf("style.css has %d bytes", len(css))
	}
	for _, foreign := range []string{"http:", "https:", "@import", "url("} {
		if strings.Contains(string(css), foreign) {
			t.Errorf("style.css contains %q: pages load nothing from elsewhere", foreign)
		}
	}
}

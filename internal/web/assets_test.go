package web_test

import (
	"compress/gzip"
	"encoding/xml"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"linnet/internal/bird"
	"linnet/internal/web/assets"
)

func TestAssets(t *testing.T) {
	w := newWorld(t, loopbackURL)
	b := w.browser()
	for _, name := range []string{"style.css", "script.js", "icons.svg"} {
		path := assets.Path(name)
		a := b.get(path)
		if a.StatusCode != http.StatusOK || a.body == "" {
			t.Errorf("GET %s: %d, %d bytes", path, a.StatusCode, len(a.body))
		}
		if h := a.Header; !strings.Contains(h.Get("Cache-Control"), "immutable") || h.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("headers of %s: %v", path, h)
		}
		for _, other := range []string{strings.Replace(path, "/assets/", "/assets/0", 1), "/assets/" + name} {
			if b.get(other).StatusCode != http.StatusNotFound {
				t.Errorf("%s is served: it would be kept for ever", other)
			}
		}
	}
	if a := b.do("POST", assets.Path("style.css"), "application/x-www-form-urlencoded", strings.NewReader("")); a.StatusCode == http.StatusOK {
		t.Error("a file answers POST")
	}
}

// zipped returns an asset, compressed with gzip.
func (w *world) zipped(t testing.TB, name string) string {
	t.Helper()
	b := w.browser()
	b.header.Set("Accept-Encoding", "gzip")
	a := b.get(assets.Path(name))
	want(t, a, http.StatusOK)
	return a.body
}

// styleIsLight limits the compressed size of the style sheet and forbids external resources.
func styleIsLight(t *testing.T) {
	w := newWorld(t, loopbackURL)
	css := w.browser().get(assets.Path("style.css")).body
	if n := len(w.zipped(t, "style.css")); n > 13<<10 {
		t.Errorf("style.css has %d bytes, %d on the way", len(css), n)
	}
	for _, foreign := range []string{"http:", "https:", "@import", "url("} {
		if strings.Contains(css, foreign) {
			t.Errorf("style.css contains %q: pages load nothing from elsewhere", foreign)
		}
	}
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

// TestAssetsAreCompressed checks that each compressible asset is sent in the best encoding that the
// client accepts.
func TestAssetsAreCompressed(t *testing.T) {
	w := newWorld(t, loopbackURL)
	for path, plain := range assets.Texts() {
		sizes := map[string]int{}
		for accepts, coding := range map[string]string{"": "", "gzip;q=0, br;q=0": "", "identity, gzip; q=0.0": "", "gzip": "gzip", "deflate, gzip;q=0.5": "gzip", "br": "br", "BR, gzip": "br"} {
			b := w.browser()
			b.header.Set("Accept-Encoding", accepts)
			a := b.get(path)
			if got := a.Header.Get("Content-Encoding"); got != coding || a.Header.Get("Vary") != "Accept-Encoding" || a.Header.Get("Content-Length") != strconv.Itoa(len(a.body)) {
				t.Errorf("%s with %q: headers %v; after changing an asset, run make generate", path, accepts, a.Header)
			}
			sizes[coding] = len(a.body)
			body := []byte(a.body)
			if coding == "gzip" {
				z, err := gzip.NewReader(strings.NewReader(a.body))
				if err == nil {
					body, err = io.ReadAll(z)
				}
				if err != nil {
					t.Errorf("%s with %q: %v", path, accepts, err)
				}
			}
			if coding != "br" && string(body) != string(plain) {
				t.Errorf("%s with %q: another file", path, accepts)
			}
		}
		if sizes["br"] > sizes["gzip"] || sizes["gzip"] >= sizes[""] {
			t.Errorf("%s: %v bytes", path, sizes)
		}
	}
}

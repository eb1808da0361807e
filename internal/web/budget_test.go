package web

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

// packed is how many bytes a text takes as gzip packs it best.
func packed(t *testing.T, s string) int {
	t.Helper()
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := z.Write([]byte(s)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Len()
}

// Pages stay light: a home of 20 posts, the style sheet and the script have limits.
func budgetsOfFiles(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann := w.user("ann")
	for range linnet.DefaultPage {
		w.post(ann.ID, linnet.Draft{Text: strings.Repeat("A sentence of the usual length, for once. ", 4) + "#birds"})
	}
	eventually(t, "tasks end", w.svc.Idle)
	home := w.browser().logIn("ann").get("/").body
	a := loadAssets()
	style, script := string(a.byPath[a.path("style.css")].body), string(a.byPath[a.path("script.js")].body)
	for _, b := range []struct {
		what       string
		have, most int
	}{
		{"home in bytes", len(home), 80 << 10},
		{"home packed", packed(t, home), 12 << 10},
		{"style packed", packed(t, style), 12 << 10},
		{"script packed", packed(t, script), 15 << 10},
		{"elements of home", strings.Count(home, "<") - strings.Count(home, "</"), 1500},
		{"files that home names beside faces", len(filesNamed(home)), 4},
	} {
		t.Logf("%s: %d of %d", b.what, b.have, b.most)
		if b.have > b.most {
			t.Errorf("%s: %d, more than %d", b.what, b.have, b.most)
		}
	}
}

// filesNamed are the files of assets that a page needs.
func filesNamed(page string) map[string]bool {
	files := map[string]bool{}
	for _, rest := range strings.Split(page, assetPrefix)[1:] {
		name, _, _ := strings.Cut(rest, `"`)
		name, _, _ = strings.Cut(name, "#")
		files[name] = true
	}
	return files
}

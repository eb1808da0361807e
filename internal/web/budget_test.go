package web_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"linnet/internal/linnet"
)

// packed returns the compressed size of a page, at the server's compression level.
func packed(t *testing.T, page string) int {
	t.Helper()
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err == nil {
		_, err = z.Write([]byte(page))
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Len()
}

// budgetsOfFiles limits the sizes of the home page, the style sheet and the script.
func budgetsOfFiles(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann := w.user("ann")
	for range linnet.DefaultPage {
		w.post(ann.ID, linnet.Draft{Text: strings.Repeat("A sentence of the usual length, for once. ", 4) + "#birds"})
	}
	eventually(t, "tasks end", w.svc.Idle)
	home := w.browser().logIn("ann").get("/").body
	for _, b := range []struct {
		what       string
		have, most int
	}{
		{"home in bytes", len(home), 80 << 10},
		{"home packed", packed(t, home), 12 << 10},
		{"style packed", len(w.zipped(t, "style.css")), 12 << 10},
		{"script packed", len(w.zipped(t, "script.js")), 15 << 10},
		{"elements of home", strings.Count(home, "<") - strings.Count(home, "</"), 1500},
		{"files that home names beside faces", len(filesNamed(home)), 4},
	} {
		t.Logf("%s: %d of %d", b.what, b.have, b.most)
		if b.have > b.most {
			t.Errorf("%s: %d, more than %d", b.what, b.have, b.most)
		}
	}
}

// filesNamed returns the assets that a page references.
func filesNamed(page string) map[string]bool {
	files := map[string]bool{}
	for _, rest := range strings.Split(page, "/assets/")[1:] {
		name, _, _ := strings.Cut(rest, `"`)
		name, _, _ = strings.Cut(name, "#")
		files[name] = true
	}
	return files
}

package web_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"linnet/internal/linnet"
	"linnet/internal/web/assets"
	"linnet/internal/web/paths"
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

// firstVisitIsLight limits what a first visit transfers: the home page of a member who follows ten
// authors without uploaded pictures, and its files with all drawn avatars. Responses are compressed
// as browsers receive them. Headers are not counted.
func firstVisitIsLight(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann, random := w.user("ann"), rand.New(rand.NewPCG(1, 2))
	for i := range 10 {
		who := w.user(fmt.Sprint("bird", i))
		w.follows(ann.ID, who.ID)
		for range linnet.DefaultPage / 10 {
			text := strings.Builder{}
			for range 20 { // words of random letters compress no better than texts
				for range 3 + random.IntN(5) {
					text.WriteByte(byte('a' + random.IntN(26)))
				}
				text.WriteByte(' ')
			}
			w.post(who.ID, linnet.Draft{Text: text.String() + "#birds"})
		}
	}
	eventually(t, "tasks end", w.svc.Idle)
	b := w.browser().logIn("ann")
	home := b.get("/").body
	if n := strings.Count(home, "<article"); n != linnet.DefaultPage {
		t.Fatalf("home has %d posts", n)
	}
	sizes := map[string]int{"page": zstdSize(t, home)}
	for _, name := range []string{"style.css", "script.js", "icons.svg"} {
		b := w.browser()
		b.header.Set("Accept-Encoding", "br")
		sizes[name] = len(b.get(assets.Path(name)).body)
	}
	for _, rest := range strings.Split(home, paths.AvatarPrefix)[1:] {
		face, _, _ := strings.Cut(rest, `"`)
		sizes[face] = zstdSize(t, b.get(paths.AvatarPrefix+face).body)
	}
	sum := 0
	for _, n := range sizes {
		sum += n
	}
	if t.Logf("a first visit transfers %d bytes: %v", sum, sizes); sum > 36<<10 || len(sizes) < 14 {
		t.Errorf("a first visit transfers %d bytes, more than 36 KB: %v", sum, sizes)
	}
}

// zstdSize returns the compressed size of a response, at the server's compression level.
func zstdSize(t *testing.T, body string) int {
	t.Helper()
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithWindowSize(128<<10))
	if err != nil {
		t.Fatal(err)
	}
	return len(z.EncodeAll([]byte(body), nil))
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

package web_test

import (
	"strings"
	"testing"

	"linnet/internal/linnet"
	"linnet/internal/web/post"
)

// previewsTell checks that a link preview shows the page's metadata and links to it. Previews of
// sensitive posts are collapsed.
func previewsTell(t *testing.T) {
	shown := func(st linnet.Status) string {
		t.Helper()
		var b strings.Builder
		if err := post.LinkPreview(linnet.StatusView{SharedStatus: &linnet.SharedStatus{Status: st}}).Render(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	c := &linnet.Card{Link: "https://www.site.test/a", Title: `<b>"Title`, Description: "About", Site: "Site", Language: "ar", Image: linnet.CardImage{Name: "x.png", Size: linnet.Size{Width: 1200, Height: 630}}}
	page := shown(linnet.Status{Card: c})
	for _, part := range []string{`class="preview wide"`, `href="https://www.site.test/a"`, `rel="nofollow noopener noreferrer"`, `lang="ar"`, `<img src="` + filePath("x.png") + `" alt=""`,
		"Site · site.test", `<strong dir="auto">&lt;b&gt;&#34;Title</strong>`, "About"} {
		if !strings.Contains(page, part) {
			t.Errorf("%s lacks %s", page, part)
		}
	}
	small := *c
	small.Site, small.Description, small.Image = "SITE.test", "", linnet.CardImage{}
	if page := shown(linnet.Status{Card: &small}); strings.Contains(page, "wide") || strings.Contains(page, "<img") || strings.Contains(page, "about") || !strings.Contains(page, ">site.test<") {
		t.Error(page)
	}
	if page := shown(linnet.Status{Card: c, Sensitive: true}); !strings.HasPrefix(strings.TrimSpace(page), `<details class="warned">`) {
		t.Error(page)
	}
	if page := shown(linnet.Status{}); strings.TrimSpace(page) != "" {
		t.Error(page)
	}
}

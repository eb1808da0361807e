package web

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"linnet/internal/locale"
)

// TestUntranslated opens all pages in a language that marks what comes from a catalogue: every
// text does but for what people wrote, and no text is one that no catalogue has.
func TestUntranslated(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.lang = locale.Pseudo()
	w.halt()
	w.start()
	visits := w.visits()
	who := map[string]*browser{"": w.browser(), "ann": w.browser().logIn("ann")}
	seen := map[string]bool{}
	for _, v := range visits {
		doc, err := html.Parse(strings.NewReader(who[v.who].get(v.path).body))
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range untranslated(doc) {
			if !seen[text] {
				seen[text] = true
				t.Errorf("%s: %s", v.path, text)
			}
		}
	}
}

// texts are the attributes that people read.
var texts = []string{"title", "aria-label", "placeholder", "alt", "data-l"}

var (
	marked = regexp.MustCompile(`⟦[^⟦⟧]*(?:⟦[^⟦⟧]*⟧[^⟦⟧]*)*⟧`)
	word   = regexp.MustCompile(`[A-Za-z]{2,}`)
	// What is the same in all languages: names of what is here and in the test's world.
	names = regexp.MustCompile(`@\w+|#\w+|https?://\S+|127\.0\.0\.1\S*|\b(?:Linnet|Birds|Ann Lee|ann|bob|eve|watch|flock|Redis|English|Deutsch|Français|Español|UTC|CSV|JSON Feed|JSON|RSS|Atom|kB|MB|GB|KiB|MiB)\b`)
)

// untranslated are the texts of a document that were not looked up, or not found.
func untranslated(n *html.Node) (all []string) {
	if n.Type == html.ElementNode {
		at := func(name string) string {
			i := slices.IndexFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name })
			if i < 0 {
				return ""
			}
			return n.Attr[i].Val
		}
		for _, name := range texts {
			if foreign(at(name)) {
				all = append(all, "<"+n.Data+" "+name+">: "+at(name))
			}
		}
		switch {
		case n.Data == "bdi", n.Data == "code", n.Data == "pre", n.Data == "script", n.Data == "style", n.Data == "textarea", at("dir") == "auto", at("lang") != "" && n.Data != "html":
			return all
		}
	}
	if n.Type == html.TextNode && foreign(n.Data) {
		all = append(all, strings.TrimSpace(n.Data))
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		all = append(all, untranslated(c)...)
	}
	return all
}

func foreign(text string) bool {
	return strings.Contains(text, "‼") || word.MatchString(names.ReplaceAllString(marked.ReplaceAllString(text, ""), ""))
}

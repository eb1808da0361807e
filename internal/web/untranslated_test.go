package web_test

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"linnet/internal/core"
	"linnet/internal/locale"
	"linnet/internal/wording"
)

// TestUntranslated checks that all text of all pages is translated. It uses a pseudo language that
// marks translated text, and ignores text written by users.
func TestUntranslated(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.lang = locale.Pseudo()
	w.halt()
	w.examine = func(context.Context) []core.Finding {
		return []core.Finding{{Area: "disk", State: core.FindsFault, Text: wording.Messagef("%s: the store refuses writes", wording.Messagef("%d MB", 7)), Remedy: "Set public-url."}}
	}
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

// texts lists attributes with text for users.
var texts = []string{"title", "aria-label", "placeholder", "alt", "data-l", "data-show", "data-hide"}

var (
	marked = regexp.MustCompile(`⟦[^⟦⟧]*(?:⟦[^⟦⟧]*⟧[^⟦⟧]*)*⟧`)
	word   = regexp.MustCompile(`[A-Za-z]{2,}`)
	// names matches texts that are the same in all languages.
	names = regexp.MustCompile(`\w+@\w[\w.]*|@\w+|#\w+|Rindfleisch\w+|https?://\S+|127\.0\.0\.1\S*|\b(?:Linnet|Birds|Ann Lee|ann|bob|eve|About the watch|About the flock|watch|flock|Redis|English|Deutsch|Français|Español|UTC|CSV|JSON Feed|JSON|RSS|Atom|kB|MB|GB|KiB|MiB)\b`)
)

// untranslated returns the texts of a document that are not translated. User texts within a
// sentence are ignored.
func untranslated(doc *html.Node) (all []string) {
	var said strings.Builder
	walk(doc, &said, func(attribute string) {
		if foreign(attribute) {
			all = append(all, attribute)
		}
	})
	for line := range strings.SplitSeq(marked.ReplaceAllString(said.String(), " "), "\n") {
		if foreign(line) {
			all = append(all, strings.TrimSpace(line))
		}
	}
	return all
}

// walk writes the texts of an element to said, separated by spaces. It calls also with each
// attribute that contains text.
func walk(n *html.Node, said *strings.Builder, also func(string)) {
	if n.Type == html.ElementNode {
		at := func(name string) string {
			i := slices.IndexFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name })
			if i < 0 {
				return ""
			}
			return n.Attr[i].Val
		}
		for _, name := range texts {
			also(at(name))
		}
		switch {
		case n.Data == "bdi" && !slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "data-ours" }), n.Data == "code", n.Data == "pre", n.Data == "script", n.Data == "style", n.Data == "textarea", at("dir") == "auto", at("lang") != "" && n.Data != "html",
			n.Data == "select" && strings.HasPrefix(at("name"), "language"):
			return
		case n.Data == "title" || n.Data == "p" || n.Data == "li" || n.Data == "h1" || n.Data == "h2" || n.Data == "div" || n.Data == "a" && n.PrevSibling == nil:
			said.WriteString("\n")
		}
	}
	if n.Type == html.TextNode {
		said.WriteString(" " + strings.Join(strings.Fields(n.Data), " "))
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		walk(c, said, also)
	}
}

func foreign(text string) bool {
	return strings.Contains(text, "‼") || word.MatchString(names.ReplaceAllString(marked.ReplaceAllString(text, " "), ""))
}

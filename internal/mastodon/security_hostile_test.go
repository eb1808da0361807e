package mastodon_test

import (
	"encoding/json"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/net/html"

	"linnet/internal/kv/memkv"
	"linnet/internal/mastodon"
)

// TestHostileTextInAnswers puts hostile texts wherever clients send text. HTML members contain
// the typed text, with Mastodon's elements and attributes only. Plain text comes back unchanged.
func TestHostileTextInAnswers(t *testing.T) {
	b, err := os.ReadFile("../web/testdata/hostile.json") // shared with tests of the pages
	if err != nil {
		t.Fatal(err)
	}
	var corpus []string
	if err := json.Unmarshal(b, &corpus); err != nil || len(corpus) < 50 {
		t.Fatalf("%d texts, %v", len(corpus), err)
	}
	w := newWorld(t, memkv.New(memkv.Options{}), mastodon.Options{}, "ann")
	for _, evil := range corpus {
		q := url.QueryEscape(evil)
		w.run([]step{
			{as: "ann", do: "PATCH /api/v1/accounts/update_credentials", body: "note=from+" + q + "+to&fields_attributes[0][name]=n" + q + "&fields_attributes[0][value]=v+" + q},
			{as: "ann", do: "POST /api/v1/lists", body: "title=t" + q, save: "title=title"}, {as: "ann", do: "GET /api/v1/lists", save: "list=0.id"},
			{as: "ann", do: "DELETE /api/v1/lists/{list}"},
			{as: "ann", do: "POST /api/v2/filters", body: "context[]=home&title=t" + q + "&keywords_attributes[0][keyword]=k" + q, save: "filter=id"},
			{as: "ann", do: "GET /api/v2/filters/{filter}", save: "keyword=keywords.0.keyword"}, {as: "ann", do: "GET /api/v2/filters/{filter}", save: "filter_title=title"},
			{as: "ann", do: "DELETE /api/v2/filters/{filter}"},
			{as: "ann", do: "POST /api/v1/statuses", body: "spoiler_text=w+" + q + "&status=s+" + q, save: "s=id"},
		})
		plain(t, "title", evil, w.vars["title"])
		plain(t, "title of a filter", evil, w.vars["filter_title"])
		plain(t, "keyword", evil, w.vars["keyword"])
		var s struct {
			Content, SpoilerText, URL string
			Account                   struct {
				Note   string
				Fields []struct{ Name, Value string }
			}
		}
		w.run([]step{{do: "GET /api/v1/statuses/{s}"}})
		if err := json.Unmarshal([]byte(strings.ReplaceAll(w.last.Body.String(), `"spoiler_text"`, `"SpoilerText"`)), &s); err != nil || len(s.Account.Fields) != 1 {
			t.Fatal(err, w.last.Body)
		}
		for what, v := range map[string]string{"content": s.Content, "note": s.Account.Note, "value": s.Account.Fields[0].Value} {
			plain(t, what, evil, markup(t, what, v, evil))
		}
		plain(t, "warning", evil, s.SpoilerText)
		plain(t, "field", evil, s.Account.Fields[0].Name)
		if ct := w.last.Header().Get("Content-Type"); ct != "application/json; charset=utf-8" || w.last.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("an answer is %s", ct)
		}
	}
}

// plain checks that a text came back as typed, but for control characters, and
// blanks as HTML has them.
func plain(t *testing.T, what, typed, got string) {
	t.Helper()
	bare := func(s string) string {
		s = strings.Map(func(r rune) rune {
			if unicode.Is(unicode.Cc, r) && r != '\n' && r != '\t' {
				return -1
			}
			return r
		}, s)
		return strings.Join(strings.Fields(s), " ")
	}
	if slices.Contains([]string{"title", "title of a filter", "value", "field"}, what) { // lines turn no direction
		typed = strings.Map(func(r rune) rune {
			if 0x202a <= r && r <= 0x202e || 0x2066 <= r && r <= 0x2069 {
				return -1
			}
			return r
		}, typed)
	}
	if want := bare(typed); !strings.Contains(bare(got), want) {
		t.Errorf("the %s holds %q, typed was %q", what, bare(got), want)
	}
	for _, r := range got {
		if unicode.Is(unicode.Cc, r) && r != '\n' && r != '\t' {
			t.Errorf("the %s holds the control character %U", what, r)
		}
	}
}

// markup parses HTML, checks its elements, and returns its text.
func markup(t *testing.T, what, fragment, typed string) string {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(fragment))
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for n := range doc.Descendants() {
		switch n.Type {
		case html.TextNode:
			text.WriteString(n.Data)
		case html.CommentNode:
			t.Errorf("%q in the %s makes a comment", typed, what)
		case html.ElementNode:
			if n.Data == "br" {
				text.WriteString("\n")
			}
			if !slices.Contains([]string{"html", "head", "body", "p", "br", "a", "span"}, n.Data) {
				t.Errorf("%q in the %s makes the element %s", typed, what, n.Data)
			}
			for _, a := range n.Attr {
				switch {
				case a.Key == "class" || a.Key == "rel" || a.Key == "target" || a.Key == "translate":
				case a.Key == "href" && (strings.HasPrefix(a.Val, "https://") || strings.HasPrefix(a.Val, "http://")):
				default:
					t.Errorf("%q in the %s makes the attribute %s=%q", typed, what, a.Key, a.Val)
				}
			}
		}
	}
	return text.String()
}

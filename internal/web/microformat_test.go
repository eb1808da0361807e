package web_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"willnorris.com/go/microformats"

	"linnet/internal/linnet"
)

// parsed parses the microformats of a page.
func parsed(t *testing.T, w *world, path string) *microformats.Data {
	t.Helper()
	base, err := url.Parse(publicURL + path)
	if err != nil {
		t.Fatal(err)
	}
	return microformats.Parse(strings.NewReader(w.browser().get(path).body), base)
}

// of returns the items of a type, including nested ones.
func of(items []*microformats.Microformat, kind string) (found []*microformats.Microformat) {
	for _, m := range items {
		if slices.Contains(m.Type, kind) {
			found = append(found, m)
		}
		found = append(found, of(m.Children, kind)...)
	}
	return found
}

// first returns the first value of a property, or "".
func first(m *microformats.Microformat, property string) string {
	for _, v := range m.Properties[property] {
		switch v := v.(type) {
		case string:
			return v
		case map[string]string:
			return v["value"]
		case *microformats.Microformat:
			return v.Value
		}
	}
	return ""
}

// TestMicroformats checks that posts and profiles have h-entry and h-card microformats.
// https://microformats.org/wiki/h-entry, https://microformats.org/wiki/h-card
func TestMicroformats(t *testing.T) {
	w := newWorld(t, publicURL)
	st := furnish(w)
	home := publicURL + "/@ann"

	entries := of(parsed(t, w, postPath(st)).Items, "h-entry")
	if len(entries) != 2 {
		t.Fatalf("%d entries on the page of a post with an answer", len(entries))
	}
	e := entries[0]
	for property, want := range map[string]string{"name": st.Text, "content": st.Text, "url": publicURL + postPath(st),
		"published": st.ID.Time().UTC().Format("2006-01-02T15:04:05Z"), "summary": "", "photo": ""} {
		if got := first(e, property); strings.TrimSpace(got) != want {
			t.Errorf("%s is %q, want %q", property, got, want)
		}
	}
	by, ok := e.Properties["author"][0].(*microformats.Microformat)
	if !ok || len(e.Properties["author"]) != 1 {
		t.Fatalf("authors %v", e.Properties["author"])
	}
	for property, want := range map[string]string{"name": "Ann Lee", "url": home, "photo": publicURL + "/faces/ann.svg"} {
		if got := first(by, property); got != want {
			t.Errorf("the author's %s is %q, want %q", property, got, want)
		}
	}

	page := parsed(t, w, "/@ann")
	cards := of(page.Items, "h-card")
	if len(cards) != 1 {
		t.Fatalf("%d people on a profile", len(cards))
	}
	for property, want := range map[string]string{"name": "Ann Lee", "url": home, "uid": home, "photo": publicURL + "/faces/ann.svg"} {
		if got := first(cards[0], property); got != want {
			t.Errorf("the person's %s is %q, want %q", property, got, want)
		}
	}
	if note := first(cards[0], "note"); !strings.Contains(note, "Birds, mostly.") {
		t.Errorf("note %q", note)
	}
	// Only links in profile fields are rel=me. Links in bios and posts are not.
	if me := page.Rels["me"]; !slices.Equal(me, []string{"https://ann.example"}) {
		t.Errorf("rel=me leads to %q", me)
	}
	if n := len(of(page.Items, "h-entry")); n != 2 {
		t.Errorf("%d posts on a profile", n)
	}
}

// TestMicroformatsOfMany checks that the name of a post with a warning is the warning. On pages
// with several authors each entry has its own.
func TestMicroformatsOfMany(t *testing.T) {
	w := newWorld(t, publicURL)
	furnish(w)
	w.post(w.user("eve").ID, linnet.Draft{Text: "hello"})
	authors := map[string]string{}
	for _, e := range of(parsed(t, w, "/local").Items, "h-entry") {
		by, ok := e.Properties["author"][0].(*microformats.Microformat)
		if !ok {
			t.Fatalf("%v", e.Properties)
		}
		authors[first(e, "name")] = first(by, "name")
		if strings.Contains(first(e, "content"), "fox") && (first(e, "name") != "dead chicken" || first(e, "summary") != "dead chicken") {
			t.Errorf("name %q, summary %q", first(e, "name"), first(e, "summary"))
		}
	}
	for text, by := range map[string]string{"dead chicken": "bob", "hello": "eve"} {
		if authors[text] != by {
			t.Errorf("%q is by %q", text, authors[text])
		}
	}
}

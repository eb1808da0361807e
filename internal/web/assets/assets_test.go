package assets_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"linnet/internal/locale"
	"linnet/internal/web/assets"
)

// TestWords checks the texts of the script and its modules. It also checks that the script imports
// each module.
func TestWords(t *testing.T) {
	if assets.Words(locale.English()) != "" || assets.Words(locale.Pseudo()) != "" {
		t.Error("English has a file of texts")
	}
	script, ok := assets.Find(assets.Path("script.js"))
	if !ok {
		t.Fatal("the script isn't at its path")
	}
	code := string(script.Body)
	for _, name := range assets.List("js") {
		if name[0] <= '9' {
			continue
		}
		module, ok := assets.Find(assets.Path(name))
		if !ok || !strings.Contains(code, "import('"+assets.Path(name)+"')") {
			t.Errorf("the script doesn't import %s", name)
		}
		code += string(module.Body)
	}
	for _, l := range locale.Languages()[1:] {
		f, ok := assets.Find(assets.Words(l))
		data, prefixed := strings.CutPrefix(string(f.Body), "globalThis.words=")
		var all map[string]json.RawMessage
		if err := json.Unmarshal([]byte(data), &all); err != nil || !ok || !prefixed || len(all) < 20 {
			t.Fatalf("%s: %d texts (%v)", l.Code, len(all), err)
		}
		counted := 0
		for text, raw := range all {
			if !strings.Contains(code, "'"+text+"'") {
				t.Errorf("%s: neither script nor modules use %q", l.Code, text)
			}
			var one string
			if json.Unmarshal(raw, &one) == nil {
				if one != l.Text(text) {
					t.Errorf("%s: %q is %q, not %q", l.Code, text, one, l.Text(text))
				}
				continue
			}
			counted++
			var forms map[string]string
			if err := json.Unmarshal(raw, &forms); err != nil || len(forms) != 6 || !strings.Contains(forms["other"], "%s") {
				t.Errorf("%s: %q has the forms %v (%v)", l.Code, text, forms, err)
			}
		}
		if counted == 0 {
			t.Errorf("%s: no text about a number", l.Code)
		}
	}
}

func TestFind(t *testing.T) {
	style, words := assets.Path("style.css"), assets.Words(locale.Named("de"))
	for p, want := range map[string]bool{style: true, words: true, strings.Replace(style, "/assets/", "/assets/0", 1): false, strings.Replace(words, "-de", "-fr", 1): false,
		"/assets/style.css": false, "/assets/words-de.js": false, "/assets/words-xx.js": false, "": false} {
		if _, ok := assets.Find(p); ok != want {
			t.Errorf("Find(%q) is %v, want %v", p, ok, want)
		}
	}
}

// TestUnknown expects a panic, since a wrong name is a mistake in a template.
func TestUnknown(t *testing.T) {
	for name, use := range map[string]func(){
		"Path":        func() { assets.Path("none") },
		"Icon":        func() { assets.Icon("none", true) },
		"IconAddress": func() { assets.IconAddress("none") },
		"Read":        func() { assets.Read("none") },
		"List":        func() { assets.List("none") },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s doesn't panic", name)
				}
			}()
			use()
		}()
	}
	if !slices.Contains(assets.List("css"), "1-base.css") {
		t.Error("List doesn't list the style sheets")
	}
}

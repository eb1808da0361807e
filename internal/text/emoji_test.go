package text

import (
	"slices"
	"strings"
	"testing"
)

func TestShortcodes(t *testing.T) {
	for typed, want := range map[string]string{
		"":                        "",
		"no colon":                "",
		":blob:":                  "blob",
		"a :blob: and :Cat_2: b":  "blob Cat_2",
		"twice :blob: :blob:":     "blob",
		":a:":                     "", // one letter only
		":ab:":                    "ab",
		"at 10:30:45 o'clock":     "",
		"x:blob: :blob:x é:blob:": "",
		":blob:é":                 "",
		":one::two:":              "", // adjacent colons
		":one: :two::three:":      "one",
		"(:one:),:two:.":          "one two",
		"日:one:":                  "",
		":日本:":                    "",
		":wave:\n:bird:":          "wave bird",
		":" + strings.Repeat("a", MaxShortcode) + ":":   strings.Repeat("a", MaxShortcode),
		":" + strings.Repeat("a", MaxShortcode+1) + ":": "",
		"::blob:":  "",
		": :blob:": "blob",
		"😀:blob:😀": "blob",
	} {
		if got := strings.Join(Shortcodes(typed), " "); got != want {
			t.Errorf("%q has %q, want %q", typed, got, want)
		}
	}
	if got := Shortcodes("a :one:", ":two: :one:", ""); !slices.Equal(got, []string{"one", "two"}) {
		t.Errorf("several texts have %q", got)
	}
}

// known has pictures for the emoji "blob" and "bird".
func known(code string) string {
	if code == "blob" || code == "bird" {
		return "<img " + code + ">"
	}
	return ""
}

func TestPictures(t *testing.T) {
	r := Resolver{Emoji: known, Tag: func(tag string) string { return "/tags/" + tag }}
	for typed, want := range map[string]string{
		"hello :blob: & :other:":     `<p>hello <img blob> &amp; :other:</p>`,
		":blob:\n:bird:":             `<p><img blob><br><img bird></p>`,
		"#tag :blob:":                `<p><a href="/tags/tag" class="mention hashtag" rel="tag">#<span>tag</span></a> <img blob></p>`,
		"#tag:blob:":                 `<p><a href="/tags/tag" class="mention hashtag" rel="tag">#<span>tag</span></a>:blob:</p>`,
		":blob:#tag":                 `<p><img blob><a href="/tags/tag" class="mention hashtag" rel="tag">#<span>tag</span></a></p>`,
		"<b>:blob:</b>":              `<p>&lt;b&gt;<img blob>&lt;/b&gt;</p>`,
		"<img src=x onerror=:blob:>": `<p>&lt;img src=x onerror=<img blob>&gt;</p>`,
	} {
		if got := Parse(typed).HTML(r); got != want {
			t.Errorf("%q is %s, want %s", typed, got, want)
		}
	}
	for _, link := range []string{"https://example.com/:blob:/x", ":https://example.com"} {
		if got := Parse(link).HTML(r); strings.Contains(got, "<img") || !strings.Contains(got, `<a href="https://example.com`) {
			t.Errorf("%q is %s", link, got)
		}
	}
	if got := WithPictures("a :bird: <", known); got != "a <img bird> &lt;" {
		t.Errorf("a line is %s", got)
	}
}

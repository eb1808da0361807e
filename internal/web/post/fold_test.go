package post

import (
	"html"
	"regexp"
	"strings"
	"testing"

	"linnet/internal/text"
)

var anyTag = regexp.MustCompile(`<[^>]*>`)

// Both parts of a folded text are valid HTML and together contain the whole text. The cut is at the
// end of a paragraph if possible.
func TestFold(t *testing.T) {
	words := strings.Repeat("word ", 30) // 150 characters
	paragraphs := strings.TrimSpace(strings.Repeat(strings.TrimSpace(words)+"\n\n", 8))
	for _, c := range []struct {
		name, text string
		from, to   int // characters of the head; to 0: it is shown whole
		ends       string
	}{
		{"nothing", "", 0, 0, ""},
		{"a line", "hello", 0, 0, ""},
		{"little too long", strings.Repeat("word ", 150), 0, 0, ""},
		{"little too many lines", strings.TrimSpace(strings.Repeat("a\n", 15)), 0, 0, ""},
		{"paragraphs", paragraphs, 440, 600, "word"},
		{"one paragraph of words", strings.Repeat("word ", 400), 590, 600, "word "},
		{"one word", strings.Repeat("x", 2000), 0, 0, ""},
		{"lines", strings.TrimSpace(strings.Repeat("a line\n", 40)), 20, 80, "line"},
		{"empty lines", "a\n\nb\n\n" + strings.Repeat("c\n\n", 40) + "d", 3, 12, "c"},
		{"signs that are written otherwise", strings.Repeat("<&> ", 400), 590, 600, "> "},
		{"wide letters in lines", strings.TrimSpace(strings.Repeat(strings.Repeat("字", 70)+"\n", 20)), 200, 600, "字"},
		{"links", strings.Repeat("see https://example.com/a/long/way/"+strings.Repeat("y", 30)+" and #tag\n\n", 20), 200, 600, "tag"},
	} {
		t.Run(c.name, func(t *testing.T) {
			whole := text.Parse(c.text).HTML(text.Resolver{Tag: func(s string) string { return "/tags/" + s }})
			head, rest := fold(whole)
			if c.to == 0 {
				if head != whole || rest != "" {
					t.Errorf("cut after %d of %d bytes", len(head), len(whole))
				}
				return
			}
			shown := html.UnescapeString(anyTag.ReplaceAllString(head, ""))
			if n := len([]rune(shown)); n < c.from || n > c.to || !strings.HasSuffix(shown, c.ends) {
				t.Errorf("the head has %d characters, want %d to %d, and ends with %q", n, c.from, c.to, shown[max(0, len(shown)-10):])
			}
			if got := anyTag.ReplaceAllString(head+rest, ""); got != anyTag.ReplaceAllString(whole, "") {
				t.Errorf("together they say %q", got)
			}
			for _, part := range []string{head, rest} {
				if strings.Count(part, "<p>") != strings.Count(part, "</p>") || strings.Count(part, "<a") != strings.Count(part, "</a>") || strings.Count(part, "<span") != strings.Count(part, "</span>") {
					t.Errorf("not whole: %s", part)
				}
			}
		})
	}
}

// A text of a few emoji is shown large.
func TestEmojiOnly(t *testing.T) {
	for typed, large := range map[string]bool{"": false, "🐈": true, "🐈 🪶": true, "👩‍👩‍👧‍👦🇩🇪❤️": true, "1": false, "a": false, "🐈!": false, "🐈🐈🐈🐈🐈🐈🐈": false, "🐈\n🪶": false, "#": false} {
		if got := emojiOnly(typed); got != large {
			t.Errorf("%q: %v", typed, got)
		}
	}
}

func FuzzFold(f *testing.F) {
	for _, s := range []string{"", "a b", strings.Repeat("x <b> & ", 300), strings.Repeat("l\n", 40), strings.Repeat("@ann #tag https://a.example/?b=c&d ", 40)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		whole := text.Parse(s).HTML(text.Resolver{Tag: func(s string) string { return "/tags/" + s }})
		head, rest := fold(whole)
		if anyTag.ReplaceAllString(head+rest, "") != anyTag.ReplaceAllString(whole, "") {
			t.Errorf("%q and %q are not %q", head, rest, whole)
		}
		if strings.Count(head, "<p>") != strings.Count(head, "</p>") || strings.Count(rest, "<p>") != strings.Count(rest, "</p>") {
			t.Errorf("not whole: %q, %q", head, rest)
		}
	})
}

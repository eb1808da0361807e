package text

import (
	"fmt"
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"The cat, the CAT & the hat.", "the cat hat"},
		{"Café crème; naïve Ærø", "cafe creme naive æro"},
		{"don't l’été foo_bar a-b", "don t l ete foo bar a b"},
		{"@Ann #GoLang 3.14", "ann golang 3 14"},
		{"@ann@example.com", "ann example com"},
		{"at https://www.example.com:80/some/path?q=1 now", "at example com now"},
		{"猫", "猫"},
		{"日本語です", "日本 本語 語で です"},
		{"東京 go カレー", "東京 go カレ レー"},
		{"東京go2024年", "東京 go2024 年"},
		{"กินข้าว", "กิน นข้ ข้า าว"},
		{"서울 한국어", "서울 한국어"},
		{"می\u200cخواهم", "می خواهم"},
		{"हिन्दी। क्रिकेट", "हिन्दी क्रिकेट"},
		{"so\u00adft ﬁne Ｗｉｄｅ", "soft fine wide"},
		{"🎉 … — !", ""},
		{strings.Repeat("x", 100), strings.Repeat("x", MaxWordLen)},
	} {
		equal(t, "words", c.in, Words(c.in), c.want)
	}
}

func TestWordsAreBounded(t *testing.T) {
	var b strings.Builder
	for i := range 3 * MaxWords {
		fmt.Fprintf(&b, "w%d ", i)
	}
	if n := len(Words(b.String())); n != MaxWords {
		t.Errorf("a text of %d words gives %d, want %d", 3*MaxWords, n, MaxWords)
	}
}

// TestQueryFindsText: the words of a part of a text are among those of the
// text, which is what searching relies on.
func TestQueryFindsText(t *testing.T) {
	for _, c := range []struct{ text, query string }{
		{"Ein schöner Tag in München", "munchen SCHÖNER"},
		{"今日は東京タワーを見た", "東京タワー"},
		{"สวัสดีประเทศไทย", "ประเทศ"},
		{"read https://example.com/x", "example.com"},
		{"hello @ann #Café", "#cafe @Ann"},
	} {
		have := map[string]bool{}
		for _, w := range Words(c.text) {
			have[w] = true
		}
		for _, w := range Words(c.query) {
			if !have[w] {
				t.Errorf("%q: word %q of the query %q is not among %q", c.text, w, c.query, Words(c.text))
			}
		}
	}
}

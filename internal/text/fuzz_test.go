package text

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// seeds returns texts with all features.
func seeds() []string {
	return append(hostile(),
		"", "hello", "a\r\nb\n\n\nc", "\xff\xc3@ann", "@ann @bob@example.com #tag #Café",
		"https://example.com/a_(b)?c=d#e, http://127.0.0.1:80/", "見てhttps://例え.テスト/パス。#東京タワー @annさん",
		"👩‍👩‍👧 #️⃣ 🇩🇪 e\u0301 हिन्दी #می\u200cخواهم #col·lab", "@a@b@c ##x #@a @#a http://http://a.de",
		"\u0600https://a.de\u0301 é\u20d0\u0301 ᄀ!ᅡ İ\u0301 ŉ ﷺ",
		strings.Repeat("@a ", 50), strings.Repeat("http://a.de/", 50), strings.Repeat("(", 100),
	)
}

func FuzzHTML(f *testing.F) {
	for _, s := range seeds() {
		f.Add(s)
	}
	f.Fuzz(newChecker().html)
}

func FuzzParse(f *testing.F) {
	for _, s := range seeds() {
		f.Add(s)
	}
	f.Fuzz(checkParse)
}

func FuzzFold(f *testing.F) {
	for _, s := range seeds() {
		f.Add(s)
	}
	f.Fuzz(checkFold)
}

// FuzzPictures checks that a text with pictures is the same as without, after the pictures are
// replaced by their shortcodes.
func FuzzPictures(f *testing.F) {
	for _, s := range append(seeds(), ":blob: #tag:blob: @ann :blob:", ":one::two: :https://example.com/:blob:") {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		links := Resolver{Tag: func(tag string) string { return "/tags/" + FoldTag(tag) }}
		without, pictured := Parse(s).HTML(links), 0
		links.Emoji = func(code string) string {
			pictured++
			return "\x01" + code + "\x01"
		}
		if with := Parse(s).HTML(links); strings.ReplaceAll(with, "\x01", ":") != without {
			t.Errorf("%q is %q, and with emoji %q", s, without, with)
		}
		if codes := Shortcodes(Parse(s).Text()); len(codes) > 0 != (pictured > 0) && !strings.ContainsAny(s, "@#＃/") {
			t.Errorf("%q has %q, and %d pictures", s, codes, pictured)
		}
	})
}

// checkParse checks the invariants of a parsed text.
func checkParse(t *testing.T, s string) {
	t.Helper()
	d := Parse(s)
	if !utf8.ValidString(d.Text()) || strings.ContainsAny(d.Text(), "\r\x00\x1b\x7f") {
		t.Errorf("Parse(%q) keeps %q", s, d.Text())
	}
	again := Parse(d.Text())
	if again.Text() != d.Text() || !slices.Equal(again.tokens, d.tokens) {
		t.Errorf("%q is read otherwise the second time: %+v, %+v", s, d, again)
	}
	end := 0
	for _, tok := range d.tokens {
		if tok.start < end || tok.end <= tok.start || tok.end > len(d.Text()) {
			t.Fatalf("tokens of %q overlap or leave the text: %+v", s, d.tokens)
		}
		end = tok.end
	}
	for _, tag := range d.Tags() {
		if !ValidTag(tag) || FoldTag(tag) == "" {
			t.Errorf("%q in %q is not valid, or has no key", tag, s)
		}
	}
	for _, m := range d.Mentions() {
		if name, _, remote := strings.Cut(m, "@"); !remote && !ValidLogin(name) {
			t.Errorf("%q in %q is no login", m, s)
		}
	}
}

// checkFold checks that keys are stable and within their limits.
func checkFold(t *testing.T, s string) {
	t.Helper()
	key := FoldTag(s)
	if again := FoldTag(key); again != key || len(key) > MaxTagKey || !utf8.ValidString(key) {
		t.Errorf("FoldTag(%q) = %q, folded again %q", s, key, again)
	}
}

// TestRandomTexts combines meaningful pieces at random, which finds more than random bytes do.
func TestRandomTexts(t *testing.T) {
	pieces := []string{
		"@", "@", "#", "#", "＃", "＠", "https://", "http://", "HTTP://www.", "://", "/", "?", "=", "&", "%", "%41", ":", ":80",
		".", ",", "-", "_", "(", ")", "[", "]", "{", "}", "<", ">", "\"", "'", "`", "\\", "!", "*", "|", " ", " ", "\n", "\n\n",
		"\r\n", "\t", "\x00", "\xff", "\u0085", "ann", "Bob", "a", "é", "e\u0301", "\u0301", "İ", "ß", "ς", "日本", "・", "。", "です",
		"·", "\u200c", "\u200d", "\ufe0f", "\u20e3", "\u202e", "\ufeff", "\u0600", "ᄀ", "ᅡ", "हिन्दी", "ไทย", "ﷺ", "½", "1", "2024",
		"example.com", "a.de", "127.0.0.1", "localhost", "例え.テスト", "com", "👩‍👧", "🇩🇪", "😀", "javascript:", "<script>", "&amp;", "&#x27;",
	}
	seed := uint64(time.Now().UnixNano())
	rnd := rand.New(rand.NewPCG(seed, 0))
	rounds := 5000
	if testing.Short() {
		rounds = 500
	}
	c := newChecker()
	for range rounds {
		var b strings.Builder
		for range 1 + rnd.IntN(12) {
			b.WriteString(pieces[rnd.IntN(len(pieces))])
		}
		c.html(t, b.String())
		checkParse(t, b.String())
		checkFold(t, b.String())
		checkCount(t, b.String())
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// TestHostileLength checks that the time is linear in the length. Quadratic time for one of these
// texts took ten times the limit.
func TestHostileLength(t *testing.T) {
	const size = 256 << 10
	for _, piece := range []string{
		"@", "@a", "@a ", "@a@", "@a.", "#", "#a", "#a ", "#_", "#·", "http://", "http://a.de", "http://a.de/", "http://a.de ",
		"(", "http://a.de/(", "http://a.de/.", ".", "-", "a", "\n", " \n", "\r", "\xff", "日", "\u0301", "\u200d", "🇩", "<", "é", "%41",
	} {
		start := time.Now()
		d := Parse(strings.Repeat(piece, size/len(piece)))
		d.Mentions()
		d.Tags()
		d.HTML(everyone())
		d.Count()
		FoldTag(d.Text())
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%d bytes of %q took %v", size, piece, took)
		}
	}
}

package text

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// matchSlowly is an obvious implementation of Match. It tries each keyword at each position.
func matchSlowly(keywords []Keyword, t Plain) []int {
	var all []int
	for i, k := range keywords {
		word := FoldPlain(k.Text).folded
		if word == "" {
			continue
		}
		first, _ := utf8.DecodeRuneInString(word)
		last, _ := utf8.DecodeLastRuneInString(word)
		for at := range len(t.folded) {
			if !strings.HasPrefix(t.folded[at:], word) {
				continue
			}
			next, _ := runeAt(t.folded, at+len(word))
			if !k.Whole || !(isWord(first) && isWord(lastRune(t.folded, at))) && !(isWord(last) && isWord(next)) {
				all = append(all, i)
				break
			}
		}
	}
	return all
}

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		word  string
		whole bool
		in    string
		want  bool
	}{
		{"cat", false, "concatenate", true}, {"cat", true, "concatenate", false},
		{"cat", true, "a cat.", true}, {"cat", true, "Cat", true}, {"CAT", true, "(cat)", true}, {"cat", true, "cats", false},
		{"cat", true, "cat_", false}, {"cat", true, "cat7", false}, {"cat", true, "cat-like", true}, {"cat", true, "#cat", true},
		{"cat", true, "concat cat", true}, {"two words", true, "Two Words!", true}, {"two words", true, "two wordss", false},
		{"straße", true, "STRASSE", true}, {"STRAẞE", true, "straße", true}, {"Σίσυφος", true, "ΣΊΣΥΦΟΣ", true},
		{"ärger", true, "Ärger!", true}, {"rger", true, "Ärger", false}, {"ger", false, "Ärger", true}, {"кот", true, "Кот", true}, {"кот", true, "который", false},
		{"naïve", true, "naïveté", false}, {"e", true, "e\u0301", true},
		{"猫", true, "黒猫", false}, {"猫", false, "黒猫", true}, {"カフェ", false, "カフェで", true},
		{"@ann", true, "hi@ann.", true}, {"@ann", true, "@anna", false}, {"#go", true, "x#go", true}, {"c++", true, "C++11", true}, {"c++", true, "abc++", false},
		{"🐦", true, "a🐦b", true}, {"...", true, "wait...what", true}, {"https://t.co/", false, "see HTTPS://T.CO/x", true},
		{"k", true, "\u212a", true}, {"ſ", true, "s", true}, {"", false, "anything", false}, {"", true, "", false},
		{"a\xffb", false, "a\ufffdB", true},
		{"\u200b", false, "a\u200bb", false}, {" two ", true, "one two", true}, {"a b", false, "ab", false}, {"its", true, "it's", false}, {"wellknown", true, "well-known", false},
	} {
		ks := []Keyword{{c.word, c.whole}}
		if got := len(NewMatcher(ks).Match(FoldPlain(c.in))) == 1; got != c.want {
			t.Errorf("%q (whole: %v) in %q: %v", c.word, c.whole, c.in, got)
		}
	}
}

// TestMatchLooksTheSame checks that a keyword matches text that looks the same, in both directions.
func TestMatchLooksTheSame(t *testing.T) {
	for _, same := range [][]string{
		{"don't look", "don’t look", "don‘t look", "donʼt look", "don＇t look", "don´t look", "DON’T LOOK"},
		{`"quoted"`, "“quoted”", "„quoted“", "＂quoted＂"},
		{"two words", "two\u00a0words", "two\u202fwords", "two\nwords", "two\r\nwords", "two  words", "two\u3000words", "two\twords", "two \u200bwords", "two\u2028words"},
		{"café", "cafe\u0301", "CAFÉ", "CAFE\u0301", "ｃａｆé"},
		{"abc 123", "ＡＢＣ　１２３", "𝐚𝐛𝐜 𝟏𝟐𝟑", "ⓐⓑⓒ ①②③"},
		{"istanbul", "İstanbul", "I\u0307stanbul", "ISTANBUL", "ıstanbul"},
		{"straße", "STRASSE", "STRAẞE", "strasse"},
		{"spoiler", "spo\u00adiler", "spo\u200biler", "spo\u2060iler", "spo\ufeffiler", "s\u200dpoiler", "spoiler\ufe0f"},
		{"well-known", "well‐known", "well‑known", "well–known"}, {"wait...", "wait…"}, {"office", "oﬃce"},
		{"カフェ", "ｶﾌｪ"}, {"가나", "\u1100\u1161\u1102\u1161"}, {"ΣΊΣΥΦΟΣ", "σίσυφος"}, {"й", "и\u0306"}, {"שלום", "שָׁלוֹם"}, {"محمد", "مُحَمَّد", "محـمد"},
	} {
		for _, keyword := range same {
			for _, text := range same {
				if m := NewMatcher([]Keyword{{keyword, true}, {keyword, false}}); len(m.Match(FoldPlain("a "+text+" b"))) != 2 {
					t.Errorf("%+q is not found in %+q", keyword, text)
				}
			}
		}
	}
}

// TestMatchParts checks that no match extends over two parts of a text, and that parts have word
// borders.
func TestMatchParts(t *testing.T) {
	m := NewMatcher([]Keyword{{"ab", false}, {"a", true}, {"b", true}, {"a\nb", false}})
	if got := m.Match(FoldPlain("a", "", "b")); !slices.Equal(got, []int{1, 2}) {
		t.Error(got)
	}
	if got := NewMatcher(nil).Match(FoldPlain("a")); got != nil {
		t.Error(got)
	}
}

// somewhere returns random texts and keywords of few letters, so that many match.
func somewhere(r *rand.Rand, n int) string {
	const letters = "aaabbA ._Äß猫"
	runes := []rune(letters)
	var b strings.Builder
	for range r.IntN(n) + 1 {
		b.WriteRune(runes[r.IntN(len(runes))])
	}
	return b.String()
}

func TestMatchEqualsSlowly(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		ks := make([]Keyword, r.IntN(12))
		for i := range ks {
			ks[i] = Keyword{somewhere(r, 5), r.IntN(2) == 0}
		}
		in := FoldPlain(somewhere(r, 4), somewhere(r, 40))
		if got, want := NewMatcher(ks).Match(in), matchSlowly(ks, in); !slices.Equal(got, want) {
			t.Fatalf("%+v in %q: %v, want %v", ks, in.folded, got, want)
		}
	}
}

func FuzzMatch(f *testing.F) {
	f.Add("cat\ndog", "Concatenate, said the CAT.", "more")
	f.Add("a\naa\naaa\nba", "aaabaa", "\xff")
	f.Add("ß\nſ\nK", "ẞ s \u212a", "İı")
	f.Fuzz(func(t *testing.T, words, one, two string) {
		var ks []Keyword
		for i, w := range strings.Split(words, "\n") {
			ks = append(ks, Keyword{w, i%2 == 0})
		}
		in := FoldPlain(one, two)
		if got, want := NewMatcher(ks).Match(in), matchSlowly(ks, in); !slices.Equal(got, want) {
			t.Errorf("%+v in %q: %v, want %v", ks, in.folded, got, want)
		}
		if !utf8.ValidString(in.folded) {
			t.Errorf("folded to %q", in.folded)
		}
	})
}

// BenchmarkMatch searches for 100 keywords in the 40 statuses of a page.
func BenchmarkMatch(b *testing.B) {
	ks := make([]Keyword, 100)
	for i := range ks {
		ks[i] = Keyword{fmt.Sprintf("%c%c word %d", 'a'+i%26, 'a'+i*7%26, i), i%2 == 0}
	}
	long := FoldPlain("", strings.Repeat("a", 16<<10))
	chains := make([]Keyword, 200)
	for i := range chains {
		chains[i] = Keyword{strings.Repeat("a", i+1), i%2 == 0}
	}
	for _, c := range []struct {
		name string
		ks   []Keyword
		in   Plain
	}{{"page", ks, FoldPlain("", post)}, {"hostile", chains, long}} {
		m := NewMatcher(c.ks)
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				for range 40 {
					m.Match(c.in)
				}
			}
		})
	}
	b.Run("fold", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			FoldPlain("", post)
		}
	})
	b.Run("compile", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			NewMatcher(ks)
		}
	})
}

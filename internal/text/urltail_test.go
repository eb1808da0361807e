package text

import (
	"strings"
	"testing"
	"unicode"
)

func onlyLink(s string) string {
	links := Parse(s).Links()
	return strings.Join(links, " ")
}

// TestLinkEndsAtForeignMarks checks that a link ends before each symbol, quotation mark, bracket
// and phrase mark of Unicode, with or without a space after it.
func TestLinkEndsAtForeignMarks(t *testing.T) {
	const url = "https://birds.example/a"
	quotes := []*unicode.RangeTable{unicode.Pi, unicode.Pf, unicode.Ps, unicode.Pe}
	for r := rune(0x80); r <= unicode.MaxRune; r++ {
		if r == 0xfffd || Parse(string(r)).Text() != string(r) { // other forms of characters that are tested themselves
			continue
		}
		mark := unicode.In(r, unicode.S, unicode.P, unicode.Z) && !unicode.Is(unicode.Pc, r)
		if mark && onlyLink(url+string(r)+" next") != url {
			t.Errorf("%U before a space is part of the link", r)
		}
		ends := unicode.In(r, unicode.S, unicode.Z) || r == '…' || r == '—' ||
			unicode.In(r, quotes...) && r != '‘' && r != '’' || unicode.Is(unicode.Terminal_Punctuation, r) && !isSeparator(r)
		if ends && onlyLink(url+string(r)+"next") != url {
			t.Errorf("%U before a word is part of the link", r)
		}
		if unicode.In(r, unicode.L, unicode.N) && unicode.IsGraphic(r) && onlyLink(url+string(r)+"b") != url+string(r)+"b" {
			t.Errorf("%U is not part of the link", r)
		}
	}
}

// TestForeignAddresses checks that addresses from encyclopedias in many languages are complete
// links.
func TestForeignAddresses(t *testing.T) {
	for _, url := range []string{
		"https://ar.wikipedia.org/wiki/واشنطن،_دي_سي", "https://fa.wikipedia.org/wiki/می\u200cخواهم", "https://ur.wikipedia.org/wiki/پاکستان",
		"https://hi.wikipedia.org/wiki/डॉ॰_राजेन्द्र_प्रसाद", "https://hi.wikipedia.org/wiki/हिन्दी_की_बोलियाँ", "https://ja.wikipedia.org/wiki/レオナルド・ダ・ヴィンチ",
		"https://ja.wikipedia.org/wiki/けいおん！_(アニメ)", "https://ja.wikipedia.org/wiki/コーヒー", "https://he.wikipedia.org/wiki/צה״ל", "https://bo.wikipedia.org/wiki/བོད་ལྗོངས",
		"https://en.wikipedia.org/wiki/Wave–particle_duality", "https://ca.wikipedia.org/wiki/Col·lecció", "https://zh.wikipedia.org/wiki/维基百科:首页",
		"https://th.wikipedia.org/wiki/ภาษาไทย", "https://hy.wikipedia.org/wiki/Հայաստան", "https://en.wikipedia.org/wiki/½", "https://vi.wikipedia.org/wiki/Tiếng_Việt",
	} {
		for _, around := range [][2]string{{"", ""}, {"see ", " there"}, {"(", ")"}, {"«", "»"}, {"", "؟"}, {"", " — x"}, {"", "🎉"}, {"", "→"}, {"", "。"}} {
			if got := onlyLink(around[0] + url + around[1]); got != url {
				t.Errorf("%q in %q: %q", url, around, got)
			}
		}
	}
}

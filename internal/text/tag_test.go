package text

import (
	"strings"
	"testing"
)

func TestFoldTag(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"Go", "go"},
		{"CAFÉ", "cafe"},
		{"cafe\u0301", "cafe"},
		{"ｃａｆｅ", "cafe"},
		{"Straße", "straße"},
		{"Łódź", "lodz"},
		{"Ærø", "æro"},
		{"İstanbul", "istanbul"},
		{"ışık", "isik"},
		{"ΟΔΟΣ", "οδοσ"},
		{"οδος", "οδοσ"},
		{"tiếngViệt", "tiếngviệt"},
		{"ｶﾚｰ", "カレー"},
		{"ソード･アート", "ソード・アート"},
		{"col·laboració", "col·laboracio"},
		{"می\u200cخواهم", "می\u200cخواهم"},
		{"हिन्दी", "हिन्दी"},
		{"葛\U000e0100飾", "葛飾"},
		{"#a b!", "ab"},
		{"é!\u0301", "e"},
		{"", ""},
		{"!?", ""},
	} {
		if got := FoldTag(c.in); got != c.want {
			t.Errorf("FoldTag(%q) = %q, want %q", c.in, got, c.want)
		}
	}
	for _, long := range []string{strings.Repeat("x", 500), strings.Repeat("ไ", 100), strings.Repeat("ﷺ", 50)} {
		if n := len(FoldTag(long)); n > MaxTagKey || n < MaxTagKey-3 {
			t.Errorf("the key of %d bytes has %d bytes, want about %d", len(long), n, MaxTagKey)
		}
	}
}

func TestValidTag(t *testing.T) {
	for _, tag := range list("a A1 1a Ⓐ 1ा 20_24 ___ _a 日本 col·lab می\u200cخواهم हिन्दी ｇｏ ⅷ " + strings.Repeat("é", MaxTag)) {
		if !ValidTag(tag) {
			t.Errorf("ValidTag(%q) = false", tag)
		}
	}
	bad := list("1 2024 _ __ ·a a· #a a-b a.b 🎉 12_ \u0301a a\xff " + strings.Repeat("é", MaxTag+1))
	for _, tag := range append(bad, "", "a b", "a\n") {
		if ValidTag(tag) {
			t.Errorf("ValidTag(%q) = true", tag)
		}
	}
}

func TestValidLogin(t *testing.T) {
	for _, s := range list("a A _ 1 ann_2 " + strings.Repeat("x", MaxLogin)) {
		if !ValidLogin(s) {
			t.Errorf("ValidLogin(%q) = false", s)
		}
	}
	bad := list("a-b a.b @a é a: {a} ａ " + strings.Repeat("x", MaxLogin+1))
	for _, s := range append(bad, "", "a b", "a\n", "a\x00") {
		if ValidLogin(s) {
			t.Errorf("ValidLogin(%q) = true", s)
		}
	}
}

// What is folded character by character is folded as everything is: each character alone,
// and beside each other one.
func TestFoldPlain(t *testing.T) {
	var plain []rune
	for r := rune(0); r < 0x1fa00; r++ {
		if _, ok := foldPlain(string(r)); ok {
			plain = append(plain, r)
		}
	}
	if len(plain) < 128+224+768 {
		t.Fatalf("only %d characters are plain", len(plain))
	}
	for i, r := range plain {
		for _, s := range []string{string(r), "a" + string(r), string(r) + "é", string(r) + string(plain[(i*31+7)%len(plain)])} {
			if got, ok := foldPlain(s); !ok || got != fold(s, anyRune) {
				t.Errorf("foldPlain(%q) = %q, %t, want %q", s, got, ok, fold(s, anyRune))
			}
		}
	}
	for _, s := range []string{"Zwölf Boxkämpfer – „quer“ über den Deich… 👍", "Ça coûte 3 €, naïve Łódź", "plain"} {
		if _, ok := foldPlain(s); !ok && !strings.Contains(s, "€") {
			t.Errorf("%q is not folded character by character", s)
		}
	}
	for _, s := range []string{"e\u0301", "日本", "𝐀", "\U0001f1e9", "\xff"} {
		if got, ok := foldPlain(s); ok {
			t.Errorf("%q is folded to %q by itself", s, got)
		}
	}
}

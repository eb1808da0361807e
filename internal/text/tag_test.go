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
		{"ශ්\u200dරීලංකා", "ශ්රීලංකා"},
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

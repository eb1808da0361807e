package text

import (
	"strings"
	"testing"
)

func TestLine(t *testing.T) {
	for in, want := range map[string]string{
		"Ann":                             "Ann",
		"  Ann \n\t Lee\u00a0 ":           "Ann Lee",
		"\u202eAnn\u202c":                 "Ann",
		"\u2066a\u2067b\u2068c\u2069":     "abc",
		"\u061c\u200e":                    "",
		"שלום!\u200f":                     "שלום!\u200f",
		"\u202a\u202b\u202d":              "",
		"\u200b\u200b":                    "",
		"\u200d":                          "",
		"\u2060\ufeff\u00ad":              "",
		"\u3164":                          "",
		"\uffa0\u115f\u1160\u2800":        "",
		"\u034f\ufe0f":                    "",
		"\U000e0041\U000e007f":            "",
		"\u0301":                          "",
		"\u2028\u2029":                    "",
		"شب\u200cنشین":                    "شب\u200cنشین", // Persian needs its non-joiner
		"👩\u200d❤\ufe0f\u200d👩":           "👩\u200d❤\ufe0f\u200d👩",
		"🏴\U000e0067\U000e0062\U000e007f": "🏴\U000e0067\U000e0062\U000e007f",
		"שלום":                            "שלום",
		"한글":                              "한글",
		"a\x00b\u0085":                    "ab",
		"":                                "",
	} {
		if got := Line(in); got != want {
			t.Errorf("%+q: %+q, want %+q", in, got, want)
		}
	}
}

func TestOvermarked(t *testing.T) {
	for in, want := range map[string]bool{
		"":                                      false,
		"plain":                                 false,
		"a" + strings.Repeat("\u0301", 8):       false,
		"a" + strings.Repeat("\u0301", 9):       true,
		strings.Repeat("\u0301", 8000):          true,
		strings.Repeat("e\u0301", 8000):         false,
		"a" + strings.Repeat("\u0301\u200d", 9): true, // a joiner doesn't begin a new character
		"a" + strings.Repeat("\u0301\u034f", 5): true,
		"a" + strings.Repeat("\u20dd", 9):       true,
		"b\u0301" + strings.Repeat("\u0488", 8): true,
		"हा" + strings.Repeat("\u093e", 20):     false, // a long laugh
		"हा" + strings.Repeat("\u093e", 8000):   true,
		"بِسْمِ ٱللَّٰهِ ٱلرَّحْمَٰنِ ٱلرَّحِيمِ":  false,
		"בְּרֵאשִׁ֖ית בָּרָ֣א אֱלֹהִ֑ים":           false,
		"ཧཱུྃ་ ཨོཾ་མ་ཎི་པདྨེ":                      false,
		"ที่นี่ ผู้ใหญ่":                           false,
		"क्ष्म्य रा\u0937\u094d\u091f\u094d\u0930": false,
		"Tiếng Việt": false,
		"👁\ufe0f\u200d🗨\ufe0f 1\ufe0f\u20e3 👩🏽\u200d❤\ufe0f\u200d💋\u200d👨": false,
	} {
		if got := Overmarked(in); got != want {
			t.Errorf("%+q: %v", in[:min(len(in), 40)], got)
		}
	}
}

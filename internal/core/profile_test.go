package core

import (
	"strings"
	"testing"
)

func TestLanguage(t *testing.T) {
	for code, want := range map[string]string{
		"en": "en", "EN": "en", "en-US": "en", "pt-BR": "pt", "pt_BR": "pt", "de-Latn-DE": "de", "sr-Cyrl": "sr", "haw": "haw", "yue": "yue",
		"zh": "zh", "zh-CN": "zh-CN", "zh-TW": "zh-TW", "zh-HK": "zh-HK", "zh_tw": "zh-TW", "zh-Hant-TW": "zh-TW", "zh-Hant": "zh", "zh-SG": "zh", "zh-YUE": "yue", "nan": "nan", "nan-TW": "nan-TW",
		"iw": "he", "in": "id", "ji": "yi", "jw": "jv", "mo": "ro", "heb": "he", "": "", "x": "", "English": "", "und": "", "xx": "", "{de}": "", "a b": "", "-": "", "en-": "", "12": "", "\x00": "", strings.Repeat("en-", 1000): "", "de, en": "",
	} {
		if got := Language(code); got != want {
			t.Errorf("Language(%q) = %q, want %q", code, got, want)
		}
	}
}

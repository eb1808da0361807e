package text

import "testing"

func TestValidEmoji(t *testing.T) {
	for _, s := range []string{"👍", "👍🏽", "❤️", "❤", "🎉", "👨‍👩‍👧‍👦", "🏳️‍🌈", "🇩🇪", "1️⃣", "#️⃣", "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f", "☃", "🤔"} {
		if !ValidEmoji(s) {
			t.Errorf("%q is none", s)
		}
	}
	for _, s := range []string{"", "a", "1", "#", "👍👍", "👍a", "ok", "ä", "日", "\u200d", "\ufe0f", "1\u20e3\u20e3x", "👍 ", "<b>", "\u20e3", "x\u20e3"} {
		if ValidEmoji(s) {
			t.Errorf("%q is one", s)
		}
	}
}

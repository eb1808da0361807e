package locale

import (
	"strings"
	"testing"
	"time"
)

func TestPreferred(t *testing.T) {
	for accept, want := range map[string]string{"": "en", "*": "en", "de": "de", "de-CH, en;q=0.5": "de", "pt-BR, fr;q=0.3": "fr", "tlh": "en", "zz-bad-\x00": "en",
		"en-GB,en;q=0.9,de;q=0.8": "en", "es-419": "es", "ja-JP": "ja", "ar-EG,ar": "ar", "nl,en;q=0.1": "en"} {
		if got := Preferred(accept).Code; got != want {
			t.Errorf("Preferred(%q) = %s, want %s", accept, got, want)
		}
	}
}

func TestSentence(t *testing.T) {
	for _, tc := range []struct{ code, in, want string }{
		{"en", "", ""}, {"en", "is taken", "Is taken."}, {"en", "Is it?", "Is it?"}, {"fr", "étrange", "Étrange."}, {"ja", "短すぎます", "短すぎます。"}, {"ar", "لماذا؟", "لماذا؟"},
	} {
		if got := Named(tc.code).Sentence(tc.in); got != tc.want {
			t.Errorf("%s: Sentence(%q) = %q, want %q", tc.code, tc.in, got, tc.want)
		}
	}
}

func TestNumbers(t *testing.T) {
	for code, want := range map[string]string{"en": "-1,234,567", "de": "-1.234.567", "fr": "-1\u00a0234\u00a0567", "es": "-1.234.567", "ja": "-1,234,567", "ar": "\u200e-1,234,567"} {
		if got := Named(code).Number(-1234567); got != want {
			t.Errorf("%s: %q, want %q", code, got, want)
		}
		if got := Named(code).Number(999); got != "999" {
			t.Errorf("%s: %q", code, got)
		}
	}
}

func TestDecimals(t *testing.T) {
	for code, want := range map[string]string{"en": "0.5", "de": "0,5", "fr": "0,5", "es": "0,5", "ja": "0.5", "ar": "0.5"} {
		l := Named(code)
		for _, got := range []string{l.Decimal(.5, 1), l.Decimal(.5, -1), l.Decimal(.52, 1), l.Text("%.1f", .5), l.Text("%v", .5)} {
			if got != want {
				t.Errorf("%s: %q, want %q", code, got, want)
			}
		}
		if got := l.Decimal(20, 2) + l.Text(" %.0f", 20.); got != "20 20" {
			t.Errorf("%s: %q", code, got)
		}
	}
	if got := Named("de").Text("has a contrast of %.1f to 1 with the background, but needs %.1f to 1 to be readable. Choose a darker colour, such as %v", 4.25, 4.5, "#000"); !strings.Contains(got, "4,2") || !strings.Contains(got, "4,5") {
		t.Error(got)
	}
}

// TestPlurals checks that each language uses its plural forms.
func TestPlurals(t *testing.T) {
	if one, two := English().Count(1, "%s second", "%s seconds"), English().Count(2000, "%s second", "%s seconds"); one != "1 second" || two != "2,000 seconds" {
		t.Errorf("English: %q, %q", one, two)
	}
	forms := map[string]int{"de": 2, "fr": 2, "es": 2, "ja": 1, "ar": 6}
	for code, want := range forms {
		l, seen := Named(code), map[int]bool{}
		for n := range int64(200) {
			seen[form(l, n)] = true
		}
		if len(seen) != want {
			t.Errorf("%s has %d forms, want %d", code, len(seen), want)
		}
	}
}

// form returns the index of the plural form for n.
func form(l *Language, n int64) int {
	switch {
	case l.Code == "ja":
		return 0
	case l.Code == "fr":
		return min(int(n/2), 1)
	case l.Code != "ar":
		return min(int((n-1)*(n-1)), 1)
	case n < 3:
		return int(n)
	case n%100 >= 3 && n%100 <= 10:
		return 3
	case n%100 >= 11:
		return 4
	}
	return 5
}

func TestDates(t *testing.T) {
	at := time.Date(2026, 3, 9, 14, 5, 0, 0, time.UTC)
	for code, want := range map[string]string{"en": "9 March 2026", "de": "9. März 2026", "fr": "9 mars 2026", "es": "9 de marzo de 2026", "ja": "2026年3月9日"} {
		if got := Named(code).Time(at, Mark("2 January 2006")); got != want {
			t.Errorf("%s: %q, want %q", code, got, want)
		}
	}
	for code, want := range map[string]string{"en": "9 Sep, 9 May", "de": "9. Sept., 9. Mai", "fr": "9 sept., 9 mai", "es": "9 sept, 9 mayo", "ja": "9月9日, 5月9日", "ar": "9 سبتمبر, 9 مايو"} {
		l := Named(code)
		if got := l.Time(at.AddDate(0, 6, 0), Mark("2 Jan")) + ", " + l.Time(at.AddDate(0, 2, 0), Mark("2 Jan")); got != want {
			t.Errorf("%s: %q, want %q", code, got, want)
		}
	}
}

// TestValuesAreIsolated checks that handles keep their direction in Arabic texts, and that
// left-to-right languages add no isolates.
func TestValuesAreIsolated(t *testing.T) {
	if got := Named("ar").Text("Mute %s?", "@ann"); !strings.Contains(got, "\u2068@ann\u2069") {
		t.Errorf("Arabic: %q", got)
	}
	if got := Named("de").Text("Mute %s?", "@ann"); strings.ContainsRune(got, '\u2068') || !strings.Contains(got, "@ann") {
		t.Errorf("German: %q", got)
	}
}

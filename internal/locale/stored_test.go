package locale

import (
	"fmt"
	"testing"
	"time"

	"linnet/internal/wording"
)

// TestMessages checks that a message is translated as a value of another one, and as part of an
// error.
func TestMessages(t *testing.T) {
	size := wording.Messagef("%.1f GB", 1.5)
	text := wording.Messagef("%s: the store refuses writes", size)
	if got := text.String() + " " + text.In(Named("de")); got != "1.5 GB: the store refuses writes 1,5 GB: Es wird nichts mehr geschrieben" {
		t.Error(got)
	}
	alone := wording.Messagef("%s (%s)", wording.Messagef("the server itself"), fmt.Errorf("wrapped: %w", told{}))
	if got := alone.String() + " " + alone.In(Named("de")); got != "the server itself (disk) der Server selbst (Festplatte)" {
		t.Error(got)
	}
}

type told struct{}

func (told) Error() string            { return "" }
func (told) Message() wording.Message { return "disk" }

func TestKept(t *testing.T) {
	const contrast = "has a contrast of %.1f to 1 with the background, but needs %.1f to 1 to be readable. Choose a darker colour, such as %v"
	german, at := Named("de"), time.Date(2026, 11, 26, 16, 45, 11, 0, time.UTC)
	for _, tc := range []struct{ kept, english, german string }{
		{wording.Store("is taken"), "is taken", german.Text("is taken")},
		{"what an earlier release kept, which has %d", "what an earlier release kept, which has %d", "what an earlier release kept, which has %d"},
		{wording.Store("At most %d characters.", 30), "At most 30 characters.", german.Text("At most %d characters.", 30)},
		{wording.Store(contrast, 4.0, 4.5, "#000"), "has a contrast of 4.0 to 1 with the background, but needs 4.5 to 1 to be readable. Choose a darker colour, such as #000", german.Text(contrast, 4.0, 4.5, "#000")},
		{wording.Store("%s %s", "name", wording.Store("At most %d characters.", uint8(30))), "name At most 30 characters.", "name: " + german.Text("At most %d characters.", 30)},
		{wording.Store("%s %s", "a\x1eb\x1f\"c\"\n", "é"), "a\x1eb\x1f\"c\"\n é", "a\x1eb\x1f\"c\"\n: é"},
		{wording.Store("%d %s", time.Second, "x"), "1000000000 x", "1000000000 x"},
		{wording.Store("%v %s", time.Second, "x"), "1 s x", "1 s x"},
		{wording.Store("A round trip to the store takes %s", 1050*time.Microsecond), "A round trip to the store takes 1.05 ms", german.Text("A round trip to the store takes %s", "1,05 ms")},
		{string(wording.Messagef("in %s", at)), "in 26 November 2026, 16:45 UTC", "in 26. November 2026, 16:45 UTC"},
		{string(wording.Messagef("in %s", wording.Day(at))), "in 26 November 2026", "in 26. November 2026"},
		{string(wording.Messagef("in %s", 90*time.Second)), "in 1 min 30 s", "in 1 Min. 30 s"},
		{string(wording.List("none", wording.Messagef("At most %d characters.", 30))), "none; At most 30 characters.", "keine; " + german.Text("At most %d characters.", 30)},
	} {
		if got := English().Stored(tc.kept); got != tc.english {
			t.Errorf("%q in English: %q, want %q", tc.kept, got, tc.english)
		}
		if got := german.Stored(tc.kept); got != tc.german {
			t.Errorf("%q in German: %q, want %q", tc.kept, got, tc.german)
		}
	}
	for _, strange := range []string{"a\x1ex", "a\x1e\"%s\"\x1f", "a\x1e\"%d\"\x1fix"} {
		if got := german.Stored(strange); got != strange {
			t.Errorf("%q: %q", strange, got)
		}
	}
}

// TestFormerTexts checks that messages stored by earlier releases are shown with their present
// text.
func TestFormerTexts(t *testing.T) {
	german := Named("de")
	if got := english(wording.Store("%s; about %s are left", "a", time.Second)); got != "a; about 1 s left" {
		t.Error(got)
	}
	for old, now := range former() {
		if got := german.Stored(old); got != german.Stored(now) {
			t.Errorf("%q is %q in German, and its present text %q", old, got, german.Stored(now))
		}
		if former()[now] != "" {
			t.Errorf("%q leads to %q, which is a former text too", old, now)
		}
		if german.load().texts[now] == "" {
			t.Errorf("%q leads to %q, which the catalogues lack", old, now)
		}
	}
}

func english(kept string) string { return English().Stored(kept) }

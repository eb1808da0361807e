package identity_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
)

// TestTerms checks that terms of service apply from their date until the next ones, cannot be
// changed later, and are written by administrators only.
func TestTerms(t *testing.T) {
	w, clock := apptest.WithClock(t)
	day := func(n int) string { return clock.Now().UTC().AddDate(0, 0, n).Format(time.DateOnly) }
	set := func(day, text string) linnet.Kind {
		return linnet.KindOf(w.Settings.SetTerms(w.Ctx, linnet.Operator(), day, text))
	}
	remove := func(day string) linnet.Kind {
		return linnet.KindOf(w.Settings.RemoveTerms(w.Ctx, linnet.Operator(), day))
	}
	is := func(what, of, want string) {
		t.Helper()
		terms, err := w.Settings.Terms(w.Ctx, of)
		got := fmt.Sprint(terms.Text, " ", terms.Now, " ", terms.Past, " ", terms.Next != "")
		if err != nil {
			got = fmt.Sprint(linnet.KindOf(err) == linnet.NotFound)
		}
		if got != want {
			t.Errorf("%s: %s, want %s", what, got, want)
		}
	}
	is("none", "", "true")
	today, later := day(0), day(10)
	for what, kind := range map[string]linnet.Kind{"": set("soon", "x"), "past": set(day(-1), "x"), "blank": set(later, " "), "long": set(later, strings.Repeat("x", linnet.MaxTerms+1))} {
		if kind != linnet.Invalid {
			t.Errorf("%q: %v", what, kind)
		}
	}
	if kind := remove(later); kind != linnet.NotFound {
		t.Errorf("taking back what is not there: %v", kind)
	}
	if err := w.Settings.SetTerms(w.Ctx, linnet.By(w.Person("ann")), later, "mine"); linnet.KindOf(err) != linnet.Forbidden {
		t.Errorf("by a member: %v", err)
	}
	set(later, "Later.")
	is("before any are in force the first are shown", "", "Later. false false false")
	set(today, "Nwo.")
	set(today, "Now.")
	is("in force", "", "Now. true false true")
	is("planned", later, "Later. false false false")
	w.Check()
	clock.Advance(10 * 24 * time.Hour)
	is("then", "", "Later. true false false")
	is("before them", today, "Now. false true true")
	if kind := remove(today); kind != linnet.Invalid {
		t.Errorf("taking back what was in force: %v", kind)
	}
	remove(later)
	is("taken back on their first day", "", "Now. true false false")
	w.Check()
	for i := range linnet.MaxTermsVersions {
		set(day(i), "x")
	}
	if kind := set(day(100), "one more"); kind != linnet.Invalid {
		t.Errorf("too many: %v", kind)
	}
	w.Check()
}

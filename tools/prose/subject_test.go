package main

import (
	"strings"
	"testing"
)

func TestSubjects(t *testing.T) {
	for subject, want := range map[string]string{
		"view: hide cursors of invisible posts": "",
		"web, mastodon: accept changed pages":   "",
		"internal/kv: embed scripts":            "",
		"docs: bring README up to date":         "",
		"README: shorten":                       "form",
		"docs: README names the license":        "",
		`Revert "view: hide cursors"`:           "",
		"Merge branch 'a' into b":               "",
		"Who is deleted is not found any more":  "form",
		"view: Hide cursors":                    "upper case",
		"view: hide cursors.":                   "full stop",
		"view: " + strings.Repeat("x", 65):      "longer",
		"view: " + strings.Repeat("ü", 64):      "",
		"view: added cursors":                   "imperative",
		"view: hiding cursors":                  "imperative",
		"view: fixes cursors":                   "imperative",
		"web: need a password":                  "",
		"store: shed load":                      "",
		"view:hide cursors":                     "form",
		"":                                      "form",
	} {
		got := subjectFault(subject)
		if (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("%q: %q, want %q", subject, got, want)
		}
	}
}

func TestRunSubjects(t *testing.T) {
	var out strings.Builder
	if err := run([]string{"--subjects", "-"}, strings.NewReader("view: hide cursors\n\nweb: add a page\n"), &out); err != nil || out.Len() > 0 {
		t.Errorf("%v, %q", err, out.String())
	}
	err := run([]string{"--subjects", "-"}, strings.NewReader("view: hide cursors\nBad one\n"), &out)
	if err == nil || !strings.Contains(out.String(), "Bad one") || strings.Contains(out.String(), "hide") {
		t.Errorf("%v, %q", err, out.String())
	}
}

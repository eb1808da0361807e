package main

import (
	"slices"
	"strings"
	"testing"
)

func TestOffends(t *testing.T) {
	for _, tc := range []struct {
		sentence string
		want     bool
	}{
		{"The server deletes what is older than a week.", true},
		{"Posts from people you follow appear here.", false},
		{"Who asks gets the newest posts of the group.", true},
		{"The store is closed, whoever opened it.", true},
		{"A list is shown to who made it.", true},
		{"Choose who can see your posts and profile.", false},
		{"Ask yourself: who am I and where?", false},
		{"What people post whom you follow comes here.", true},
		{"Nobody can read the key after that.", true},
		{"Those who follow you are notified at once.", true},
		{"Each server has a key of its own.", true},
		{"The index is stored beside the posts.", true},
		{"Choose what to do with it.", false},
	} {
		if got := offends(tc.sentence); got != tc.want {
			t.Errorf("%q: %v, want %v", tc.sentence, got, tc.want)
		}
	}
}

func TestSentences(t *testing.T) {
	for _, tc := range []struct {
		file, text string
		want       []string
	}{
		{"a.md", "# Backups\n\nRun `linnet backup`. It asks\nfor nothing.\n\n```\nwhat is this\n```\n- One item,\n  two lines\n2. Second\n\n| a | b [c](d) |\n> Quoted.",
			[]string{"Backups", "Run CODE.", "It asks for nothing.", "One item, two lines", "Second", "a", "b c", "Quoted."}},
		{"a.po", "msgid \"\"\nmsgstr \"\"\n\"Language: de\\n\"\n\n#: x.go\nmsgctxt \"c\"\nmsgid \"One \\\"post\\\". Two.\"\nmsgid_plural \"%d posts\"\nmsgstr[0] \"Ein\"\n",
			[]string{"One \"post\". Two.", "%d posts"}},
		{"a.go", "// F sends. It waits, e.g. for a\n// reply.\n//\n//\tx := 1\n//go:embed a\nvar x = 1 // the number\nvar y = \"a//b\"\n",
			[]string{"F sends.", "It waits, e.g. for a reply.", "the number"}},
		{"-", "web: add a page\nweb: fix it\n", []string{"web: add a page", "web: fix it"}},
	} {
		if got := sentences(tc.file, tc.text); !slices.Equal(got, tc.want) {
			t.Errorf("%s:\n got %q\nwant %q", tc.file, got, tc.want)
		}
	}
}

func TestRun(t *testing.T) {
	const text = "Posts from people you follow appear in this list.\nWhat is older than a week is deleted again.\nWhat is it?\n"
	var out strings.Builder
	err := run([]string{"--max", "50", "-"}, strings.NewReader(text), &out)
	if want := " 50.0 %  1 of 2  -\n\tWhat is older than a week is deleted again.\n"; err != nil || out.String() != want {
		t.Errorf("%v, %q, want %q", err, out.String(), want)
	}
	out.Reset()
	if err := run([]string{"--max", "3", "--quiet", "-"}, strings.NewReader(text), &out); err == nil || !strings.Contains(out.String(), "What is older") {
		t.Errorf("%v, %q, want a failure with the sentence", err, out.String())
	}
	if err := run(nil, nil, &out); err == nil {
		t.Error("no error without files")
	}
}

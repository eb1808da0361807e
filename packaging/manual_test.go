package main

import (
	"slices"
	"testing"
)

// TestManual: archives and packages contain every page of the operator manual.
func TestManual(t *testing.T) {
	r := &release{root: ".."}
	if err := r.addManual(); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range r.papers {
		names = append(names, p.name)
	}
	for _, page := range []string{"install", "configure", "backup", "troubleshoot"} {
		if !slices.Contains(names, "docs/admin/"+page+".md") {
			t.Errorf("%s is missing: %v", page, names)
		}
	}
	if err := (&release{root: t.TempDir()}).addManual(); err == nil {
		t.Error("a tree without pages is accepted")
	}
}

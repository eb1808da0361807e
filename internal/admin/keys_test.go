package admin_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"linnet/internal/admin"
	"linnet/internal/record"
)

func TestManualOfKeys(t *testing.T) {
	var want bytes.Buffer
	if err := admin.PrintKeysMarkdown(&want); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../docs/keys.md")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want.Bytes()) {
		t.Error("docs/keys.md is not what the table of keys says: write it anew with linnet keys --markdown >docs/keys.md")
	}
}

func TestPrintKeys(t *testing.T) {
	var b strings.Builder
	if err := admin.PrintKeys(&b); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "\n"); n != len(record.Keys())+1 {
		t.Errorf("%d lines for %d kinds of key", n, len(record.Keys()))
	}
	if !strings.Contains(b.String(), "status:{17}:<status>") {
		t.Errorf("no pattern of a status:\n%s", b.String())
	}
}

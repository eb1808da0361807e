package archives

import (
	"strings"
	"testing"

	"linnet/internal/linnet"
	"linnet/internal/record"
)

// FuzzReadRows: whatever a file holds, its rows keep to the limits, each names something, and
// none twice; what has failed is read back as it was.
func FuzzReadRows(f *testing.F) {
	for _, s := range []string{"a\n", "Account address,Show boosts\nann@x,false\n", "List name,Account address\n\"A, b\",c\n", "#uri\nhttps://x/users/a/statuses/1\n", "\ufeffAccount address,Languages\na,\"en, de\"\n", "\"", ",,,\n,", "a\rb", "\xff", "List name;Account address\nA;c\n"} {
		for kind := range linnet.CSVKinds() {
			f.Add(s, byte(kind))
		}
	}
	f.Fuzz(func(t *testing.T, s string, k byte) {
		kind := linnet.CSVKinds()[int(k)%len(linnet.CSVKinds())]
		rows, _, err := readRows(strings.NewReader(s), kind)
		if err != nil {
			if linnet.KindOf(err) != linnet.Invalid {
				t.Fatal(err)
			}
			return
		}
		if len(rows) == 0 || len(rows) > linnet.MaxImportRows {
			t.Fatalf("%d rows", len(rows))
		}
		seen := map[[2]string]bool{}
		for i, r := range rows {
			key := [2]string{strings.ToLower(r.Name), r.List}
			if r.Name == "" || len(r.Name) > maxCell || seen[key] {
				t.Fatalf("row %+v", r)
			}
			seen[key], rows[i].Wrong = true, "x"
		}
		if len(record.Encode(rows[:min(len(rows), chunkRows)])) > 256<<10 {
			t.Fatal("a chunk is too large for the store")
		}
	})
}

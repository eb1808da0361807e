package archives

import (
	"strings"
	"testing"

	"linnet/internal/linnet"
	"linnet/internal/record"
)

// TestReadRowsOfSpreadsheets reads the line ends and separators that programs write.
func TestReadRowsOfSpreadsheets(t *testing.T) {
	for name, file := range map[string]string{
		"LF":                    "Account address,Show boosts\nann@x,false\nbob@x,true\n",
		"CRLF":                  "Account address,Show boosts\r\nann@x,false\r\nbob@x,true\r\n",
		"CR":                    "Account address,Show boosts\rann@x,false\rbob@x,true\r",
		"CR, BOM, quote":        "\ufeffAccount address,Show boosts\r\"ann@x\",false\rbob@x,true",
		"tabs":                  "Account address\tShow boosts\nann@x\tfalse\nbob@x\ttrue\n",
		"tabs and CR":           "Account address\tShow boosts\rann@x\tfalse\rbob@x\ttrue\r",
		"tabs, an empty column": "Account address\tLanguages\tShow boosts\nann@x\t\tfalse\nbob@x\t\ttrue\n",
		"semicolons":            "Account address;Show boosts\nann@x;false\nbob@x;true\n",
		"commas in cells":       "Account address\tShow boosts\tLanguages\nann@x\tfalse\ten, de\nbob@x\ttrue\t\n",
	} {
		rows, _, err := readRows(strings.NewReader(file), linnet.FollowingCSV)
		if err != nil || len(rows) != 2 || rows[0].Name != "ann@x" || rows[1].Name != "bob@x" || rows[0].Opt == nil || rows[0].Opt.Reposts == nil || *rows[0].Opt.Reposts || !*rows[1].Opt.Reposts {
			t.Errorf("%s: %+v, %v", name, rows, err)
		}
	}
}

// FuzzReadRows checks that rows of any file are within the limits, named and unique.
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

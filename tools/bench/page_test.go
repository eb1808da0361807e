package bench

import (
	"encoding/json"
	"strings"
	"testing"
)

const twoStatuses = `[{"id":"12","account":{"id":"7","fields":[{"name":"a\"}]"}]},"content":"<p>\\","favourites_count":3,
  "reblog":{"id":"5","favourites_count":99},"card":null,"sensitive":false},
 { "favourites_count" : 0 , "id" : "9" }]`

func TestScanPage(t *testing.T) {
	items, err := scanPage([]byte(twoStatuses), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(items) != 2 || string(items[0].id) != "12" || items[0].favourites != 3 || string(items[1].id) != "9" || items[1].favourites != 0 {
		t.Errorf("items %+v", items)
	}
	for _, empty := range []string{"[]", " [ ] \n"} {
		if items, err := scanPage([]byte(empty), nil); err != nil || len(items) != 0 {
			t.Errorf("%q: %v %v", empty, items, err)
		}
	}
	for _, bad := range []string{"", "{}", "[", "[{}]", `[{"id":"1"}`, `[{"id":"1"}] x`, `[{"id":1}]`, `[{"id":"1\n"}]`,
		`[{"id":"1","favourites_count":"2"}]`, `[{"id":"1" "x":2}]`, `{"error":"gone"}`, `[{"id":"1","a":[}]`} {
		if items, err := scanPage([]byte(bad), nil); err == nil {
			t.Errorf("%q was read as %v", bad, items)
		}
	}
}

// FuzzScanPage compares the results with the standard decoder for texts that it accepts as a page.
func FuzzScanPage(f *testing.F) {
	f.Add(twoStatuses)
	f.Add(`[{"id":"1","x":-1.5e3,"y":[[],{}],"z":"\\\""}]`)
	f.Fuzz(func(t *testing.T, text string) {
		items, err := scanPage([]byte(text), nil)
		var want []map[string]json.RawMessage
		if json.Unmarshal([]byte(text), &want) != nil || !plainPage(text, want) {
			return // skipped parts are not validated
		}
		if err != nil || len(items) != len(want) {
			t.Fatalf("%q: %v, %d items, want %d", text, err, len(items), len(want))
		}
		for i, w := range want {
			if got := `"` + string(items[i].id) + `"`; got != string(w["id"]) {
				t.Fatalf("%q: id %s, want %s", text, got, w["id"])
			}
		}
	})
}

// plainPage reports whether all ids are strings without escapes, keys are unique and in their usual
// spelling, and all counts are small integers.
func plainPage(text string, page []map[string]json.RawMessage) bool {
	for _, s := range page {
		id, count := string(s["id"]), string(s["favourites_count"])
		if len(id) < 3 || id[0] != '"' || strings.Trim(count, "0123456789") != "" || len(count) > 15 || count == "" && s["favourites_count"] != nil {
			return false
		}
	}
	return strings.Count(text, `"id"`) == len(page) && strings.Count(text, `"favourites_count"`) <= len(page) &&
		!strings.Contains(text, `\`) && page != nil
}

func TestCompareIDs(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"9", "10", -1}, {"10", "9", 1}, {"10", "10", 0}, {"01H", "01G", 1}} {
		if got := compareIDs(c.a, c.b); got != c.want {
			t.Errorf("compareIDs(%s, %s) = %d", c.a, c.b, got)
		}
	}
}

func TestCheckOrder(t *testing.T) {
	for _, c := range []struct{ ids, kind string }{
		{"", ""}, {"5", ""}, {"10 9 8", ""}, {"9 10", kindOrder}, {"10 10", kindRepeat}, {"10 9 10", kindRepeat}, {"10 8 9", kindOrder},
	} {
		var items []item
		for _, id := range strings.Fields(c.ids) {
			items = append(items, item{id: []byte(id)})
		}
		err := checkOrder(&request{method: "GET", path: "/x"}, items)
		if (err == nil) != (c.kind == "") || err != nil && KindOf(err) != c.kind {
			t.Errorf("%s: %v, want %q", c.ids, err, c.kind)
		}
	}
}

func BenchmarkScanPage(b *testing.B) {
	one := `{"id":"112345678901234567","created_at":"2025-01-01T00:00:00.000Z","in_reply_to_id":null,"content":"` +
		strings.Repeat(`\u003cp\u003eSome words \u003ca href=\"https://example.com\"\u003e`, 8) + `","favourites_count":12,"account":{"id":"1","note":"` +
		strings.Repeat("words ", 60) + `","fields":[{"name":"x","value":"y"}]},"mentions":[],"tags":[]}`
	page := []byte("[" + strings.Repeat(one+",", 19) + one + "]")
	b.SetBytes(int64(len(page)))
	var items []item
	for b.Loop() {
		var err error
		if items, err = scanPage(page, items[:0]); err != nil {
			b.Fatal(err)
		}
	}
}

package archives

import (
	"fmt"
	"strings"
	"testing"

	"linnet/internal/linnet"
	"linnet/internal/text"
)

// TestReadOPML reads files of feed readers, and files that must not harm the server.
func TestReadOPML(t *testing.T) {
	outlines := func(n int) string { return strings.Repeat(`<outline xmlUrl="https://a.example/">`, n) }
	longest := "https://a.example/" + strings.Repeat("a", text.MaxURL-len("https://a.example/"))
	var many strings.Builder
	for n := range 100 {
		fmt.Fprintf(&many, `<outline xmlUrl="%s%d"/>`, longest[:text.MaxURL-2], n)
	}
	for _, tc := range []struct {
		name, file, want string // addresses, or the beginning of the error
	}{
		{"folders", `<?xml version="1.0"?><opml version="2.0"><body><outline text="News"><outline type="rss" xmlUrl="https://a.example/?a=1&amp;b=2"/></outline><outline XMLURL=" https://b.example/ "/><outline text="none"/></body></opml>`, "https://a.example/?a=1&b=2 https://b.example/"},
		{"repeated", `<opml><outline xmlUrl="https://a.example/"/><outline xmlUrl="https://a.example/"/></opml>`, "https://a.example/"},
		{"deep", "<opml>" + outlines(200_000), "https://a.example/"},
		{"entity bomb", `<!DOCTYPE opml [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><opml><outline xmlUrl="&b;"/></opml>`, "&b;"},
		{"no feeds", `<opml><body/></opml>`, "contains no feeds"},
		{"HTML", `<html><body>`, "is not a valid OPML file"},
		{"CSV", "a,b\n", "contains no feeds"},
		{"cut", `<opml><outline xmlUrl="htt`, "is not a valid OPML file"},
		{"UTF-16", "\xff\xfe<\x00", "is not a valid OPML file"},
		{"long", `<opml><outline xmlUrl="` + longest + `"/></opml>`, longest},
		{"too long", `<opml><outline xmlUrl="` + longest + `a"/></opml>`, "has an address longer than 2048 bytes"},
		{"many long", `<opml>` + many.String() + `</opml>`, "contains too many long addresses"},
		{"large", "<opml>" + strings.Repeat(" ", linnet.MaxImportBytes) + "</opml>", "is larger than 20 MB"},
	} {
		rows, err := readOPML(strings.NewReader(tc.file))
		var got []string
		for _, r := range rows {
			got = append(got, r.Name)
		}
		if err != nil {
			got = []string{strings.TrimPrefix(err.Error(), "Validation failed: File ")}
		}
		if out := strings.Join(got, " "); !strings.HasPrefix(out, tc.want) {
			t.Errorf("%s: %q, want %q", tc.name, out, tc.want)
		}
	}
}

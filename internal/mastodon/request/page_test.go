package request

import (
	"net/url"
	"regexp"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

func TestLinkHeader(t *testing.T) {
	for _, c := range []struct {
		asked       string
		first, last linnet.Cursor
		want        string
	}{
		{"/api/v1/timelines/home", "", "", ""},
		{"/api/v1/timelines/home", "9", "5",
			`<https://x.test/api/v1/timelines/home?max_id=5>; rel="next", <https://x.test/api/v1/timelines/home?min_id=9>; rel="prev"`},
		{"/api/v1/timelines/home?limit=2", "9", "",
			`<https://x.test/api/v1/timelines/home?limit=2&min_id=9>; rel="prev"`},
		{"/api/v1/timelines/home?limit=2&max_id=70&since_id=1", "9", "5",
			`<https://x.test/api/v1/timelines/home?limit=2&max_id=5>; rel="next", <https://x.test/api/v1/timelines/home?limit=2&min_id=9>; rel="prev"`},
		{"/api/v1/timelines/tag/a?any[]=x,y&any[]=z;w&access_token=secret", "9", "",
			`<https://x.test/api/v1/timelines/tag/a?any%5B%5D=x%2Cy&any%5B%5D=z%3Bw&min_id=9>; rel="prev"`},
		{"/api/v1/timelines/tag/caf%C3%A9,a;b", "9", "",
			`<https://x.test/api/v1/timelines/tag/caf%C3%A9%2Ca%3Bb?min_id=9>; rel="prev"`},
	} {
		// A server sees the semicolon of a query escaped or not at all.
		u, err := url.ParseRequestURI(strings.Replace(c.asked, "z;w", "z%3Bw", 1))
		if err != nil {
			t.Fatal(err)
		}
		if got := linkHeader("https://x.test", u, c.first, c.last); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.asked, got, c.want)
		}
	}
}

// FuzzLinkHeader checks that the header satisfies the strictest clients. They read one or two
// links, at most one comma, absolute URLs and numeric cursors.
func FuzzLinkHeader(f *testing.F) {
	f.Add("/api/v1/timelines/tag/a", "limit=2&any[]=x", uint64(9), uint64(5))
	f.Add("/a,b;c>d", "x=>;,\"&max_id=1", uint64(1), uint64(0))
	form := regexp.MustCompile(`^(<https://x\.test/[^<>,;" ]*\?([^<>,;" ]*&)?max_id=\d+(&[^<>,;" ]*)?>; rel="next")?(, )?` +
		`(<https://x\.test/[^<>,;" ]*\?([^<>,;" ]*&)?min_id=\d+(&[^<>,;" ]*)?>; rel="prev")?$`)
	f.Fuzz(func(t *testing.T, path, query string, first, last uint64) {
		u := &url.URL{Path: "/" + strings.Trim(path, "/"), RawQuery: query}
		var a, b linnet.Cursor
		if first != 0 {
			a = linnet.CursorOf(linnet.ID(first))
		}
		if last != 0 {
			b = linnet.CursorOf(linnet.ID(last))
		}
		got := linkHeader("https://x.test", u, a, b)
		if !form.MatchString(got) {
			t.Fatalf("%q", got)
		}
		for part := range strings.SplitSeq(got, ", ") {
			raw, _, _ := strings.Cut(strings.TrimPrefix(part, "<"), ">")
			if _, err := url.Parse(raw); err != nil {
				t.Fatal(err)
			}
		}
	})
}

package outsidefeed_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"linnet/internal/linnet"
	"linnet/internal/outsidefeed"
	"linnet/internal/text"
)

var (
	now  = time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	site = &url.URL{Scheme: "https", Host: "example.org", Path: "/feed.xml"}
)

func channel(items string) string {
	return `<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>News</title><link>/</link>` + items + `</channel></rss>`
}

// TestParse checks the item that becomes of each kind of feed.
func TestParse(t *testing.T) {
	date := time.Date(2026, 11, 1, 10, 0, 0, 0, time.UTC)
	for _, tc := range []struct {
		name, feed string
		want       outsidefeed.Item
	}{
		{"RSS", channel(`<item><title>A &amp;amp; B</title><link>/a</link><description>&lt;p&gt;One&lt;/p&gt;&lt;p&gt;Two&lt;/p&gt;&lt;img src="/p.png" alt="A bird"&gt;</description><pubDate>Sun, 01 Nov 2026 10:00:00 GMT</pubDate></item>`),
			outsidefeed.Item{Title: "A & B", Text: "One\n\nTwo", Link: "https://example.org/a", Picture: "https://example.org/p.png", Alt: "A bird", At: date}},
		{"Atom", `<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title><entry><id>1</id><title type="html">&lt;b&gt;A&lt;/b&gt;</title><link href="https://example.org/a"/><updated>2026-11-01T10:00:00Z</updated><summary>Text</summary></entry></feed>`,
			outsidefeed.Item{Title: "A", Text: "Text", Link: "https://example.org/a", At: date}},
		{"JSON Feed", `{"version":"https://jsonfeed.org/version/1.1","title":"News","items":[{"id":"1","title":"A","url":"https://example.org/a","content_html":"<p>Text","date_published":"2026-11-01T10:00:00Z"}]}`,
			outsidefeed.Item{Title: "A", Text: "Text", Link: "https://example.org/a", At: date}},
		{"enclosure", channel(`<item><title>A</title><enclosure url="https://example.org/p.jpg" type="image/jpeg" length="1"/></item>`),
			outsidefeed.Item{Title: "A", Picture: "https://example.org/p.jpg"}},
		{"media", channel(`<item><title>A</title><media:group><media:thumbnail url="https://example.org/p.jpg"/></media:group></item>`),
			outsidefeed.Item{Title: "A", Picture: "https://example.org/p.jpg"}},
		{"Latin-1", "<?xml version=\"1.0\" encoding=\"iso-8859-1\"?>" + channel("<item><title>Stra\xdfe</title></item>"), outsidefeed.Item{Title: "Straße"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			title, items, err := outsidefeed.Items([]byte(tc.feed), site, now)
			if err != nil || title != "News" || len(items) != 1 {
				t.Fatalf("%q, %+v, %v", title, items, err)
			}
			got := items[0]
			if got.Hashes = nil; got.Title != tc.want.Title || got.Text != tc.want.Text || got.Link != tc.want.Link || got.Picture != tc.want.Picture || got.Alt != tc.want.Alt || !got.At.Equal(tc.want.At) {
				t.Errorf("got  %+v\nwant %+v", got, tc.want)
			}
		})
	}
}

// hostile returns feeds that must not harm the server or readers.
func hostile() map[string]string {
	bomb := `<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa">`
	for c := 'b'; c <= 'j'; c++ {
		bomb += fmt.Sprintf(`<!ENTITY %c "%s">`, c, strings.Repeat(fmt.Sprintf("&%c;", c-1), 10))
	}
	return map[string]string{
		"entity bomb":      bomb + "]>" + channel("<item><title>&j;</title></item>"),
		"external entity":  `<!DOCTYPE rss [<!ENTITY x SYSTEM "file:///etc/passwd">]>` + channel("<item><title>&x;</title></item>"),
		"deep elements":    channel("<item>" + strings.Repeat("<a>", 300_000) + "</item>"),
		"deep HTML":        channel("<item><description><![CDATA[" + strings.Repeat("<div><svg>", 90_000) + "]]></description></item>"),
		"deep JSON":        `{"version":"https://jsonfeed.org/version/1.1","items":` + strings.Repeat("[", 500_000),
		"huge title":       channel("<item><title>" + strings.Repeat("A", 10<<20) + "</title></item>"),
		"script":           channel(`<item><title>&lt;script&gt;alert(1)&lt;/script&gt;T</title><description>&lt;style&gt;x&lt;/style&gt;&lt;img src=x onerror=alert(1)&gt;&lt;iframe src="https://evil.example/"&gt;in&lt;/iframe&gt;</description></item>`),
		"javascript links": channel(`<item><title>T</title><link>javascript:alert(1)</link><description>&lt;a href="javascript:alert(1)"&gt;x&lt;/a&gt;&lt;img src="data:image/svg+xml,x"&gt;</description></item>`),
		"file links":       channel(`<item><title>T</title><link>file:///etc/passwd</link><enclosure url="gopher://10.0.0.1/" type="image/png"/></item>`),
		"credentials":      channel(`<item><title>T</title><link>https://user:secret@example.org/</link></item>`),
		"year 1":           channel(`<item><title>T</title><pubDate>Mon, 01 Jan 0001 00:00:00 GMT</pubDate></item>`),
		"year 9999":        channel(`<item><title>T</title><pubDate>Fri, 31 Dec 9999 23:59:59 GMT</pubDate></item>`),
		"wrong charset":    "<?xml version=\"1.0\" encoding=\"utf-8\"?>" + channel("<item><title>\xff\xfe\x80T</title></item>"),
		"unknown charset":  "<?xml version=\"1.0\" encoding=\"x-none\"?>" + channel("<item><title>T</title></item>"),
		"bidi":             channel("<item><title>\u202eT\u2066</title></item>"),
		"cut":              channel("<item><title>T</title></item>")[:80],
		"not a feed":       "<html><body>Hello</body></html>",
		"empty":            "",
		"many items":       channel(strings.Repeat("<item><title>T</title></item>", 20_000)),
	}
}

// TestHostileFeeds checks that a feed has an error or harmless items.
func TestHostileFeeds(t *testing.T) {
	for name, feed := range hostile() {
		t.Run(name, func(t *testing.T) { checkFeed(t, []byte(feed)) })
	}
}

func checkFeed(t *testing.T, feed []byte) {
	title, items, err := outsidefeed.Items(feed, site, now)
	if err != nil {
		return
	}
	if len(items) > linnet.MaxFeedItems || len(title) > 1000 {
		t.Fatalf("%d items, a title of %d bytes", len(items), len(title))
	}
	for _, i := range items {
		for _, link := range []string{i.Link, i.Picture} {
			u, err := url.Parse(link)
			if err != nil || link != "" && (u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil) {
				t.Errorf("link %q", link)
			}
		}
		if !utf8.ValidString(i.Title+i.Text+i.Alt) || strings.ContainsAny(i.Title, "\n\r\u202e\u2066") || strings.Contains(i.Title+i.Text, "alert(1)") && strings.Contains(string(feed), "script") {
			t.Errorf("title %.200q, text %.200q", i.Title, i.Text)
		}
		if len(i.Title) > 1000 || len(i.Text) > 128<<10 {
			t.Errorf("a title of %d bytes, a text of %d", len(i.Title), len(i.Text))
		}
		if !i.At.IsZero() && (i.At.Year() < 1990 || i.At.After(now)) {
			t.Errorf("date %v", i.At)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, feed := range hostile() {
		if len(feed) < 4096 {
			f.Add([]byte(feed))
		}
	}
	f.Fuzz(func(t *testing.T, feed []byte) {
		if strings.Contains(string(feed), "alert(1)") {
			return // broken markup can contain it as text
		}
		checkFeed(t, feed)
	})
}

// TestIdentity checks which items count as the same.
func TestIdentity(t *testing.T) {
	of := func(items string) []outsidefeed.Item {
		_, got, err := outsidefeed.Items([]byte(channel(items)), site, now)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	const before = `<item><guid>1</guid><title>A</title><link>https://example.org/a/?utm_source=x</link><pubDate>Sun, 01 Nov 2026 10:00:00 GMT</pubDate></item>`
	for after, same := range map[string]bool{
		`<item><guid>1</guid><title>B</title><link>https://example.org/b</link></item>`:                                                                              true,
		`<item><guid>2</guid><title>B</title><link>http://www.example.org/a#top</link></item>`:                                                                       true,
		`<item><guid>2</guid><title>A</title><link>https://moved.example/1</link><pubDate>Sun, 01 Nov 2026 10:00:00 GMT</pubDate></item>`:                            true,
		`<item><guid>2</guid><title>A</title><link>https://example.org/2</link><pubDate>Mon, 02 Nov 2026 10:00:00 GMT</pubDate></item>`:                              false,
		`<item><guid>1</guid><title>B</title><link>https://example.org/b</link></item><item><guid>1</guid><title>C</title><link>https://example.org/c</link></item>`: false,
		`<item><guid>2</guid><title>B</title><link>https://example.org/</link></item>`:                                                                               false,
	} {
		known := of(before)[0].Hashes
		got := slices.ContainsFunc(of(after)[0].Hashes, func(h uint64) bool { return slices.Contains(known, h) })
		if got != same {
			t.Errorf("%s: the same is %v, want %v", after, got, same)
		}
	}
}

func TestFit(t *testing.T) {
	for _, tc := range []struct {
		s     string
		chars int
		want  string
	}{
		{"short", 10, "short"}, {"two words here", 10, "two words…"}, {"aaaaaaaaaaaa", 5, "aaaa…"}, {"", 5, ""}, {"x", 0, ""},
	} {
		if got := outsidefeed.Fit(tc.s, tc.chars); got != tc.want || text.Count(got) > tc.chars {
			t.Errorf("%q to %d: %q, want %q", tc.s, tc.chars, got, tc.want)
		}
	}
}

func TestLogins(t *testing.T) {
	for _, tc := range []struct {
		address string
		want    []string
	}{
		{"https://www.Example.org/feed.xml", []string{"example.org", "example.org_2", "example.org_2", "example.org_3"}},
		{"https://mastodon.example/@Ann.rss", []string{"mastodon.example", "mastodon.example_ann"}},
		{"https://www.youtube.com/feeds/videos.xml?channel_id=UCabc-1", []string{"youtube.com", "youtube.com_ucabc_1"}},
		{"http://[2001:db8::1]/feed", []string{"2001-db8-1.feed"}},
		{"https://" + strings.Repeat("long.", 30) + "example.org/", nil},
	} {
		for try := range 4 {
			got := outsidefeed.LoginOf(tc.address, try)
			if !text.ValidFeedLogin(got) || text.ValidLogin(got) || try < len(tc.want) && got != tc.want[try] {
				t.Errorf("%s, attempt %d: %q, want %q", tc.address, try, got, tc.want)
			}
		}
	}
}

package text

import "testing"

// post is a typical status of 150 characters with a mention, a tag and a link.
const post = "Good morning @ann! The new release of #Linnet is out, with faster timelines & “groups”: " +
	"https://example.com/blog/release-notes-2 Tell me what you find."

func BenchmarkParseHTML(b *testing.B) {
	r := everyone()
	r.Tag = func(string) string { return "https://linnet.example/tags/linnet" }
	r.Mention = func(string) (string, string, bool) { return "https://linnet.example/@ann", "ann", true }
	for _, c := range []struct{ name, in string }{
		{"rich", post},
		{"plain", "However little known the feelings or views of such a man may be on his first entering a neighbourhood, this truth is so well fixed in the minds of all."},
		{"japanese", "今日は @ann さんと #東京タワー へ行きました。とても綺麗でした! 写真は https://example.com/photos/1 にあります。また行きたいです。皆さんもぜひ見に行ってください。"},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Parse(c.in).HTML(r)
			}
		})
	}
}

func BenchmarkCount(b *testing.B) {
	for _, c := range []struct{ name, in string }{
		{"english", post},
		{"japanese", "今日は @ann さんと #東京タワー へ行きました。とても綺麗でした! https://example.com/photos/1"},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Count(c.in)
			}
		})
	}
}

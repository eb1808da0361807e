package paths

import (
	"net/url"
	"path"
	"strings"

	"linnet/internal/linnet"
)

// FeedFormat is a format of feeds: the extension of their paths, their media type and their name.
type FeedFormat struct{ Ext, Type, Name string }

// FeedFormats returns the formats of feeds.
func FeedFormats() [3]FeedFormat {
	return [...]FeedFormat{{".rss", "application/rss+xml", "RSS"}, {".atom", "application/atom+xml", "Atom"}, {".json", "application/feed+json", "JSON Feed"}}
}

// FeedFormatOf returns the format with an extension.
func FeedFormatOf(ext string) (FeedFormat, bool) {
	for _, f := range FeedFormats() {
		if f.Ext == ext {
			return f, true
		}
	}
	return FeedFormat{}, false
}

// FeedExt returns the extension of a path if it is the path of a feed, and "" otherwise.
func FeedExt(p string) string {
	f, _ := FeedFormatOf(path.Ext(p))
	return f.Ext
}

// ProfileFilter returns the filter of a profile page, by the part of the path after the login, and
// that part in its canonical form. Feeds and pages share it.
func ProfileFilter(rest string) (f linnet.ProfileFilter, here string) {
	switch tag, tagged := strings.CutPrefix(rest, "tagged/"); {
	case tagged:
		return linnet.ProfileFilter{Tag: tag}, "/tagged/" + url.PathEscape(tag)
	case rest == "replies" || rest == "with_replies":
		return linnet.ProfileFilter{}, "/" + rest
	case rest == "media":
		return linnet.ProfileFilter{OnlyMedia: true, ExcludeReposts: true}, "/media"
	}
	return linnet.ProfileFilter{ExcludeReplies: true}, ""
}

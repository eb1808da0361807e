package web

import (
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/media"
)

// feedMedia is an attachment of a status, as feeds name it.
type feedMedia struct {
	URL     string
	Type    string // its media type
	Medium  string // "image", "video" or "audio", https://www.rssboard.org/media-rss
	Bytes   int64
	Seconds float64 // 0: unknown, or a picture
	Alt     string
	Adult   bool // its author marked it as sensitive
}

// feedMediaOf returns the attachments of a status.
func (c *call) feedMediaOf(st *linnet.StatusView) (out []feedMedia) {
	for i := range st.Media {
		m := &st.Media[i]
		f := feedMedia{URL: c.url.String() + filePath(m.Name), Type: mediaType(m.Name), Bytes: m.Bytes, Alt: m.Description, Adult: st.Sensitive}
		f.Medium, _, _ = strings.Cut(f.Type, "/")
		if m.Clip != nil {
			f.Medium, f.Seconds = "video", m.Clip.Duration.Seconds()
			if m.Clip.Kind == linnet.Audio {
				f.Medium = "audio"
			}
		}
		out = append(out, f)
	}
	return out
}

// mediaType is the media type of a file by the ending of its name.
func mediaType(name string) string {
	_, ending, _ := strings.Cut(name, ".")
	if t := media.Kind(ending).Type(); t != "" {
		return t
	}
	return "application/octet-stream"
}

// feedHTML is a status's content with its poll and attachments. What its author marked as
// sensitive is folded away where the reader's program can fold.
func feedHTML(st *linnet.StatusView, attached []feedMedia) string {
	var b strings.Builder
	b.WriteString(quoteLine(*st) + st.HTML)
	if st.Poll != nil {
		b.WriteString("<ul>")
		for _, o := range st.Poll.Options {
			b.WriteString("<li>" + escape(o) + "</li>")
		}
		b.WriteString("</ul>")
	}
	var files strings.Builder
	for _, m := range attached {
		files.WriteString(m.html())
	}
	switch {
	case st.Warning != "":
		return "<p><strong>Content warning:</strong> " + escape(st.Warning) + "</p><details><summary>Show</summary>" + b.String() + files.String() + "</details>"
	case st.Sensitive && len(attached) > 0:
		return b.String() + "<details><summary>Sensitive content</summary>" + files.String() + "</details>"
	}
	return b.String() + files.String()
}

// html shows an attachment with its description.
func (m *feedMedia) html() string {
	url, alt := escape(m.URL), escape(m.Alt)
	switch m.Medium {
	case "image":
		return `<p><img src="` + url + `" alt="` + alt + `"></p>`
	case "video", "audio":
		return "<p><" + m.Medium + ` src="` + url + `" controls></` + m.Medium + `></p><p><a href="` + url + `">` + either(alt != "", alt, url) + "</a></p>"
	}
	return `<p><a href="` + url + `">` + either(alt != "", alt, url) + "</a></p>"
}

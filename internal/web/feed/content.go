package feed

import (
	"cmp"
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/media"
	"linnet/internal/syndication"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/post"
	"linnet/internal/web/ui"
)

// feedAttachments returns the attachments of a status.
func feedAttachments(c *page.Context, st *linnet.StatusView) (out []syndication.Attachment) {
	for i := range st.Media {
		m := &st.Media[i]
		_, ending, _ := strings.Cut(m.Name, ".")
		f := syndication.Attachment{URL: c.URL.String() + paths.File(m.Name), Type: cmp.Or(media.Kind(ending).Type(), "application/octet-stream"), Bytes: m.Bytes, Description: m.Description, Sensitive: st.Sensitive}
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

// feedHTML returns a status's content with its poll and attachments. Sensitive content is folded if
// the feed reader supports it.
func feedHTML(st *linnet.StatusView, attached []syndication.Attachment) string {
	var b strings.Builder
	b.WriteString(post.QuoteLine(*st) + st.HTML)
	if st.Poll != nil {
		b.WriteString("<ul>")
		for _, o := range st.Poll.Options {
			b.WriteString("<li>" + ui.Escape(o) + "</li>")
		}
		b.WriteString("</ul>")
	}
	var files strings.Builder
	for _, m := range attached {
		files.WriteString(attachmentHTML(m))
	}
	switch {
	case st.Warning != "":
		return "<p><strong>Content warning:</strong> " + ui.Escape(st.Warning) + "</p><details><summary>Show</summary>" + b.String() + files.String() + "</details>"
	case st.Sensitive && len(attached) > 0:
		return b.String() + "<details><summary>Sensitive content</summary>" + files.String() + "</details>"
	}
	return b.String() + files.String()
}

// attachmentHTML shows an attachment with its description.
func attachmentHTML(m syndication.Attachment) string {
	url, alt := ui.Escape(m.URL), ui.Escape(m.Description)
	switch m.Medium {
	case "image":
		return `<p><img src="` + url + `" alt="` + alt + `"></p>`
	case "video", "audio":
		return "<p><" + m.Medium + ` src="` + url + `" controls></` + m.Medium + `></p><p><a href="` + url + `">` + ui.Either(alt != "", alt, url) + "</a></p>"
	}
	return `<p><a href="` + url + `">` + ui.Either(alt != "", alt, url) + "</a></p>"
}

package view

import (
	"strings"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/text"
)

// coded has the shortcodes in a rendered text, and the custom emoji it was rendered with. A text
// without shortcodes is valid for any set.
type coded struct {
	codes []string
	set   *linnet.EmojiSet
}

// holds reports whether the rendered text is valid for a set.
func (c coded) holds(set *linnet.EmojiSet) bool { return len(c.codes) == 0 || c.set == set }

// picturedStatus returns the texts of a status with pictures; nil if it has no emoji.
func (s *Service) picturedStatus(st *linnet.Status, set *linnet.EmojiSet) (coded, *linnet.Pictured) {
	var options []string
	if st.Poll != nil {
		options = st.Poll.Options
	}
	c := coded{text.Shortcodes(append([]string{st.Warning, st.Text}, options...)...), set}
	emojis := set.Among(c.codes)
	if len(emojis) == 0 {
		return c, nil
	}
	r := s.resolver(st.Mentions)
	r.Emoji = Pictures(set)
	return c, &linnet.Pictured{Emojis: emojis, Body: text.Parse(st.Text).HTML(r), Warning: text.WithPictures(st.Warning, r.Emoji), Lines: lines(options, r.Emoji)}
}

// picturedProfile returns the texts of a profile with pictures; nil if it has no emoji.
func (s *Service) picturedProfile(u *linnet.User, name string, set *linnet.EmojiSet) (coded, *linnet.Pictured) {
	values, labels := make([]string, len(u.Fields)), make([]string, len(u.Fields))
	for i, f := range u.Fields {
		values[i], labels[i] = f.Value, f.Name
	}
	texts := append([]string{name, u.Note}, values...)
	c := coded{text.Shortcodes(append(texts, labels...)...), set}
	emojis := set.Among(c.codes)
	if len(emojis) == 0 {
		return c, nil
	}
	r := s.resolver(u.Mentions)
	r.Emoji = Pictures(set)
	for i, v := range values {
		values[i] = text.FieldValue(v, r)
	}
	return c, &linnet.Pictured{Emojis: emojis, Name: text.WithPictures(name, r.Emoji), Body: text.Note(u.Note, r), Lines: values, Labels: lines(labels, r.Emoji)}
}

func lines(plain []string, p text.Pictures) []string {
	out := make([]string, len(plain))
	for i, l := range plain {
		out[i] = text.WithPictures(l, p)
	}
	return out
}

// Pictures returns the HTML of the emoji of a set for pages.
func Pictures(set *linnet.EmojiSet) text.Pictures {
	return func(code string) string {
		if e := set.Shown(code); e != nil {
			return Picture(e)
		}
		return ""
	}
}

// Picture returns an emoji as HTML. An animated one has two images. The style sheet shows the still
// one to users who reduce motion, and browsers load only that.
func Picture(e *linnet.Emoji) string {
	var b strings.Builder
	drawn := func(class, name string) {
		for _, part := range []string{`<img class="`, class, `" src="`, core.FilesPath, name, `" alt=":`, e.Shortcode, `:" title=":`, e.Shortcode,
			`:" width="20" height="20" loading="lazy" decoding="async"/>`} {
			b.WriteString(part)
		}
	}
	if e.Still == "" {
		drawn("emoji", e.Name)
	} else {
		drawn("emoji moving", e.Name)
		drawn("emoji frozen", e.Still)
	}
	return b.String()
}

// picturedWeight returns the approximate memory of a rendered text.
func picturedWeight(p *linnet.Pictured) int {
	if p == nil {
		return 0
	}
	n := 200 + 150*len(p.Emojis) + len(p.Name) + len(p.Body) + len(p.Warning)
	for _, all := range [][]string{p.Lines, p.Labels} {
		for _, l := range all {
			n += len(l) + 16
		}
	}
	return n
}

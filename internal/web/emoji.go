package web

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/text"
	"linnet/internal/view"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// Texts can contain custom emoji, which the services turn into pictures. Page titles and accessible
// names contain the shortcodes.

// pictured returns a line with pictures for shortcodes.
func (c *call) pictured(line string) templ.Component {
	return ui.Markup(text.WithPictures(line, view.Pictures(c.svc.Core.Emojis())))
}

// emojiCategory are the emoji of a category; Name "" is none.
type emojiCategory struct {
	Name string
	All  []linnet.Emoji
}

// hasEmojis reports whether there are custom emoji to choose.
func (c *call) hasEmojis() bool { return len(c.svc.Core.Emojis().Offered()) > 0 }

// emojis shows the enabled custom emoji with their shortcodes.
func (h *timelinePages) emojis(c *call) error {
	var all []emojiCategory
	for _, e := range h.core.Emojis().Offered() {
		if n := len(all); n == 0 || all[n-1].Name != e.Category {
			all = append(all, emojiCategory{Name: e.Category})
		}
		last := &all[len(all)-1]
		last.All = append(last.All, e)
	}
	return c.render(http.StatusOK, page{Title: c.tr("Emoji"), Body: emojisView(all)})
}

// emojisShown is the number of emoji per page.
const emojisShown = 200

func (h *instancePages) adminEmojis(c *call) error { return h.showAdminEmojis(c, newEmojiForm(c)) }

func newEmojiForm(c *call) *form {
	return startForm(c, paths.AdminEmoji, c.tr("Add emoji"),
		field{Kind: lineField, Name: "shortcode", Label: c.tr("Shortcode"), Required: true, Hint: c.tr("Typed between colons, for example :blobcat:. At least two letters, digits or underscores. Must be unique.")},
		field{Kind: lineField, Name: "category", Label: c.tr("Category"), Hint: c.tr("Groups emoji in the picker. At most %d characters. Optional.", linnet.MaxEmojiCategory)},
		field{Kind: fileField, Name: "image", Label: c.tr("Picture"), Hint: c.tr("PNG, GIF or WebP, at most %d KB. Still pictures are scaled to at most 256 pixels.", linnet.MaxEmojiBytes>>10)},
		field{Kind: checkField, Name: "visible", Label: c.tr("Show in the emoji picker"), On: true})
}

func (h *instancePages) showAdminEmojis(c *call, f *form) error {
	all, err := h.identity.AllEmojis(c.r.Context(), c.by())
	if err != nil {
		return err
	}
	q := c.r.URL.Query()
	word, category := strings.ToLower(strings.Trim(strings.TrimSpace(q.Get("q")), ":")), q.Get("category")
	bar := &filterBar{Action: paths.AdminEmoji, Name: "q", Label: c.tr("Shortcode"), Value: q.Get("q"), Links: emojiLinks(c, all, category)}
	found := slices.DeleteFunc(slices.Clone(all), func(e linnet.Emoji) bool {
		return !strings.Contains(strings.ToLower(e.Shortcode), word) || category != "" && e.Category != category
	})
	t := &table{Caption: c.tr("Emoji"), Head: []string{c.tr("Picture"), c.tr("Shortcode"), c.tr("Category"), c.tr("State")}, Empty: c.tr("No custom emoji yet.")}
	for i := range found[:min(len(found), emojisShown)] {
		e := &found[i]
		t.Rows = append(t.Rows, []cell{{Emoji: e}, linkCell(":"+e.Shortcode+":", paths.AdminEmojiOf(e.Shortcode)), textCell(e.Category), textCell(emojiState(c, e))})
	}
	list := formSection{Title: c.tr("Emoji"), Table: t}
	if len(found) > emojisShown {
		list.Text = c.tr("Showing the first %d of %d. Search to find others.", emojisShown, len(found))
	}
	return showAdmin(c, f.code(), c.tr("Emoji"), paths.AdminEmoji, formPage{Filter: bar,
		Lead:  c.tr("Custom emoji are pictures that replace their shortcode in posts, names and profiles. This server has %s of at most %s.", c.num(int64(len(all))), c.num(linnet.MaxEmojis)),
		Parts: []formSection{{ID: "add", Title: c.tr("Add emoji"), Form: f}, list}})
}

// emojiLinks lead to the categories.
func emojiLinks(c *call, all []linnet.Emoji, here string) []navLink {
	links := []navLink{{Path: paths.AdminEmoji, Text: c.tr("All"), Here: here == ""}}
	for _, e := range all {
		if e.Category != "" && links[len(links)-1].Text != e.Category {
			links = append(links, navLink{Path: paths.AdminEmoji + "?category=" + url.QueryEscape(e.Category), Text: e.Category, Here: here == e.Category})
		}
	}
	return links
}

// emojiState says who sees an emoji where.
func emojiState(c *call, e *linnet.Emoji) string {
	switch {
	case e.Disabled:
		return c.tr("disabled")
	case e.Unlisted:
		return c.tr("not in picker")
	}
	return c.tr("in picker")
}

// addEmoji adds one by the form.
func (h *instancePages) addEmoji(c *call) error {
	n := linnet.NewEmoji{Shortcode: strings.Trim(c.typed("shortcode"), ":"), Category: c.typed("category"), Unlisted: !*ticked(c, "visible")}
	var err error
	if sent := c.files["image"]; len(sent) == 0 {
		_, err = h.identity.AddEmoji(c.r.Context(), c.by(), n, nil)
	} else if err = sent[0].err; err != nil {
		err = inField(err, "image")
	} else if err = c.countAs(core.RateMedia); err == nil {
		_, err = h.identity.AddEmoji(c.r.Context(), c.by(), n, sent[0].file)
	}
	if err != nil {
		if f := newEmojiForm(c); f.refused(err, nil) {
			return h.showAdminEmojis(c, f)
		}
		return err
	}
	return saved(c, paths.AdminEmoji)
}

// emojiInPath is the emoji that the path names.
func (h *instancePages) emojiInPath(c *call) (linnet.Emoji, error) {
	all, err := h.identity.AllEmojis(c.r.Context(), c.by())
	if err != nil {
		return linnet.Emoji{}, err
	}
	i := slices.IndexFunc(all, func(e linnet.Emoji) bool { return e.Shortcode == c.r.PathValue("code") })
	if i < 0 {
		return linnet.Emoji{}, errNowhere()
	}
	return all[i], nil
}

func (h *instancePages) adminEmoji(c *call) error {
	e, err := h.emojiInPath(c)
	if err != nil {
		return err
	}
	return showAdminEmoji(c, &e, emojiForm(c, &e))
}

func emojiForm(c *call, e *linnet.Emoji) *form {
	return startForm(c, paths.AdminEmojiOf(e.Shortcode), c.tr("Save"),
		field{Kind: lineField, Name: "shortcode", Label: c.tr("Shortcode"), Value: e.Shortcode, Required: true, Hint: c.tr("The old shortcode then appears as text in existing posts.")},
		field{Kind: lineField, Name: "category", Label: c.tr("Category"), Value: e.Category},
		field{Kind: checkField, Name: "visible", Label: c.tr("Show in the emoji picker"), On: !e.Unlisted},
		field{Kind: checkField, Name: "disabled", Label: c.tr("Disabled: the shortcode appears as text"), On: e.Disabled})
}

func showAdminEmoji(c *call, e *linnet.Emoji, f *form) error {
	away := button(c, paths.AdminEmojiOf(e.Shortcode), c.tr("Delete"), c.tr("Delete %s", ":"+e.Shortcode+":"), "do", "delete")
	away.Grave = true
	return showAdmin(c, f.code(), ":"+e.Shortcode+":", paths.AdminEmoji, formPage{Back: &navLink{Path: paths.AdminEmoji, Text: c.tr("All emoji")}, Parts: []formSection{
		{Facts: []fact{{c.tr("Picture"), cell{Emoji: e}}}, Form: f},
		{Title: c.tr("Delete"), Text: c.tr("Permanently deletes the picture. Its shortcode then appears as text everywhere."), Form: away}}})
}

// changeEmoji changes or deletes the emoji that the path names.
func (h *instancePages) changeEmoji(c *call) error {
	if c.typed("do") == "delete" {
		if err := h.identity.DeleteEmoji(c.r.Context(), c.by(), c.r.PathValue("code")); err != nil {
			return err
		}
		return saved(c, paths.AdminEmoji)
	}
	e, err := h.emojiInPath(c)
	if err != nil {
		return err
	}
	code, category, unlisted := strings.Trim(c.typed("shortcode"), ":"), c.typed("category"), !*ticked(c, "visible")
	_, err = h.identity.ChangeEmoji(c.r.Context(), c.by(), e.Shortcode, linnet.EmojiChange{Shortcode: &code, Category: &category, Unlisted: &unlisted, Disabled: ticked(c, "disabled")})
	if err != nil {
		if f := emojiForm(c, &e); f.refused(err, nil) {
			return showAdminEmoji(c, &e, f)
		}
		return err
	}
	return saved(c, paths.AdminEmoji)
}

package web

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/text"
	"linnet/internal/view"
)

// Texts can contain custom emoji, which the services turn into pictures. Page titles and accessible
// names contain the shortcodes.

// pictured returns a line with pictures for shortcodes.
func (c *call) pictured(line string) templ.Component {
	return markup(text.WithPictures(line, view.Pictures(c.svc.Core.Emojis())))
}

// asText is text as it was typed.
func asText(s string) templ.Component { return markup(templ.EscapeString(s)) }

// nameOf is displayName with pictures.
func nameOf(u linnet.UserView) templ.Component {
	if u.Pictured != nil && strings.TrimSpace(u.Name) != "" {
		return markup(u.Pictured.Name)
	}
	return asText(displayName(u))
}

// bodyHTML is the text of a status or the note of a profile, with pictures if it has some.
func bodyHTML(html string, p *linnet.Pictured) string {
	if p != nil {
		return p.Body
	}
	return html
}

// warningOf is a content warning.
func warningOf(typed string, p *linnet.Pictured) templ.Component {
	if p != nil {
		return markup(p.Warning)
	}
	return asText(typed)
}

// warnedWords returns the texts that the style sheet shows next to a content warning, closed and
// open.
func warnedWords(ctx context.Context) templ.Attributes {
	return templ.Attributes{"data-show": tr(ctx, "Show"), "data-hide": tr(ctx, "Hide")}
}

// lineOf is an option of a poll.
func lineOf(i int, typed string, p *linnet.Pictured) templ.Component {
	if p != nil && i < len(p.Lines) {
		return markup(p.Lines[i])
	}
	return asText(typed)
}

// emojiCategory are the emoji of a category; Name "" is none.
type emojiCategory struct {
	Name string
	All  []linnet.Emoji
}

// hasEmojis reports whether there are custom emoji to choose.
func (c *call) hasEmojis() bool { return len(c.svc.Core.Emojis().Offered()) > 0 }

// emojis shows the enabled custom emoji with their shortcodes.
func (c *call) emojis() error {
	var all []emojiCategory
	for _, e := range c.svc.Core.Emojis().Offered() {
		if n := len(all); n == 0 || all[n-1].Name != e.Category {
			all = append(all, emojiCategory{Name: e.Category})
		}
		last := &all[len(all)-1]
		last.All = append(last.All, e)
	}
	return c.render(http.StatusOK, page{Title: c.tr("Emoji"), Body: emojisView(all)})
}

// emojiPath is the page for managing custom emoji.
const emojiPath = "/admin/emoji"

// emojisShown is the number of emoji per page.
const emojisShown = 200

func (c *call) adminEmojis() error { return c.showAdminEmojis(c.newEmojiForm()) }

func (c *call) newEmojiForm() *form {
	return c.form(emojiPath, c.tr("Add emoji"),
		field{Kind: lineField, Name: "shortcode", Label: c.tr("Shortcode"), Required: true, Hint: c.tr("Typed between colons, for example :blobcat:. At least two letters, digits or underscores. Must be unique.")},
		field{Kind: lineField, Name: "category", Label: c.tr("Category"), Hint: c.tr("Groups emoji in the picker. At most %d characters. Optional.", linnet.MaxEmojiCategory)},
		field{Kind: fileField, Name: "image", Label: c.tr("Picture"), Hint: c.tr("PNG, GIF or WebP, at most %d KB. Still pictures are scaled to at most 256 pixels.", linnet.MaxEmojiBytes>>10)},
		field{Kind: checkField, Name: "visible", Label: c.tr("Show in the emoji picker"), On: true})
}

func (c *call) showAdminEmojis(f *form) error {
	all, err := c.svc.Identity.AllEmojis(c.r.Context(), c.by())
	if err != nil {
		return err
	}
	q := c.r.URL.Query()
	word, category := strings.ToLower(strings.Trim(strings.TrimSpace(q.Get("q")), ":")), q.Get("category")
	bar := &filterBar{Action: emojiPath, Name: "q", Label: c.tr("Shortcode"), Value: q.Get("q"), Links: c.emojiLinks(all, category)}
	found := slices.DeleteFunc(slices.Clone(all), func(e linnet.Emoji) bool {
		return !strings.Contains(strings.ToLower(e.Shortcode), word) || category != "" && e.Category != category
	})
	t := &table{Caption: c.tr("Emoji"), Head: []string{c.tr("Picture"), c.tr("Shortcode"), c.tr("Category"), c.tr("State")}, Empty: c.tr("No custom emoji yet.")}
	for i := range found[:min(len(found), emojisShown)] {
		e := &found[i]
		t.Rows = append(t.Rows, []cell{{Emoji: e}, linkCell(":"+e.Shortcode+":", adminEmojiPath(e.Shortcode)), textCell(e.Category), textCell(c.emojiState(e))})
	}
	list := formSection{Title: c.tr("Emoji"), Table: t}
	if len(found) > emojisShown {
		list.Text = c.tr("Showing the first %d of %d. Search to find others.", emojisShown, len(found))
	}
	return c.showAdmin(f.code(), c.tr("Emoji"), emojiPath, formPage{Filter: bar,
		Lead:  c.tr("Custom emoji are pictures that replace their shortcode in posts, names and profiles. This server has %s of at most %s.", c.num(int64(len(all))), c.num(linnet.MaxEmojis)),
		Parts: []formSection{{ID: "add", Title: c.tr("Add emoji"), Form: f}, list}})
}

// emojiLinks lead to the categories.
func (c *call) emojiLinks(all []linnet.Emoji, here string) []navLink {
	links := []navLink{{Path: emojiPath, Text: c.tr("All"), Here: here == ""}}
	for _, e := range all {
		if e.Category != "" && links[len(links)-1].Text != e.Category {
			links = append(links, navLink{Path: emojiPath + "?category=" + url.QueryEscape(e.Category), Text: e.Category, Here: here == e.Category})
		}
	}
	return links
}

func adminEmojiPath(code string) string { return emojiPath + "/" + url.PathEscape(code) }

// emojiState says who sees an emoji where.
func (c *call) emojiState(e *linnet.Emoji) string {
	switch {
	case e.Disabled:
		return c.tr("disabled")
	case e.Unlisted:
		return c.tr("not in picker")
	}
	return c.tr("in picker")
}

// addEmoji adds one by the form.
func (c *call) addEmoji() error {
	n := linnet.NewEmoji{Shortcode: strings.Trim(c.typed("shortcode"), ":"), Category: c.typed("category"), Unlisted: !*c.ticked("visible")}
	var err error
	if sent := c.files["image"]; len(sent) == 0 {
		_, err = c.svc.Identity.AddEmoji(c.r.Context(), c.by(), n, nil)
	} else if err = sent[0].err; err != nil {
		err = inField(err, "image")
	} else if err = c.countAs(core.RateMedia); err == nil {
		_, err = c.svc.Identity.AddEmoji(c.r.Context(), c.by(), n, sent[0].file)
	}
	if err != nil {
		if f := c.newEmojiForm(); f.refused(err, nil) {
			return c.showAdminEmojis(f)
		}
		return err
	}
	return c.saved(emojiPath)
}

// emojiInPath is the emoji that the path names.
func (c *call) emojiInPath() (linnet.Emoji, error) {
	all, err := c.svc.Identity.AllEmojis(c.r.Context(), c.by())
	if err != nil {
		return linnet.Emoji{}, err
	}
	i := slices.IndexFunc(all, func(e linnet.Emoji) bool { return e.Shortcode == c.r.PathValue("code") })
	if i < 0 {
		return linnet.Emoji{}, errNowhere()
	}
	return all[i], nil
}

func (c *call) adminEmoji() error {
	e, err := c.emojiInPath()
	if err != nil {
		return err
	}
	return c.showAdminEmoji(&e, c.emojiForm(&e))
}

func (c *call) emojiForm(e *linnet.Emoji) *form {
	return c.form(adminEmojiPath(e.Shortcode), c.tr("Save"),
		field{Kind: lineField, Name: "shortcode", Label: c.tr("Shortcode"), Value: e.Shortcode, Required: true, Hint: c.tr("The old shortcode then appears as text in existing posts.")},
		field{Kind: lineField, Name: "category", Label: c.tr("Category"), Value: e.Category},
		field{Kind: checkField, Name: "visible", Label: c.tr("Show in the emoji picker"), On: !e.Unlisted},
		field{Kind: checkField, Name: "disabled", Label: c.tr("Disabled: the shortcode appears as text"), On: e.Disabled})
}

func (c *call) showAdminEmoji(e *linnet.Emoji, f *form) error {
	away := c.button(adminEmojiPath(e.Shortcode), c.tr("Delete"), c.tr("Delete %s", ":"+e.Shortcode+":"), "do", "delete")
	away.Grave = true
	return c.showAdmin(f.code(), ":"+e.Shortcode+":", emojiPath, formPage{Back: &navLink{Path: emojiPath, Text: c.tr("All emoji")}, Parts: []formSection{
		{Facts: []fact{{c.tr("Picture"), cell{Emoji: e}}}, Form: f},
		{Title: c.tr("Delete"), Text: c.tr("Permanently deletes the picture. Its shortcode then appears as text everywhere."), Form: away}}})
}

// changeEmoji changes or deletes the emoji that the path names.
func (c *call) changeEmoji() error {
	if c.typed("do") == "delete" {
		if err := c.svc.Identity.DeleteEmoji(c.r.Context(), c.by(), c.r.PathValue("code")); err != nil {
			return err
		}
		return c.saved(emojiPath)
	}
	e, err := c.emojiInPath()
	if err != nil {
		return err
	}
	code, category, unlisted := strings.Trim(c.typed("shortcode"), ":"), c.typed("category"), !*c.ticked("visible")
	_, err = c.svc.Identity.ChangeEmoji(c.r.Context(), c.by(), e.Shortcode, linnet.EmojiChange{Shortcode: &code, Category: &category, Unlisted: &unlisted, Disabled: c.ticked("disabled")})
	if err != nil {
		if f := c.emojiForm(&e); f.refused(err, nil) {
			return c.showAdminEmoji(&e, f)
		}
		return err
	}
	return c.saved(emojiPath)
}

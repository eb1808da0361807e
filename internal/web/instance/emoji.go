package instance

import (
	"net/url"
	"slices"
	"strings"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/uploads"
	"linnet/internal/web/form"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
)

// emojisShown is the number of emoji per page.
const emojisShown = 200

// emojis is the page of all custom emoji.
func (h *Pages) emojis(c *page.Context) (*form.Page, error) {
	all, err := h.Emojis.All(c.Request.Context(), c.Actor())
	if err != nil {
		return nil, err
	}
	q := c.Request.URL.Query()
	word, category := strings.ToLower(strings.Trim(strings.TrimSpace(q.Get("q")), ":")), q.Get("category")
	links := []form.Link{{Path: paths.AdminEmoji, Text: c.Tr("All"), Here: category == ""}}
	for _, e := range all {
		if e.Category != "" && links[len(links)-1].Text != e.Category {
			links = append(links, form.Link{Path: paths.AdminEmoji + "?category=" + url.QueryEscape(e.Category), Text: e.Category, Here: category == e.Category})
		}
	}
	found := slices.DeleteFunc(slices.Clone(all), func(e linnet.Emoji) bool {
		return !strings.Contains(strings.ToLower(e.Shortcode), word) || category != "" && e.Category != category
	})
	t := &form.Table{Caption: c.Tr("Emoji"), Head: []string{c.Tr("Picture"), c.Tr("Shortcode"), c.Tr("Category"), c.Tr("Status")}, Empty: c.Tr("No custom emoji yet. Add the first one above.")}
	for i := range found[:min(len(found), emojisShown)] {
		e := &found[i]
		t.Rows = append(t.Rows, []form.Cell{{Emoji: e}, form.LinkCell(":"+e.Shortcode+":", paths.AdminEmojiOf(e.Shortcode)), form.TextCell(e.Category), form.TextCell(emojiState(c, e))})
	}
	list := form.Section{Title: c.Tr("Emoji"), Table: t}
	if len(found) > emojisShown {
		list.Text = c.Tr("Showing the first %d of %d. Search to find others.", emojisShown, len(found))
	}
	f := form.New(c, paths.AdminEmoji, c.Tr("Add emoji"),
		form.Field{Kind: form.LineField, Name: "shortcode", Label: c.Tr("Shortcode"), Required: true, Hint: c.Tr("Typed between colons, for example :blobcat:. At least two letters, digits or underscores. Must be unique.")},
		form.Field{Kind: form.LineField, Name: "category", Label: c.Tr("Category"), Hint: c.Tr("Groups emoji in the picker. At most %d characters. Optional.", linnet.MaxEmojiCategory)},
		form.Field{Kind: form.FileField, Name: "image", Label: c.Tr("Picture"), Hint: c.Tr("PNG, GIF or WebP, at most %d KB. Still pictures are scaled to at most 256 pixels.", linnet.MaxEmojiBytes>>10)},
		form.Field{Kind: form.CheckField, Name: "visible", Label: c.Tr("Show in the emoji picker"), On: true})
	return &form.Page{Title: c.Tr("Emoji"), Path: paths.AdminEmoji, Form: f,
		Filter: &form.FilterBar{Action: paths.AdminEmoji, Name: "q", Label: c.Tr("Shortcode"), Value: q.Get("q"), Links: links},
		Lead:   c.Tr("Custom emoji are pictures that replace their shortcode in posts, names and profiles. You have %s of at most %s custom emoji.", c.Num(int64(len(all))), c.Num(linnet.MaxEmojis)),
		Parts:  []form.Section{{ID: "add", Title: c.Tr("Add emoji"), Form: f}, list}}, nil
}

// emojiState returns where an emoji is available, in words.
func emojiState(c *page.Context, e *linnet.Emoji) string {
	switch {
	case e.Disabled:
		return c.Tr("disabled")
	case e.Unlisted:
		return c.Tr("not in picker")
	}
	return c.Tr("in picker")
}

// addEmoji creates a custom emoji.
func (h *Pages) addEmoji(c *page.Context) (string, error) {
	n := linnet.NewEmoji{Shortcode: strings.Trim(c.Typed("shortcode"), ":"), Category: c.Typed("category"), Unlisted: !*form.Checked(c, "visible")}
	var picture *uploads.File
	if sent := c.Files["image"]; len(sent) > 0 {
		if err := sent[0].Err; err != nil {
			return "", page.InField(err, "image")
		}
		if err := c.CountAs(core.RateMedia); err != nil {
			return "", err
		}
		picture = sent[0].File
	}
	_, err := h.Emojis.Add(c.Request.Context(), c.Actor(), n, picture)
	return form.Saved(paths.AdminEmoji), err
}

// emojiInPath returns the emoji in the path.
func (h *Pages) emojiInPath(c *page.Context) (linnet.Emoji, error) {
	all, err := h.Emojis.All(c.Request.Context(), c.Actor())
	if err != nil {
		return linnet.Emoji{}, err
	}
	i := slices.IndexFunc(all, func(e linnet.Emoji) bool { return e.Shortcode == c.Request.PathValue("code") })
	if i < 0 {
		return linnet.Emoji{}, page.NotFound()
	}
	return all[i], nil
}

func (h *Pages) emoji(c *page.Context) (*form.Page, error) {
	e, err := h.emojiInPath(c)
	if err != nil {
		return nil, err
	}
	f := form.New(c, paths.AdminEmojiOf(e.Shortcode), c.Tr("Save"),
		form.Field{Kind: form.LineField, Name: "shortcode", Label: c.Tr("Shortcode"), Value: e.Shortcode, Required: true, Hint: c.Tr("If you change the shortcode, the old shortcode appears as text in existing posts.")},
		form.Field{Kind: form.LineField, Name: "category", Label: c.Tr("Category"), Value: e.Category},
		form.Field{Kind: form.CheckField, Name: "visible", Label: c.Tr("Show in the emoji picker"), On: !e.Unlisted},
		form.Field{Kind: form.CheckField, Name: "disabled", Label: c.Tr("Disable: show the shortcode as text instead of the picture"), On: e.Disabled})
	away := form.Button(c, paths.AdminEmojiOf(e.Shortcode), c.Tr("Delete"), c.Tr("Delete %s", ":"+e.Shortcode+":"), "do", "delete")
	away.Grave = true
	return &form.Page{Title: ":" + e.Shortcode + ":", Path: paths.AdminEmoji, Form: f, Back: &form.Link{Path: paths.AdminEmoji, Text: c.Tr("All emoji")}, Parts: []form.Section{
		{Facts: []form.Fact{{Name: c.Tr("Picture"), Is: form.Cell{Emoji: &e}}}, Form: f},
		{Title: c.Tr("Delete"), Text: c.Tr("Permanently deletes the picture. Its shortcode then appears as text everywhere."), Form: away}}}, nil
}

// changeEmoji changes or deletes the emoji in the path.
func (h *Pages) changeEmoji(c *page.Context) (string, error) {
	if c.Typed("do") == "delete" {
		return form.Saved(paths.AdminEmoji), h.Emojis.Delete(c.Request.Context(), c.Actor(), c.Request.PathValue("code"))
	}
	e, err := h.emojiInPath(c)
	if err != nil {
		return "", err
	}
	code, unlisted := strings.Trim(c.Typed("shortcode"), ":"), !*form.Checked(c, "visible")
	_, err = h.Emojis.Change(c.Request.Context(), c.Actor(), e.Shortcode, linnet.EmojiChange{Shortcode: &code, Category: form.Text(c, "category"), Unlisted: &unlisted, Disabled: form.Checked(c, "disabled")})
	return form.Saved(paths.AdminEmoji), err
}

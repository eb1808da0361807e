package account

import (
	"fmt"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/web/form"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// postsForm returns the form to upload an archive of posts from Mastodon or X.
func (h *Pages) postsForm(c *page.Context) *form.Form {
	choices := append([]string{"", c.Tr("Automatic")}, importVisibilities(c, "")...)
	f := form.New(c, paths.PostsImport, c.Tr("Upload"),
		form.Field{Kind: form.FileField, Name: "archive", Label: c.Tr("Post archive"), Required: true, Accept: ".zip,.gz,.tgz,application/zip,application/gzip",
			Hint: c.Tr("Maximum size: %s. Uploading and checking a large archive can take a while.", c.FileSize(h.Archives.MaxImport()))},
		form.Field{Kind: form.SelectField, Name: visibilityField, Label: c.Tr("Post visibility"), Choices: form.Options("", choices...),
			Hint: c.Tr("“Automatic” keeps the visibility of Mastodon posts. X posts become followers-only if your account there is protected, and unlisted otherwise.")})
	f.Inputs = map[string]page.FormField{"archive": {Name: "archive", Subject: c.Tr("The archive")}, "file": {Name: "archive", Subject: c.Tr("The archive")}, visibilityField: {Name: visibilityField, Subject: c.Tr("The visibility")}}
	return f
}

// visibilityField is the input for the widest visibility of imported posts.
const visibilityField = "visibility"

// importVisibilities returns the values and labels of visibilityField for a kind of archive.
func importVisibilities(c *page.Context, kind linnet.CSVKind) []string {
	widest := c.Tr("Public")
	if kind == linnet.MastodonArchive {
		widest = c.Tr("Same as in the archive")
	}
	return []string{linnet.Public.String(), widest, linnet.Unlisted.String(), c.Tr("Unlisted"), linnet.Private.String(), c.Tr("Followers")}
}

// chosenVisibility returns the visibility in the form, or nil to use the one in the archive.
func chosenVisibility(c *page.Context) *linnet.Visibility {
	if v, ok := linnet.ParseVisibility(c.Typed(visibilityField)); ok {
		return &v
	}
	return nil
}

func (h *Pages) uploadPosts(c *page.Context) (string, error) {
	sent, err := sentImport(c, "archive")
	if err != nil {
		return "", err
	}
	i, err := h.Archives.AddPosts(c.Request.Context(), c.Me.ID, sent.Name, sent.File, chosenVisibility(c))
	if err != nil {
		return "", err
	}
	return paths.Import(i.ID), nil
}

// postsImportPage returns the page of an import of posts, with its incomplete rows.
func postsImportPage(c *page.Context, i *linnet.Import, rows []linnet.ImportRow, from, of int) *form.Page {
	parts := []form.Section{postsSection(c, i)}
	if len(rows) > 0 {
		t := &form.Table{Caption: c.Tr("Incomplete posts"), Head: []string{c.Tr("Post"), c.Tr("Reason")}}
		for _, r := range rows {
			t.Rows = append(t.Rows, []form.Cell{form.TextCell(r.Name), form.TextCell(c.Lang().Stored(r.Outcome))})
		}
		part := form.Section{Title: c.Tr("Incomplete items"), Table: t}
		if next := from - from%100 + 100; next < of {
			part.Older = fmt.Sprintf("%s?from=%d", paths.Import(i.ID), next)
		}
		parts = append(parts, part)
	}
	return &form.Page{Title: c.Tr("Import: %s", importType(c, i.Kind)), Path: paths.Imports, Parts: parts}
}

// visibilityChoice lets the owner of an import change the visibility before confirming it.
func visibilityChoice(c *page.Context, i *linnet.Import) []form.Field {
	chosen := linnet.Public
	if i.Posts.Visibility != nil {
		chosen = *i.Posts.Visibility
	}
	f := form.Field{Kind: form.SelectField, Name: visibilityField, Label: c.Tr("Post visibility"), Choices: form.Options(chosen.String(), importVisibilities(c, i.Kind)...)}
	if i.Kind == linnet.MastodonArchive {
		f.Hint = c.Tr("Posts never become more visible than in the archive.")
	}
	return []form.Field{f}
}

// postsSection shows the content of an archive of posts and the progress of its import, with its
// actions.
func postsSection(c *page.Context, i *linnet.Import) form.Section {
	b := i.Posts
	part := form.Section{Facts: []form.Fact{{Name: c.Tr("Status"), Is: form.TextCell(importStatus(c, i))}, {Name: c.Tr("File"), Is: form.TextCell(i.File)}, {Name: c.Tr("Posts"), Is: form.CountCell(i.Rows)},
		{Name: c.Tr("First post"), Is: form.TimeCell(b.First)}, {Name: c.Tr("Last post"), Is: form.TimeCell(b.Last)}, {Name: c.Tr("Pictures, videos and audio"), Is: form.CountCell(b.Pictures)}}}
	add := func(name string, n int64) {
		if n > 0 {
			part.Facts = append(part.Facts, form.Fact{Name: name, Is: form.CountCell(n)})
		}
	}
	for v, name := range []string{c.Tr("Public"), c.Tr("Unlisted"), c.Tr("Followers")} {
		part.Facts = append(part.Facts, form.Fact{Name: c.Tr("Visibility: %s", name), Is: form.CountCell(b.Counts[v])})
	}
	add(c.Tr("Truncated in the archive"), b.Cut)
	add(c.Tr("Skipped: boosts of others' posts"), b.Reposts)
	add(c.Tr("Skipped: direct messages"), b.Messages)
	add(c.Tr("Skipped: unreadable posts"), b.Unreadable)
	add(c.Tr("Skipped: long texts without a matching post"), b.LongTexts)
	add(c.Tr("Skipped: posts that can't be imported here"), i.Failed)
	add(c.Tr("Attachments left out"), b.Lost)
	confirm := func(button, do string, grave bool) {
		part.Form = form.New(c, paths.Import(i.ID), button)
		part.Form.Hidden, part.Form.Grave = [][2]string{{"do", do}}, grave
	}
	switch i.State {
	case linnet.ImportUnconfirmed:
		part.Text = c.Trn(i.Rows, "Nothing has been imported yet. If you confirm, up to %s post will appear on your profile with its original date. The file is stored until %s.",
			"Nothing has been imported yet. If you confirm, up to %s posts will appear on your profile with their original dates. The file is stored until %s.", ui.FullTime(c.ForReader(c.Request.Context()), b.Until))
		if b.Protected {
			part.Text += " " + c.Tr("Your X account is protected: only your followers there can read these posts.")
		}
		confirm(c.Tr("Confirm"), "confirm", false)
		part.Form.Fields = visibilityChoice(c, i)
		return part
	case linnet.ImportInProgress:
		part.Text = c.Tr("We're importing your posts. You can leave this page. Reload it to see the progress.")
		confirm(c.Tr("Stop and undo"), "undo", true)
	case linnet.ImportUndoing:
		part.Text = c.Tr("We're removing the imported posts. You can leave this page.")
	case linnet.ImportFinished:
		part.Text = c.Lang().Stored(b.Failed)
		confirm(c.Tr("Undo import"), "undo", true)
	}
	part.Facts = append(part.Facts, form.Fact{Name: c.Tr("Imported"), Is: form.TextCell(c.Tr("%s of %s", c.Num(i.Imported), c.Num(i.Rows)))})
	add(c.Tr("Already on your profile"), b.Already)
	add(c.Tr("Removed"), i.Removed)
	for _, at := range []struct {
		name string
		t    time.Time
	}{{c.Tr("Continues at"), i.Waits}, {c.Tr("Finished"), i.Finished}} {
		if !at.t.IsZero() {
			part.Facts = append(part.Facts, form.Fact{Name: at.name, Is: form.TimeCell(at.t)})
		}
	}
	return part
}

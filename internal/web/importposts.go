package web

import (
	"fmt"
	"net/http"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// Archives of posts, of other servers of Mastodon and of X, that people bring with them.

func (h *accountPages) postsForm(c *call) *form {
	choices := append([]string{"", c.tr("Automatic")}, importVisibilities(c, "")...)
	return startForm(c, paths.PostsImport, c.tr("Upload"),
		field{Kind: fileField, Name: "archive", Label: c.tr("Post archive"), Required: true, Accept: ".zip,.gz,.tgz,application/zip,application/gzip",
			Hint: c.tr("At most %s. Uploading and checking a large archive can take a while.", c.fileSize(h.archives.MaxImport()))},
		field{Kind: selectField, Name: visibilityField, Label: c.tr("Post visibility"), Choices: pick("", choices...),
			Hint: c.tr("“Automatic” keeps the visibility of Mastodon posts. X posts become followers-only if your account there is protected, and unlisted otherwise.")})
}

// visibilityField is the widest visibility that imported posts get.
const visibilityField = "visibility"

// importVisibilities returns the values and labels of visibilityField for a kind of archive.
func importVisibilities(c *call, kind linnet.CSVKind) []string {
	widest := c.tr("Public")
	if kind == linnet.MastodonArchive {
		widest = c.tr("Same as in the archive")
	}
	return []string{linnet.Public.String(), widest, linnet.Unlisted.String(), c.tr("Unlisted"), linnet.Private.String(), c.tr("Followers")}
}

// chosenVisibility returns the visibility in the form; nil leaves it to the archive.
func chosenVisibility(c *call) *linnet.Visibility {
	if v, ok := linnet.ParseVisibility(c.typed(visibilityField)); ok {
		return &v
	}
	return nil
}

func (h *accountPages) uploadPosts(c *call) error {
	f := h.postsForm(c)
	sent, err := sentImport(c, "archive")
	var i *linnet.Import
	if err == nil {
		i, err = h.archives.AddPosts(c.r.Context(), c.me.ID, sent.name, sent.file, chosenVisibility(c))
	}
	if err != nil {
		if f.refused(err, map[string]formField{"archive": {"archive", c.tr("The archive")}, "file": {"archive", c.tr("The archive")}, visibilityField: {visibilityField, c.tr("The visibility")}}) {
			return h.showImports(c, importForm(c), f)
		}
		return err
	}
	return c.seeOther(paths.Import(i.ID))
}

// showPostsImport shows the progress of an import of posts, and its incomplete rows.
func showPostsImport(c *call, i *linnet.Import, rows []linnet.ImportRow, from, of int) error {
	parts := []formSection{postsSection(c, i)}
	if len(rows) > 0 {
		t := &table{Caption: c.tr("Incomplete posts"), Head: []string{c.tr("Post"), c.tr("Reason")}}
		for _, r := range rows {
			t.Rows = append(t.Rows, []cell{textCell(r.Name), textCell(c.lang().Kept(r.Outcome))})
		}
		part := formSection{Title: c.tr("Incomplete items"), Table: t}
		if next := from - from%100 + 100; next < of {
			part.Older = fmt.Sprintf("%s?from=%d", paths.Import(i.ID), next)
		}
		parts = append(parts, part)
	}
	return showSettings(c, http.StatusOK, c.tr("Import: %s", importType(c, i.Kind)), paths.Imports, formPage{Parts: parts})
}

// visibilityChoice lets the owner of an import change the visibility before confirming it.
func visibilityChoice(c *call, i *linnet.Import) []field {
	chosen := linnet.Public
	if i.Posts.Visibility != nil {
		chosen = *i.Posts.Visibility
	}
	f := field{Kind: selectField, Name: visibilityField, Label: c.tr("Post visibility"), Choices: pick(chosen.String(), importVisibilities(c, i.Kind)...)}
	if i.Kind == linnet.MastodonArchive {
		f.Hint = c.tr("Posts never become more visible than in the archive.")
	}
	return []field{f}
}

// postsSection shows the content of an archive of posts and the progress of its import, with its
// actions.
func postsSection(c *call, i *linnet.Import) formSection {
	b := i.Posts
	part := formSection{Facts: []fact{{c.tr("Status"), textCell(importStatus(c, i))}, {c.tr("File"), textCell(i.File)}, {c.tr("Posts"), countCell(i.Rows)},
		{c.tr("First post"), timeCell(b.First)}, {c.tr("Last post"), timeCell(b.Last)}, {c.tr("Pictures, videos and audio"), countCell(b.Pictures)}}}
	add := func(name string, n int64) {
		if n > 0 {
			part.Facts = append(part.Facts, fact{name, countCell(n)})
		}
	}
	for v, name := range []string{c.tr("Public"), c.tr("Unlisted"), c.tr("Followers")} {
		part.Facts = append(part.Facts, fact{c.tr("Visibility: %s", name), countCell(b.Counts[v])})
	}
	add(c.tr("Cut off in the archive"), b.Cut)
	add(c.tr("Skipped: boosts of others' posts"), b.Reposts)
	add(c.tr("Skipped: direct messages"), b.Messages)
	add(c.tr("Skipped: unreadable posts"), b.Unreadable)
	add(c.tr("Skipped: long texts without their post"), b.LongTexts)
	add(c.tr("Skipped: posts that can't be imported here"), i.Failed)
	add(c.tr("Attachments left out"), b.Lost)
	confirm := func(button, do string, grave bool) {
		part.Form = startForm(c, paths.Import(i.ID), button)
		part.Form.Hidden, part.Form.Grave = [][2]string{{"do", do}}, grave
	}
	switch i.State {
	case linnet.ImportUnconfirmed:
		part.Text = c.trn(i.Rows, "Nothing has been imported yet. If you confirm, up to %s post will appear on your profile with its original date. The file is stored until %s.",
			"Nothing has been imported yet. If you confirm, up to %s posts will appear on your profile with their original dates. The file is stored until %s.", ui.FullTime(c.forReader(c.r.Context()), b.Until))
		if b.Protected {
			part.Text += " " + c.tr("Your X account is protected: only your followers there can read these posts.")
		}
		confirm(c.tr("Confirm"), "confirm", false)
		part.Form.Fields = visibilityChoice(c, i)
		return part
	case linnet.ImportInProgress:
		part.Text = c.tr("We're importing your posts. You can leave this page. Reload it to see the progress.")
		confirm(c.tr("Stop and undo"), "undo", true)
	case linnet.ImportUndoing:
		part.Text = c.tr("We're removing the imported posts. You can leave this page.")
	case linnet.ImportFinished:
		part.Text = c.lang().Kept(b.Failed)
		confirm(c.tr("Undo import"), "undo", true)
	}
	part.Facts = append(part.Facts, fact{c.tr("Imported"), textCell(c.tr("%s of %s", c.num(i.Imported), c.num(i.Rows)))})
	add(c.tr("Already here"), b.Already)
	add(c.tr("Removed"), i.Removed)
	for _, at := range []struct {
		name string
		t    time.Time
	}{{c.tr("Continues at"), i.Waits}, {c.tr("Finished"), i.Finished}} {
		if !at.t.IsZero() {
			part.Facts = append(part.Facts, fact{at.name, timeCell(at.t)})
		}
	}
	return part
}

package account

import (
	"fmt"
	"net/http"
	"strconv"

	"linnet/internal/linnet"
	"linnet/internal/web/form"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
)

// importTypes returns the lists that can be imported, by Mastodon's names.
func importTypes(c *page.Context) []string {
	return []string{string(linnet.FollowingCSV), c.Tr("Follows"), string(linnet.BookmarksCSV), c.Tr("Bookmarks"), string(linnet.ListsCSV), c.Tr("Lists"),
		string(linnet.BlocksCSV), c.Tr("Blocks"), string(linnet.MutesCSV), c.Tr("Mutes")}
}

func importType(c *page.Context, kind linnet.CSVKind) string {
	switch kind {
	case linnet.FeedsOPML:
		return c.Tr("External feeds")
	case linnet.MastodonArchive:
		return c.Tr("Mastodon posts")
	case linnet.TwitterArchive:
		return c.Tr("X (Twitter) posts")
	}
	types := importTypes(c)
	for i, t := range types {
		if t == string(kind) {
			return types[i+1]
		}
	}
	return ""
}

func importStatus(c *page.Context, i *linnet.Import) string {
	switch i.State {
	case linnet.ImportUnconfirmed:
		return c.Tr("Unconfirmed")
	case linnet.ImportInProgress:
		return c.Tr("In progress")
	case linnet.ImportUndoing:
		return c.Tr("Undoing")
	case linnet.ImportUndone:
		return c.Tr("Undone")
	}
	return c.Tr("Finished")
}

// imports is the page of both forms and the recent imports.
func (h *Pages) imports(c *page.Context) (*form.Page, error) {
	all, err := h.Archives.Imports(c.Request.Context(), c.Me.ID)
	if err != nil {
		return nil, err
	}
	t := &form.Table{Caption: c.Tr("Recent imports"), Head: []string{c.Tr("Import type"), c.Tr("Status"), c.Tr("Started at"), c.Tr("Imported"), c.Tr("Failures"), ""}, Empty: c.Tr("You haven't imported anything yet.")}
	for _, i := range all {
		t.Rows = append(t.Rows, []form.Cell{form.TextCell(importType(c, i.Kind)), form.TextCell(importStatus(c, &i)), form.TimeCell(i.ID.Time()), form.CountCell(i.Imported), form.CountCell(i.Failed),
			form.LinkCell(c.Tr("Show"), paths.Import(i.ID))})
	}
	posts := h.postsForm(c)
	lists := form.New(c, paths.Imports, c.Tr("Upload"),
		form.Field{Kind: form.SelectField, Name: "type", Label: c.Tr("Import type"), Choices: form.Options(string(linnet.FollowingCSV), importTypes(c)...)},
		form.Field{Kind: form.FileField, Name: "file", Label: c.Tr("CSV file"), Required: true, Accept: ".csv,text/csv",
			Hint: c.Tr("A file exported from this or another server. The maximum is %s MB and %s rows.", c.Num(linnet.MaxImportBytes>>20), c.Num(linnet.MaxImportRows))},
		form.Field{Kind: form.SelectField, Name: "mode", Label: c.Tr("Mode"), Choices: form.Options("merge",
			"merge", c.Tr("Merge: add to your current data"), "overwrite", c.Tr("Overwrite: replace your current data"))})
	lists.Inputs = map[string]page.FormField{"file": {Name: "file", Subject: c.Tr("The file")}}
	feeds := form.New(c, paths.Imports, c.Tr("Upload"), form.Field{Kind: form.FileField, Name: "opml", Label: c.Tr("OPML file"), Required: true, Accept: ".opml,.xml,text/x-opml,text/xml",
		Hint: c.Tr("A file exported from a feed reader. The maximum is %s MB and %s feeds.", c.Num(linnet.MaxImportBytes>>20), c.Num(linnet.MaxImportFeeds))})
	feeds.Hidden = [][2]string{{"type", string(linnet.FeedsOPML)}}
	feeds.Inputs = map[string]page.FormField{"file": {Name: "opml", Subject: c.Tr("The file")}, "opml": {Name: "opml", Subject: c.Tr("The file")}}
	p := &form.Page{Title: c.Tr("Import"), Path: paths.Imports, Form: lists,
		Parts: []form.Section{
			{Title: c.Tr("Posts"), Text: c.Tr("To import your posts, upload your archive from a Mastodon server or from X (Twitter) as a ZIP or tar.gz file. The posts appear on your profile with their original dates, but not in timelines. We don't notify anyone. You can review the archive before importing it."), Form: posts},
			{Title: c.Tr("CSV files"), Text: c.Tr("You can import data that you exported from another server, such as the people you follow or block. Only entries for people and posts on this server can be imported."), Form: lists},
			{Title: c.Tr("External feeds"), Text: c.Tr("You can import feeds from a feed reader. After the import, you follow these feeds here like accounts."), Form: feeds},
			{Title: c.Tr("Recent imports"), Table: t}}}
	if c.Typed("type") == string(linnet.FeedsOPML) {
		p.Form = feeds
	}
	if c.Request.URL.Path == posts.Action {
		p.Form = posts
	}
	return p, nil
}

// sentImport returns the uploaded file of an input.
func sentImport(c *page.Context, field string) (sent page.SentFile, err error) {
	all := c.Files[field]
	if len(all) == 0 {
		return sent, linnet.FieldError(field, "ERR_BLANK", "is missing. Choose a file")
	}
	if all[0].Err != nil {
		err = page.InField(all[0].Err, field)
	}
	return all[0], err
}

func (h *Pages) uploadImport(c *page.Context) (string, error) {
	kind, field := linnet.CSVKind(c.Typed("type")), "file"
	if kind == linnet.FeedsOPML {
		field = "opml"
	}
	sent, err := sentImport(c, field)
	if err != nil {
		return "", err
	}
	i, err := h.Archives.AddImport(c.Request.Context(), c.Me.ID, kind, c.Typed("mode") == "overwrite", sent.Name, sent.File.Reader())
	if err != nil {
		return "", err
	}
	return paths.Import(i.ID), nil
}

// importNamed returns the import in the path.
func (h *Pages) importNamed(c *page.Context) (*linnet.Import, error) {
	id, ok := linnet.ParseID(c.Request.PathValue("id"))
	if !ok {
		return nil, page.NotFound()
	}
	i, err := h.Archives.Import(c.Request.Context(), c.Me.ID, id)
	if err != nil {
		return nil, page.OrNotFound(err, "look up an import")
	}
	return i, nil
}

// merges describes what an import adds. n is the number of rows with a match on this server.
func merges(c *page.Context, kind linnet.CSVKind, n int64, file string) string {
	switch kind {
	case linnet.FeedsOPML:
		return c.Trn(n, "You're about to follow up to %s feed from %s.", "You're about to follow up to %s feeds from %s.", file)
	case linnet.BlocksCSV:
		return c.Trn(n, "You're about to block up to %s account from %s.", "You're about to block up to %s accounts from %s.", file)
	case linnet.MutesCSV:
		return c.Trn(n, "You're about to mute up to %s account from %s.", "You're about to mute up to %s accounts from %s.", file)
	case linnet.BookmarksCSV:
		return c.Trn(n, "You're about to add up to %s post from %s to your bookmarks.", "You're about to add up to %s posts from %s to your bookmarks.", file)
	case linnet.ListsCSV:
		return c.Trn(n, "You're about to add up to %s account from %s to your lists.", "You're about to add up to %s accounts from %s to your lists.", file)
	}
	return c.Trn(n, "You're about to follow up to %s account from %s.", "You're about to follow up to %s accounts from %s.", file)
}

// replaces describes what an import replaces.
func replaces(c *page.Context, kind linnet.CSVKind, n int64, file string) string {
	switch kind {
	case linnet.BlocksCSV:
		return c.Trn(n, "You're about to replace your block list with up to %s account from %s.", "You're about to replace your block list with up to %s accounts from %s.", file)
	case linnet.MutesCSV:
		return c.Trn(n, "You're about to replace your list of muted accounts with up to %s account from %s.", "You're about to replace your list of muted accounts with up to %s accounts from %s.", file)
	case linnet.BookmarksCSV:
		return c.Trn(n, "You're about to replace your bookmarks with up to %s post from %s.", "You're about to replace your bookmarks with up to %s posts from %s.", file)
	case linnet.ListsCSV:
		return c.Trn(n, "You're about to replace your lists. Up to %s account from %s will be added to the new lists.", "You're about to replace your lists. Up to %s accounts from %s will be added to the new lists.", file)
	}
	return c.Trn(n, "You're about to replace the accounts you follow with up to %s account from %s.", "You're about to replace the accounts you follow with up to %s accounts from %s.", file)
}

func (h *Pages) importPage(c *page.Context) (*form.Page, error) {
	i, err := h.importNamed(c)
	if err != nil {
		return nil, err
	}
	from, _ := strconv.Atoi(c.Request.URL.Query().Get("from"))
	rows, of, err := h.Archives.ImportRows(c.Request.Context(), c.Me.ID, i.ID, from)
	if err != nil {
		return nil, err
	}
	if i.Posts != nil {
		return postsImportPage(c, i, rows, from, of), nil
	}
	t := &form.Table{Caption: c.Tr("Rows"), Head: []string{c.Tr("Row"), c.Tr("Name"), c.Tr("Status")}, Empty: c.Tr("There are no rows to show.")}
	if i.Kind == linnet.ListsCSV {
		t.Head = []string{c.Tr("Row"), c.Tr("List"), c.Tr("Name"), c.Tr("Status")}
	}
	for _, r := range rows {
		cells := []form.Cell{form.CountCell(int64(r.Number)), form.TextCell(r.List), form.TextCell(r.Name), form.TextCell(rowState(c, i, &r))}
		if i.Kind != linnet.ListsCSV {
			cells = append(cells[:1], cells[2:]...)
		}
		t.Rows = append(t.Rows, cells)
	}
	list := form.Section{Title: c.Tr("Rows"), Table: t}
	if next := from - from%100 + 100; next < of {
		list.Older = fmt.Sprintf("%s?from=%d", paths.Import(i.ID), next)
	}
	return &form.Page{Title: c.Tr("Import: %s", importType(c, i.Kind)), Path: paths.Imports, Parts: []form.Section{importSection(c, i), list}}, nil
}

// rowState describes the result of a row.
func rowState(c *page.Context, i *linnet.Import, r *linnet.ImportRow) string {
	switch {
	case r.Removed:
		return c.Tr("Removed because it isn't in the file")
	case r.Outcome != "":
		return c.Lang().Stored(r.Outcome)
	case !r.Here && i.Kind == linnet.FeedsOPML:
		return c.Tr("Not fetched yet")
	case !r.Here:
		return c.Tr("Not found on this server")
	case i.State == linnet.ImportFinished || i.State == linnet.ImportInProgress && int64(r.Number) <= i.Done:
		return c.Tr("Imported")
	}
	return c.Tr("Found on this server")
}

// importSection shows the progress of an import, with its actions.
func importSection(c *page.Context, i *linnet.Import) form.Section {
	part := form.Section{Facts: []form.Fact{{Name: c.Tr("Status"), Is: form.TextCell(importStatus(c, i))}, {Name: c.Tr("File"), Is: form.TextCell(i.File)}}}
	add := func(name string, is form.Cell) { part.Facts = append(part.Facts, form.Fact{Name: name, Is: is}) }
	if i.State == linnet.ImportUnconfirmed {
		part.Text = merges(c, i.Kind, i.Here, i.File)
		if i.Overwrite {
			part.Text = replaces(c, i.Kind, i.Here, i.File)
		}
		if i.Kind == linnet.FeedsOPML {
			part.Text = merges(c, i.Kind, i.Rows, i.File)
		} else {
			part.Text += " " + c.Trn(i.Here, "%[1]s of the %[2]s in the file was found on this server.", "%[1]s of the %[2]s in the file were found on this server.", c.Trn(i.Rows, "%s row", "%s rows"))
		}
		if i.Looks != "" {
			part.Text += " " + c.Tr("This file seems to contain something else: %s. Check the import type.", importType(c, i.Looks))
		}
		if i.Empties() {
			part.Text += " " + c.Tr("Overwriting would remove all your current entries, so we stopped. Choose another file or import type, or choose Merge.")
			return part
		}
		part.Form = form.New(c, paths.Import(i.ID), c.Tr("Confirm"))
		part.Form.Hidden, part.Form.Grave = [][2]string{{"do", "confirm"}}, i.Overwrite
		return part
	}
	add(c.Tr("Rows"), form.CountCell(i.Rows))
	add(c.Tr("Imported"), form.CountCell(i.Imported))
	if i.Overwrite {
		add(c.Tr("Removed"), form.CountCell(i.Removed))
	}
	add(c.Tr("Failures"), form.CountCell(i.Failed))
	if !i.Waits.IsZero() {
		add(c.Tr("Continues at"), form.TimeCell(i.Waits))
		part.Text = c.Tr("New accounts can only follow a limited number of people per hour. The import continues automatically.")
		if i.Kind == linnet.FeedsOPML {
			part.Text = c.Tr("You can only add a limited number of feeds per hour. The import continues automatically.")
		}
	}
	if !i.Finished.IsZero() {
		add(c.Tr("Finished"), form.TimeCell(i.Finished))
	}
	if i.Failed > 0 {
		part.Links = []form.Link{{Path: paths.Import(i.ID) + "/failures.csv", Text: c.Tr("Download failed rows as CSV")}}
	}
	if i.State == linnet.ImportFinished {
		part.Form = form.New(c, paths.Import(i.ID), c.Tr("Undo import"))
		part.Form.Hidden, part.Form.Grave = [][2]string{{"do", "undo"}}, true
	}
	return part
}

// actOnImport confirms an import or undoes it.
func (h *Pages) actOnImport(c *page.Context) (string, error) {
	i, err := h.importNamed(c)
	if err != nil {
		return "", err
	}
	if c.Typed("do") == "undo" {
		return paths.Import(i.ID), h.Archives.UndoImport(c.Request.Context(), c.Me.ID, i.ID)
	}
	return paths.Import(i.ID), h.Archives.ConfirmImport(c.Request.Context(), c.Me.ID, i.ID, chosenVisibility(c))
}

func (h *Pages) importFailures(c *page.Context) error {
	i, err := h.importNamed(c)
	if err != nil {
		return err
	}
	return sendFile(c, csvType, string(i.Kind)+"_failures.csv", func(w http.ResponseWriter) error {
		return h.Archives.WriteFailures(c.Request.Context(), c.Me.ID, i.ID, w)
	})
}

package web

import (
	"fmt"
	"net/http"
	"strconv"

	"linnet/internal/linnet"
	"linnet/internal/web/paths"
)

// Imports: lists as CSV files, of this server or another. A file is checked first, and imported
// after confirmation.

func (h *accountPages) importRoutes() []route {
	return []route{
		{pattern: paths.Imports, get: own(h.imports), post: own(h.uploadImport)},
		{pattern: paths.PostsImport, post: own(h.uploadPosts)},
		{pattern: paths.Imports + "/{id}", get: own(h.importPage), post: own(h.actOnImport)},
		{pattern: paths.Imports + "/{id}/failures.csv", get: own(h.importFailures)},
	}
}

// importTypes are the lists that can be imported, as Mastodon calls them.
func importTypes(c *call) []string {
	return []string{string(linnet.FollowingCSV), c.tr("Follows"), string(linnet.BookmarksCSV), c.tr("Bookmarks"), string(linnet.ListsCSV), c.tr("Lists"),
		string(linnet.BlocksCSV), c.tr("Blocks"), string(linnet.MutesCSV), c.tr("Mutes")}
}

func importType(c *call, kind linnet.CSVKind) string {
	switch kind {
	case linnet.MastodonArchive:
		return c.tr("Mastodon posts")
	case linnet.TwitterArchive:
		return c.tr("X (Twitter) posts")
	}
	types := importTypes(c)
	for i, t := range types {
		if t == string(kind) {
			return types[i+1]
		}
	}
	return ""
}

func importStatus(c *call, i *linnet.Import) string {
	switch i.State {
	case linnet.ImportUnconfirmed:
		return c.tr("Unconfirmed")
	case linnet.ImportInProgress:
		return c.tr("In progress")
	case linnet.ImportUndoing:
		return c.tr("Being undone")
	case linnet.ImportUndone:
		return c.tr("Undone")
	}
	return c.tr("Finished")
}

func importForm(c *call) *form {
	return startForm(c, paths.Imports, c.tr("Upload"),
		field{Kind: selectField, Name: "type", Label: c.tr("Import type"), Choices: pick(string(linnet.FollowingCSV), importTypes(c)...)},
		field{Kind: fileField, Name: "file", Label: c.tr("CSV file"), Required: true, Accept: ".csv,text/csv",
			Hint: c.tr("Exported here or from another server. At most %s MB and %s rows.", c.num(linnet.MaxImportBytes>>20), c.num(linnet.MaxImportRows))},
		field{Kind: selectField, Name: "mode", Label: c.tr("Mode"), Choices: pick("merge",
			"merge", c.tr("Merge: add to your current data"), "overwrite", c.tr("Overwrite: replace your current data"))})
}

func (h *accountPages) imports(c *call) error { return h.showImports(c, importForm(c), h.postsForm(c)) }

// showImports shows both forms and recent imports. The first form with an error determines the
// status.
func (h *accountPages) showImports(c *call, f, posts *form) error {
	all, err := h.archives.Imports(c.r.Context(), c.me.ID)
	if err != nil {
		return err
	}
	t := &table{Caption: c.tr("Recent imports"), Head: []string{c.tr("Import type"), c.tr("Status"), c.tr("Started at"), c.tr("Imported"), c.tr("Failures"), ""}, Empty: c.tr("You haven't imported anything yet.")}
	for _, i := range all {
		t.Rows = append(t.Rows, []cell{textCell(importType(c, i.Kind)), textCell(importStatus(c, &i)), timeCell(i.ID.Time()), countCell(i.Imported), countCell(i.Failed),
			linkCell(c.tr("Show"), paths.Import(i.ID))})
	}
	return showSettings(c, max(f.code(), posts.code()), c.tr("Import"), paths.Imports, formPage{
		Parts: []formSection{
			{Title: c.tr("Posts"), Text: c.tr("To import your posts, upload the archive from another Mastodon server or from X (Twitter) as a ZIP or tar.gz file. Posts appear on your profile with their original dates. We don't notify anyone, and they don't appear in timelines. You can review the archive before importing it."), Form: posts},
			{Title: c.tr("CSV files"), Text: c.tr("You can import data that you exported from another server, such as the people you follow or block. Only people and posts on this server can be found."), Form: f},
			{Title: c.tr("Recent imports"), Table: t}}})
}

// sentImport is the file that was chosen.
func sentImport(c *call, field string) (sent sentFile, err error) {
	all := c.files[field]
	if len(all) == 0 {
		return sent, linnet.FieldError(field, "ERR_BLANK", "must be chosen")
	}
	if all[0].err != nil {
		err = inField(all[0].err, field)
	}
	return all[0], err
}

func (h *accountPages) uploadImport(c *call) error {
	f := importForm(c)
	sent, err := sentImport(c, "file")
	var i *linnet.Import
	if err == nil {
		i, err = h.archives.AddImport(c.r.Context(), c.me.ID, linnet.CSVKind(c.typed("type")), c.typed("mode") == "overwrite", sent.name, sent.file.Reader())
	}
	if err != nil {
		if f.refused(err, map[string]formField{"file": {"file", c.tr("The file")}}) {
			return h.showImports(c, f, h.postsForm(c))
		}
		return err
	}
	return c.seeOther(paths.Import(i.ID))
}

// importNamed is the import that the path names.
func (h *accountPages) importNamed(c *call) (*linnet.Import, error) {
	id, ok := linnet.ParseID(c.r.PathValue("id"))
	if !ok {
		return nil, errNowhere()
	}
	i, err := h.archives.Import(c.r.Context(), c.me.ID, id)
	if err != nil {
		return nil, notThere(err, "look up an import")
	}
	return i, nil
}

// preamble says what an import does.
func preamble(c *call, i *linnet.Import) string {
	does := merges(c, i.Kind, i.Here, i.File)
	if i.Overwrite {
		does = replaces(c, i.Kind, i.Here, i.File)
	}
	return does + " " +
		c.trn(i.Here, "%[1]s of the %[2]s in the file matches something on this server.", "%[1]s of the %[2]s in the file match something on this server.", c.trn(i.Rows, "%s row", "%s rows"))
}

// merges describes what an import adds. n is the number of rows with a match on this server.
func merges(c *call, kind linnet.CSVKind, n int64, file string) string {
	switch kind {
	case linnet.BlocksCSV:
		return c.trn(n, "You're about to block up to %s account from %s.", "You're about to block up to %s accounts from %s.", file)
	case linnet.MutesCSV:
		return c.trn(n, "You're about to mute up to %s account from %s.", "You're about to mute up to %s accounts from %s.", file)
	case linnet.BookmarksCSV:
		return c.trn(n, "You're about to add up to %s post from %s to your bookmarks.", "You're about to add up to %s posts from %s to your bookmarks.", file)
	case linnet.ListsCSV:
		return c.trn(n, "You're about to add up to %s account from %s to your lists.", "You're about to add up to %s accounts from %s to your lists.", file)
	}
	return c.trn(n, "You're about to follow up to %s account from %s.", "You're about to follow up to %s accounts from %s.", file)
}

// replaces describes what an import replaces.
func replaces(c *call, kind linnet.CSVKind, n int64, file string) string {
	switch kind {
	case linnet.BlocksCSV:
		return c.trn(n, "You're about to replace your block list with up to %s account from %s.", "You're about to replace your block list with up to %s accounts from %s.", file)
	case linnet.MutesCSV:
		return c.trn(n, "You're about to replace your list of muted accounts with up to %s account from %s.", "You're about to replace your list of muted accounts with up to %s accounts from %s.", file)
	case linnet.BookmarksCSV:
		return c.trn(n, "You're about to replace your bookmarks with up to %s post from %s.", "You're about to replace your bookmarks with up to %s posts from %s.", file)
	case linnet.ListsCSV:
		return c.trn(n, "You're about to replace your lists with up to %s account from %s.", "You're about to replace your lists with up to %s accounts from %s.", file)
	}
	return c.trn(n, "You're about to replace the accounts you follow with up to %s account from %s.", "You're about to replace the accounts you follow with up to %s accounts from %s.", file)
}

func (h *accountPages) importPage(c *call) error {
	i, err := h.importNamed(c)
	if err != nil {
		return err
	}
	from, _ := strconv.Atoi(c.r.URL.Query().Get("from"))
	rows, of, err := h.archives.ImportRows(c.r.Context(), c.me.ID, i.ID, from)
	if err != nil {
		return err
	}
	if i.Posts != nil {
		return showPostsImport(c, i, rows, from, of)
	}
	t := &table{Caption: c.tr("Rows"), Head: []string{c.tr("Row"), c.tr("Name"), c.tr("State")}, Empty: c.tr("There are no rows here.")}
	if i.Kind == linnet.ListsCSV {
		t.Head = []string{c.tr("Row"), c.tr("List"), c.tr("Name"), c.tr("State")}
	}
	for _, r := range rows {
		cells := []cell{countCell(int64(r.Number)), textCell(r.List), textCell(r.Name), textCell(rowState(c, i, &r))}
		if i.Kind != linnet.ListsCSV {
			cells = append(cells[:1], cells[2:]...)
		}
		t.Rows = append(t.Rows, cells)
	}
	list := formSection{Title: c.tr("Rows"), Table: t}
	if next := from - from%100 + 100; next < of {
		list.Older = fmt.Sprintf("%s?from=%d", paths.Import(i.ID), next)
	}
	return showSettings(c, http.StatusOK, c.tr("Import: %s", importType(c, i.Kind)), paths.Imports, formPage{Parts: []formSection{importSection(c, i), list}})
}

// rowState describes the result of a row.
func rowState(c *call, i *linnet.Import, r *linnet.ImportRow) string {
	switch {
	case r.Removed:
		return c.tr("Removed because it isn't in the file")
	case r.Outcome != "":
		return c.lang().Kept(r.Outcome)
	case !r.Here:
		return c.tr("Not found here")
	case i.State == linnet.ImportFinished || i.State == linnet.ImportInProgress && int64(r.Number) <= i.Done:
		return c.tr("Imported")
	}
	return c.tr("Found here")
}

// importSection shows the progress of an import, with its actions.
func importSection(c *call, i *linnet.Import) formSection {
	part := formSection{Facts: []fact{{c.tr("Status"), textCell(importStatus(c, i))}, {c.tr("File"), textCell(i.File)}}}
	add := func(name string, is cell) { part.Facts = append(part.Facts, fact{name, is}) }
	if i.State == linnet.ImportUnconfirmed {
		part.Text = preamble(c, i)
		if i.Looks != "" {
			part.Text += " " + c.tr("The file looks like another type: %s.", importType(c, i.Looks))
		}
		if i.Empties() {
			part.Text += " " + c.tr("Overwriting would remove everything you have, so we didn't do it. Choose another file or import type, or choose Merge.")
			return part
		}
		part.Form = startForm(c, paths.Import(i.ID), c.tr("Confirm"))
		part.Form.Hidden, part.Form.Grave = [][2]string{{"do", "confirm"}}, i.Overwrite
		return part
	}
	add(c.tr("Rows"), countCell(i.Rows))
	add(c.tr("Imported"), countCell(i.Imported))
	if i.Overwrite {
		add(c.tr("Removed"), countCell(i.Removed))
	}
	add(c.tr("Failures"), countCell(i.Failed))
	if !i.Waits.IsZero() {
		add(c.tr("Continues at"), timeCell(i.Waits))
		part.Text = c.tr("New accounts can only follow a limited number of people per hour. The import continues automatically.")
	}
	if !i.Finished.IsZero() {
		add(c.tr("Finished"), timeCell(i.Finished))
	}
	if i.Failed > 0 {
		part.Links = []navLink{{Path: paths.Import(i.ID) + "/failures.csv", Text: c.tr("Download failures as CSV")}}
	}
	if i.State == linnet.ImportFinished {
		part.Form = startForm(c, paths.Import(i.ID), c.tr("Undo import"))
		part.Form.Hidden, part.Form.Grave = [][2]string{{"do", "undo"}}, true
	}
	return part
}

func (h *accountPages) actOnImport(c *call) error {
	i, err := h.importNamed(c)
	if err != nil {
		return err
	}
	if c.typed("do") == "undo" {
		err = h.archives.UndoImport(c.r.Context(), c.me.ID, i.ID)
	} else {
		err = h.archives.ConfirmImport(c.r.Context(), c.me.ID, i.ID, chosenVisibility(c))
	}
	if err != nil {
		return err
	}
	return c.seeOther(paths.Import(i.ID))
}

func (h *accountPages) importFailures(c *call) error {
	i, err := h.importNamed(c)
	if err != nil {
		return err
	}
	return sendCSV(c, string(i.Kind)+"_failures.csv", func(w http.ResponseWriter) error {
		return h.archives.WriteFailures(c.r.Context(), c.me.ID, i.ID, w)
	})
}

package account

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/web/form"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
)

// export is the page of the archive and the other files that the reader can download.
func (h *Pages) export(c *page.Context) (*form.Page, error) {
	a, err := h.Archives.Archive(c.Request.Context(), c.Me.ID)
	if err != nil {
		return nil, err
	}
	lists := &form.Table{Caption: c.Tr("CSV exports"), Head: []string{c.Tr("Data"), c.Tr("File")}}
	for _, n := range [][2]string{{string(linnet.FollowingCSV), locale.Mark("Follows")}, {string(linnet.ListsCSV), locale.Mark("Lists")}, {string(linnet.BlocksCSV), locale.Mark("Blocks")},
		{string(linnet.MutesCSV), locale.Mark("Mutes")}, {string(linnet.BookmarksCSV), locale.Mark("Bookmarks")}} {
		lists.Rows = append(lists.Rows, []form.Cell{form.TextCell(c.Tr(n[1])), form.LinkCell(n[0]+".csv", paths.Export+"/"+n[0]+".csv")})
	}
	p := &form.Page{Title: c.Tr("Data export"), Path: paths.Export, Parts: []form.Section{archiveSection(c, a),
		{Title: c.Tr("CSV files"), Text: c.Tr("CSV files with your follows, lists and other data, in Mastodon's format. You can import the files here or on other servers."), Table: lists},
		{Title: c.Tr("External feeds"), Text: c.Tr("An OPML file with the feeds of other sites that you follow. You can import the file here or in a feed reader."), Links: []form.Link{{Path: paths.Export + "/" + feedsFile, Text: c.Tr("Download feeds")}}}}}
	if c.Request.URL.Query().Get("done") != "" {
		p.Done = c.Tr("We're preparing your archive. It will appear here when it's ready.")
	}
	return p, nil
}

// archiveSection shows the progress of the archive.
func archiveSection(c *page.Context, a *linnet.Archive) form.Section {
	part := form.Section{Title: c.Tr("Your archive"), Text: c.Tr("You can request an archive of your posts and uploaded media every 7 days. The archive is in the ActivityPub format, which other compatible software can read.")}
	if a != nil {
		part.Facts = []form.Fact{{Name: c.Tr("Requested"), Is: form.TimeCell(a.Asked)}}
		switch {
		case a.Failed != "":
			part.Facts = append(part.Facts, form.Fact{Name: c.Tr("Status"), Is: form.TextCell(c.Tr("We couldn't create the archive. %s", c.Lang().Stored(a.Failed)))})
		case a.Made.IsZero():
			part.Facts = append(part.Facts, form.Fact{Name: c.Tr("Status"), Is: form.TextCell(c.Tr("Preparing your archive: %s of %s posts so far.", c.Num(a.Posts), c.Num(a.Of)))})
		default:
			part.Facts = append(part.Facts, form.Fact{Name: c.Tr("Size"), Is: form.TextCell(c.FileSize(a.Bytes))}, form.Fact{Name: c.Tr("Posts"), Is: form.CountCell(a.Posts)}, form.Fact{Name: c.Tr("Available until"), Is: form.TimeCell(a.Until)})
			if a.Missing > 0 {
				part.Facts = append(part.Facts, form.Fact{Name: c.Tr("Left out"), Is: form.TextCell(c.Trn(a.Missing, "%s file that is missing on this server.", "%s files that are missing on this server."))})
			}
			part.Links = []form.Link{{Path: paths.Export + "/archive", Text: c.Tr("Download archive")}}
		}
	}
	if a == nil || a.Renewable {
		part.Form = form.New(c, paths.Export, c.Tr("Request archive"))
	}
	return part
}

func (h *Pages) requestArchive(c *page.Context) error {
	err := h.Archives.RequestArchive(c.Request.Context(), c.Me.ID)
	refusal := page.Refusal(err)
	switch {
	case err == nil:
		return c.Redirect(form.Saved(paths.Export))
	case refusal == nil:
		return err
	}
	p, err := h.export(c)
	if err != nil {
		return err
	}
	p.Lead = refusal.In(c.Lang().Say())
	return p.Render(c, http.StatusUnprocessableEntity)
}

// setDownloadHeaders sets the headers of a response that is a private file.
func setDownloadHeaders(c *page.Context, kind, name string) {
	h := c.Writer.Header()
	page.SecureHeaders(h, "")
	h.Set("Cache-Control", "private, no-store")
	h.Set("Content-Type", kind)
	h.Set("Content-Disposition", `attachment; filename="`+name+`"`)
	h.Set("X-Robots-Tag", "noindex")
}

// downloadArchive sends the archive or parts of it (RFC 9110 section 14).
func (h *Pages) downloadArchive(c *page.Context) error {
	f, a, err := h.Archives.OpenArchive(c.Request.Context(), c.Me.ID)
	if err != nil {
		return fmt.Errorf("open an archive: %w", err)
	}
	defer f.Close()
	setDownloadHeaders(c, "application/zip", a.File)
	c.Writer.Header().Set("ETag", fmt.Sprintf(`"%d"`, a.Asked.UnixMilli()))
	http.ServeContent(c.Writer, c.Request, "", a.Made.Truncate(time.Second), f)
	return nil
}

// feedsFile is the name of the file of followed feeds.
const feedsFile = string(linnet.FeedsOPML) + ".opml"

// download sends a list as a CSV or OPML file.
func (h *Pages) download(c *page.Context) error {
	if c.Request.PathValue("file") == feedsFile {
		return sendFile(c, "text/x-opml; charset=utf-8", feedsFile, func(w http.ResponseWriter) error {
			return h.Archives.WriteOPML(c.Request.Context(), c.Me.ID, w)
		})
	}
	name, ok := strings.CutSuffix(c.Request.PathValue("file"), ".csv")
	kind, known := linnet.ParseCSVKind(name)
	if !ok || !known {
		return page.NotFound()
	}
	return sendFile(c, csvType, name+".csv", func(w http.ResponseWriter) error {
		return h.Archives.WriteCSV(c.Request.Context(), c.Me.ID, kind, w)
	})
}

const csvType = "text/csv; charset=utf-8"

// sendFile sends the file that write writes.
func sendFile(c *page.Context, kind, name string, write func(http.ResponseWriter) error) error {
	setDownloadHeaders(c, kind, name)
	if c.Request.Method == http.MethodHead {
		c.Writer.WriteHeader(http.StatusOK)
		return nil
	}
	w := &writeTracker{ResponseWriter: c.Writer}
	err := write(w)
	if err == nil {
		if !w.written {
			c.Writer.WriteHeader(http.StatusOK)
		}
		return nil
	}
	if w.written { // an incomplete list must not look complete
		c.Opts.Log.Warn("cannot send complete export", "request_id", c.RequestID, "err", err)
		panic(http.ErrAbortHandler)
	}
	c.Writer.Header().Del("Content-Disposition")
	return err
}

// writeTracker records whether anything was written.
type writeTracker struct {
	http.ResponseWriter
	written bool
}

// Write writes p and records it.
func (b *writeTracker) Write(p []byte) (int, error) {
	b.written = true
	return b.ResponseWriter.Write(p)
}

package web

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/web/paths"
)

// Exports: an archive of the user's posts, and their lists.

func (h *accountPages) exportRoutes() []route {
	return []route{
		{pattern: paths.Export, get: own(h.export), post: own(h.requestArchive)},
		{pattern: paths.Export + "/archive", get: own(h.downloadArchive)},
		{pattern: paths.Export + "/{file}", get: own(h.downloadCSV)},
	}
}

// csvNames returns the lists that can be exported, with their names.
func csvNames() [][2]string {
	return [][2]string{{string(linnet.FollowingCSV), locale.Mark("Follows")}, {string(linnet.ListsCSV), locale.Mark("Lists")}, {string(linnet.BlocksCSV), locale.Mark("Blocks")},
		{string(linnet.MutesCSV), locale.Mark("Mutes")}, {string(linnet.BookmarksCSV), locale.Mark("Bookmarks")}}
}

func (h *accountPages) export(c *call) error { return h.showExport(c, http.StatusOK, "") }

// showExport shows the page, with an error if the export couldn't start.
func (h *accountPages) showExport(c *call, code int, wrong string) error {
	a, err := h.archives.Archive(c.r.Context(), c.me.ID)
	if err != nil {
		return err
	}
	lists := &table{Caption: c.tr("CSV exports"), Head: []string{c.tr("Data"), c.tr("File")}}
	for _, n := range csvNames() {
		lists.Rows = append(lists.Rows, []cell{textCell(c.tr(n[1])), linkCell(n[0]+".csv", paths.Export+"/"+n[0]+".csv")})
	}
	d := formPage{Parts: []formSection{archiveSection(c, a),
		{Title: c.tr("CSV files"), Text: c.tr("Your follows, lists and other data in Mastodon's CSV format. You can import these files here or on other servers."), Table: lists}}}
	if wrong != "" {
		d.Lead = wrong
	} else if c.r.URL.Query().Get("done") != "" {
		d.Done = c.tr("We're preparing your archive. It will appear here when it's ready.")
	}
	return showSettings(c, code, c.tr("Data export"), paths.Export, d)
}

// archiveSection shows the progress of the archive.
func archiveSection(c *call, a *linnet.Archive) formSection {
	part := formSection{Title: c.tr("Your archive"), Text: c.tr("You can request an archive of your posts and uploaded media. It's in the ActivityPub format, which other compatible software can read. You can request one archive every 7 days.")}
	if a != nil {
		part.Facts = []fact{{c.tr("Requested"), timeCell(a.Asked)}}
		switch {
		case a.Failed != "":
			part.Facts = append(part.Facts, fact{c.tr("State"), textCell(c.tr("We couldn't create it. %s", c.lang().Kept(a.Failed)))})
		case a.Made.IsZero():
			part.Facts = append(part.Facts, fact{c.tr("State"), textCell(c.tr("Preparing your archive: %s of %s posts so far.", c.num(a.Posts), c.num(a.Of)))})
		default:
			part.Facts = append(part.Facts, fact{c.tr("Size"), textCell(c.fileSize(a.Bytes))}, fact{c.tr("Posts"), countCell(a.Posts)}, fact{c.tr("Available until"), timeCell(a.Until)})
			if a.Missing > 0 {
				part.Facts = append(part.Facts, fact{c.tr("Left out"), textCell(c.trn(a.Missing, "%s file that is missing on this server.", "%s files that are missing on this server."))})
			}
			part.Links = []navLink{{Path: paths.Export + "/archive", Text: c.tr("Download archive")}}
		}
	}
	if a == nil || a.Renewable {
		part.Form = startForm(c, paths.Export, c.tr("Request archive"))
	}
	return part
}

// fileSize is a number of bytes as the reader writes it.
func (c *call) fileSize(n int64) string {
	switch {
	case n >= 10<<30:
		return c.tr("%s GB", c.num(n>>30))
	case n >= 10<<20:
		return c.tr("%s MB", c.num(n>>20))
	}
	return c.tr("%s kB", c.num((n+1023)>>10))
}

func (h *accountPages) requestArchive(c *call) error {
	err := h.archives.RequestArchive(c.r.Context(), c.me.ID)
	if e := refusal(err); e != nil {
		return h.showExport(c, http.StatusUnprocessableEntity, e.In(c.lang().Say()))
	}
	if err != nil {
		return err
	}
	return saved(c, paths.Export)
}

// attached begins an answer that is a file of the reader's own.
func attached(c *call, kind, name string) {
	h := c.w.Header()
	secureHeaders(h, "")
	h.Set("Cache-Control", "private, no-store")
	h.Set("Content-Type", kind)
	h.Set("Content-Disposition", `attachment; filename="`+name+`"`)
	h.Set("X-Robots-Tag", "noindex")
}

// downloadArchive answers with the archive, or parts of it (RFC 9110 section 14).
func (h *accountPages) downloadArchive(c *call) error {
	f, a, err := h.archives.OpenArchive(c.r.Context(), c.me.ID)
	if err != nil {
		return fmt.Errorf("open an archive: %w", err)
	}
	defer f.Close()
	attached(c, "application/zip", a.File)
	c.w.Header().Set("ETag", fmt.Sprintf(`"%d"`, a.Asked.UnixMilli()))
	http.ServeContent(c.w, c.r, "", a.Made.Truncate(time.Second), f)
	return nil
}

// downloadCSV answers with a list, as it is read.
func (h *accountPages) downloadCSV(c *call) error {
	name, ok := strings.CutSuffix(c.r.PathValue("file"), ".csv")
	kind, known := linnet.ParseCSVKind(name)
	if !ok || !known {
		return errNowhere()
	}
	return sendCSV(c, name+".csv", func(w http.ResponseWriter) error {
		return h.archives.WriteCSV(c.r.Context(), c.me.ID, kind, w)
	})
}

// sendCSV answers with a CSV file, as write writes it.
func sendCSV(c *call, name string, write func(http.ResponseWriter) error) error {
	attached(c, "text/csv; charset=utf-8", name)
	if c.r.Method == http.MethodHead {
		c.w.WriteHeader(http.StatusOK)
		return nil
	}
	w := &begun{ResponseWriter: c.w}
	err := write(w)
	if err == nil {
		if !w.yes {
			c.w.WriteHeader(http.StatusOK)
		}
		return nil
	}
	if w.yes { // half a list must not look like a whole one
		c.opts.Log.Warn("a list could not be sent whole", "request", c.id, "err", err)
		panic(http.ErrAbortHandler)
	}
	c.w.Header().Del("Content-Disposition")
	return err
}

// begun knows whether anything was written.
type begun struct {
	http.ResponseWriter
	yes bool
}

func (b *begun) Write(p []byte) (int, error) {
	b.yes = true
	return b.ResponseWriter.Write(p)
}

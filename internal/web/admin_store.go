package web

import (
	"time"

	"linnet/internal/moderation"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
	"linnet/internal/wording"
)

func (h *adminPages) store(c *page.Context) error {
	return h.showStore(c, startForm(c, paths.AdminStore, c.Tr("Back up now")))
}

// showStore shows the store and its backups, with the form that begins one.
func (h *adminPages) showStore(c *page.Context, f *form) error {
	i, err := h.moderation.StoreInfo(c.Request.Context(), c.Actor())
	if err != nil {
		return err
	}
	size := textCell(c.Tr("unknown"))
	if i.Bytes > 0 {
		size = textCell(c.ByteCount(i.Bytes))
	}
	facts := []fact{{c.Tr("Engine"), saidCell(c.Message(wording.Message(i.Engine)))}, {c.Tr("Location"), textCell(i.Place)}, {c.Tr("Write durability"), saidCell(c.Message(i.Durability))}, {c.Tr("Size"), size},
		{c.Tr("People"), countCell(i.People)}, {c.Tr("Groups"), countCell(i.Groups)}, {c.Tr("Posts"), countCell(i.Statuses)}}
	return showAdmin(c, f.code(), c.Tr("Store"), paths.AdminStore, formPage{Parts: []formSection{{Facts: facts}, backupSection(c, i, f), mailSection(c, i.Mail)}})
}

// backupSection shows the state of backups, with a button if one can be started.
func backupSection(c *page.Context, i moderation.StoreInfo, f *form) formSection {
	b := i.Backups
	s := formSection{ID: "backups", Title: c.Tr("Backups"), Facts: []fact{{c.Tr("Last backup"), textCell(c.Tr("none made with linnet backup"))}}}
	if !i.Backup.IsZero() {
		s.Facts = []fact{{c.Tr("Last backup"), timeCell(i.Backup)}, {c.Tr("Age"), textCell(age(c, c.Opts.Now().Sub(i.Backup)))}, {c.Tr("Stored in"), textCell(i.BackupIn)}}
	}
	if !b.Began.IsZero() {
		s.Facts = append(s.Facts, fact{c.Tr("Running since"), timeCell(b.Began)}, fact{c.Tr("Server"), textCell(b.By)}, fact{c.Tr("Progress"), textCell(c.Message(b.Progress))})
	}
	if !b.Failed.IsZero() {
		s.Facts = append(s.Facts, fact{c.Tr("Last failure"), timeCell(b.Failed)}, fact{c.Tr("Reason"), textCell(c.Message(b.Why))})
	}
	if b.To == "" {
		s.Text = c.Tr("To schedule backups, set backup.to in the configuration.")
		return s
	}
	s.Facts = append(s.Facts, fact{c.Tr("Destination"), textCell(b.To)})
	switch {
	case !b.Began.IsZero():
		s.Links = []navLink{{Path: paths.AdminStore + "#backups", Text: c.Tr("Refresh")}}
		if len(f.Errors) > 0 {
			s.Form = f
		}
		return s
	case !b.Next.IsZero():
		s.Facts = append(s.Facts, fact{c.Tr("Next backup"), timeCell(b.Next)})
	}
	s.Form = f
	return s
}

// mailSection shows the state of e-mail delivery.
func mailSection(c *page.Context, m moderation.Mail) formSection {
	s := formSection{ID: "mail", Title: c.Tr("E-mail")}
	if m.By == "" {
		s.Text = c.Tr("No mail server is configured. Set smtp.addr and smtp.from.")
		return s
	}
	s.Facts = []fact{{c.Tr("Mail server"), textCell(m.By)}, {c.Tr("Last e-mail sent"), textCell(c.Tr("not yet"))}}
	if !m.Sent.IsZero() {
		s.Facts[1].Is = timeCell(m.Sent)
	}
	if !m.Failed.IsZero() {
		s.Facts = append(s.Facts, fact{c.Tr("Last failure"), timeCell(m.Failed)}, fact{c.Tr("Reason"), textCell(c.Message(m.Why))})
	}
	return s
}

// age says how old something is, in the largest unit that fits.
func age(c *page.Context, d time.Duration) string {
	switch {
	case d < time.Hour:
		return c.Trn(int64(max(d, 0)/time.Minute), "%s minute", "%s minutes")
	case d < 2*24*time.Hour:
		return c.Trn(int64(d/time.Hour), "%s hour", "%s hours")
	}
	return c.Trn(int64(d/(24*time.Hour)), "%s day", "%s days")
}

func (h *adminPages) backUp(c *page.Context) error {
	if err := h.moderation.BackUp(c.Request.Context(), c.Actor()); err != nil {
		if f := startForm(c, paths.AdminStore, c.Tr("Back up now")); f.refused(err, nil) {
			return h.showStore(c, f)
		}
		return err
	}
	return c.Redirect(ui.WithDone(paths.AdminStore, "backup"))
}

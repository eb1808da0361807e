package web

import (
	"time"

	"linnet/internal/moderation"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
	"linnet/internal/wording"
)

func (h *adminPages) store(c *call) error {
	return h.showStore(c, startForm(c, paths.AdminStore, c.tr("Back up now")))
}

// showStore shows the store and its backups, with the form that begins one.
func (h *adminPages) showStore(c *call, f *form) error {
	i, err := h.moderation.StoreInfo(c.r.Context(), c.by())
	if err != nil {
		return err
	}
	size := textCell(c.tr("unknown"))
	if i.Bytes > 0 {
		size = textCell(c.byteCount(i.Bytes))
	}
	facts := []fact{{c.tr("Engine"), saidCell(c.said(wording.Message(i.Engine)))}, {c.tr("Location"), textCell(i.Place)}, {c.tr("Write durability"), saidCell(c.said(i.Durability))}, {c.tr("Size"), size},
		{c.tr("People"), countCell(i.People)}, {c.tr("Groups"), countCell(i.Groups)}, {c.tr("Posts"), countCell(i.Statuses)}}
	return showAdmin(c, f.code(), c.tr("Store"), paths.AdminStore, formPage{Parts: []formSection{{Facts: facts}, backupSection(c, i, f), mailSection(c, i.Mail)}})
}

// backupSection shows the state of backups, with a button if one can be started.
func backupSection(c *call, i moderation.StoreInfo, f *form) formSection {
	b := i.Backups
	s := formSection{ID: "backups", Title: c.tr("Backups"), Facts: []fact{{c.tr("Last backup"), textCell(c.tr("none made with linnet backup"))}}}
	if !i.Backup.IsZero() {
		s.Facts = []fact{{c.tr("Last backup"), timeCell(i.Backup)}, {c.tr("Age"), textCell(age(c, c.opts.Now().Sub(i.Backup)))}, {c.tr("Stored in"), textCell(i.BackupIn)}}
	}
	if !b.Began.IsZero() {
		s.Facts = append(s.Facts, fact{c.tr("Running since"), timeCell(b.Began)}, fact{c.tr("Server"), textCell(b.By)}, fact{c.tr("Progress"), textCell(c.said(b.Progress))})
	}
	if !b.Failed.IsZero() {
		s.Facts = append(s.Facts, fact{c.tr("Last failure"), timeCell(b.Failed)}, fact{c.tr("Reason"), textCell(c.said(b.Why))})
	}
	if b.To == "" {
		s.Text = c.tr("To schedule backups, set backup.to in the configuration.")
		return s
	}
	s.Facts = append(s.Facts, fact{c.tr("Destination"), textCell(b.To)})
	switch {
	case !b.Began.IsZero():
		s.Links = []navLink{{Path: paths.AdminStore + "#backups", Text: c.tr("Refresh")}}
		if len(f.Errors) > 0 {
			s.Form = f
		}
		return s
	case !b.Next.IsZero():
		s.Facts = append(s.Facts, fact{c.tr("Next backup"), timeCell(b.Next)})
	}
	s.Form = f
	return s
}

// mailSection shows the state of e-mail delivery.
func mailSection(c *call, m moderation.Mail) formSection {
	s := formSection{ID: "mail", Title: c.tr("E-mail")}
	if m.By == "" {
		s.Text = c.tr("No mail server is configured. Set smtp.addr and smtp.from.")
		return s
	}
	s.Facts = []fact{{c.tr("Mail server"), textCell(m.By)}, {c.tr("Last e-mail sent"), textCell(c.tr("not yet"))}}
	if !m.Sent.IsZero() {
		s.Facts[1].Is = timeCell(m.Sent)
	}
	if !m.Failed.IsZero() {
		s.Facts = append(s.Facts, fact{c.tr("Last failure"), timeCell(m.Failed)}, fact{c.tr("Reason"), textCell(c.said(m.Why))})
	}
	return s
}

// age says how old something is, in the largest unit that fits.
func age(c *call, d time.Duration) string {
	switch {
	case d < time.Hour:
		return c.trn(int64(max(d, 0)/time.Minute), "%s minute", "%s minutes")
	case d < 2*24*time.Hour:
		return c.trn(int64(d/time.Hour), "%s hour", "%s hours")
	}
	return c.trn(int64(d/(24*time.Hour)), "%s day", "%s days")
}

func (h *adminPages) backUp(c *call) error {
	if err := h.moderation.BackUp(c.r.Context(), c.by()); err != nil {
		if f := startForm(c, paths.AdminStore, c.tr("Back up now")); f.refused(err, nil) {
			return h.showStore(c, f)
		}
		return err
	}
	return c.seeOther(ui.WithDone(paths.AdminStore, "backup"))
}

package web

import (
	"time"

	"linnet/internal/moderation"
	"linnet/internal/wording"
)

const storePath = "/admin/store"

func (c *call) store() error { return c.showStore(c.form(storePath, c.tr("Back up now"))) }

// showStore shows the store and its backups, with the form that begins one.
func (c *call) showStore(f *form) error {
	i, err := c.svc.Moderation.StoreInfo(c.r.Context(), c.by())
	if err != nil {
		return err
	}
	size := textCell(c.tr("not known"))
	if i.Bytes > 0 {
		size = textCell(c.byteCount(i.Bytes))
	}
	facts := []fact{{c.tr("Engine"), saidCell(c.said(wording.Message(i.Engine)))}, {c.tr("Place"), textCell(i.Place)}, {c.tr("An acknowledged write"), saidCell(c.said(i.Durability))}, {c.tr("Size"), size},
		{c.tr("People"), countCell(i.People)}, {c.tr("Groups"), countCell(i.Groups)}, {c.tr("Posts"), countCell(i.Statuses)}}
	return c.showAdmin(f.code(), c.tr("Store"), storePath, formPage{Parts: []formSection{{Facts: facts}, c.backupSection(i, f), c.mailSection(i.Mail)}})
}

// backupSection tells of backups. The button is there where one can be begun.
func (c *call) backupSection(i moderation.StoreInfo, f *form) formSection {
	b := i.Backups
	s := formSection{ID: "backups", Title: c.tr("Backups"), Facts: []fact{{c.tr("Last backup"), textCell(c.tr("none by linnet backup"))}}}
	if !i.Backup.IsZero() {
		s.Facts = []fact{{c.tr("Last backup"), timeCell(i.Backup)}, {c.tr("Its age"), textCell(c.age(c.opts.Now().Sub(i.Backup)))}, {c.tr("Backup lies in"), textCell(i.BackupIn)}}
	}
	if !b.Began.IsZero() {
		s.Facts = append(s.Facts, fact{c.tr("Under way since"), timeCell(b.Began)}, fact{c.tr("On the server"), textCell(b.By)}, fact{c.tr("Progress"), textCell(c.said(b.Progress))})
	}
	if !b.Failed.IsZero() {
		s.Facts = append(s.Facts, fact{c.tr("A backup failed"), timeCell(b.Failed)}, fact{c.tr("Because"), textCell(c.said(b.Why))})
	}
	if b.To == "" {
		s.Text = c.tr("To have this server make backups, set backup.to in its configuration.")
		return s
	}
	s.Facts = append(s.Facts, fact{c.tr("Backups go to"), textCell(b.To)})
	switch {
	case !b.Began.IsZero():
		s.Links = []navLink{{Path: storePath + "#backups", Text: c.tr("Look again")}}
		if len(f.Errors) > 0 {
			s.Form = f
		}
		return s
	case !b.Next.IsZero():
		s.Facts = append(s.Facts, fact{c.tr("The next is due"), timeCell(b.Next)})
	}
	s.Form = f
	return s
}

// mailSection tells how sending mails goes.
func (c *call) mailSection(m moderation.Mail) formSection {
	s := formSection{ID: "mail", Title: c.tr("E-mail")}
	if m.By == "" {
		s.Text = c.tr("No e-mail is sent: set smtp.addr and smtp.from in the configuration.")
		return s
	}
	s.Facts = []fact{{c.tr("Mail server"), textCell(m.By)}, {c.tr("A mail was taken"), textCell(c.tr("not yet"))}}
	if !m.Sent.IsZero() {
		s.Facts[1].Is = timeCell(m.Sent)
	}
	if !m.Failed.IsZero() {
		s.Facts = append(s.Facts, fact{c.tr("A mail was not taken"), timeCell(m.Failed)}, fact{c.tr("Because"), textCell(c.said(m.Why))})
	}
	return s
}

// age says how old something is, in the largest unit that fits.
func (c *call) age(d time.Duration) string {
	switch {
	case d < time.Hour:
		return c.trn(int64(max(d, 0)/time.Minute), "%s minute", "%s minutes")
	case d < 2*24*time.Hour:
		return c.trn(int64(d/time.Hour), "%s hour", "%s hours")
	}
	return c.trn(int64(d/(24*time.Hour)), "%s day", "%s days")
}

func (c *call) backUp() error {
	if err := c.svc.Moderation.BackUp(c.r.Context(), c.by()); err != nil {
		if f := c.form(storePath, c.tr("Back up now")); f.refused(err, nil) {
			return c.showStore(f)
		}
		return err
	}
	return c.seeOther(doneMark(storePath, "backup"))
}

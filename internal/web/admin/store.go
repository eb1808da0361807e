package admin

import (
	"net/http"
	"time"

	"linnet/internal/moderation"
	"linnet/internal/web/form"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
	"linnet/internal/wording"
)

// store is the page of the store and its backups, with the form that starts a backup.
func (h *Pages) store(c *page.Context) (*form.Page, error) {
	i, err := h.Moderation.Server.StoreInfo(c.Request.Context(), c.Actor())
	if err != nil {
		return nil, err
	}
	size := form.TextCell(c.Tr("unknown"))
	if i.Bytes > 0 {
		size = form.TextCell(c.ByteCount(i.Bytes))
	}
	facts := []form.Fact{{Name: c.Tr("Engine"), Is: form.MessageCell(c.Message(wording.Message(i.Engine)))}, {Name: c.Tr("Location"), Is: form.TextCell(i.Location)}, {Name: c.Tr("Write durability"), Is: form.MessageCell(c.Message(i.Durability))}, {Name: c.Tr("Size"), Is: size},
		{Name: c.Tr("People"), Is: form.CountCell(i.People)}, {Name: c.Tr("Groups"), Is: form.CountCell(i.Groups)}, {Name: c.Tr("Posts"), Is: form.CountCell(i.Statuses)}}
	f := form.New(c, paths.AdminStore, c.Tr("Back up now"))
	return &form.Page{Title: c.Tr("Store"), Path: paths.AdminStore, Form: f, Parts: []form.Section{{Facts: facts}, backupSection(c, i, f), mailSection(c, i.Mail)}}, nil
}

// backupSection shows the state of backups, with a button if one can be started.
func backupSection(c *page.Context, i moderation.StoreInfo, f *form.Form) form.Section {
	b := i.Backups
	s := form.Section{ID: "backups", Title: c.Tr("Backups"), Facts: []form.Fact{{Name: c.Tr("Last backup"), Is: form.TextCell(c.Tr("none recorded"))}}}
	if !i.Backup.IsZero() {
		s.Facts = []form.Fact{{Name: c.Tr("Last backup"), Is: form.TimeCell(i.Backup)}, {Name: c.Tr("Age"), Is: form.TextCell(age(c, c.Opts.Now().Sub(i.Backup)))}, {Name: c.Tr("Stored in"), Is: form.TextCell(i.BackupIn)}}
	}
	if !b.Began.IsZero() {
		s.Facts = append(s.Facts, form.Fact{Name: c.Tr("Running since"), Is: form.TimeCell(b.Began)}, form.Fact{Name: c.Tr("Server"), Is: form.TextCell(b.By)}, form.Fact{Name: c.Tr("Progress"), Is: form.TextCell(c.Message(b.Progress))})
	}
	if !b.Failed.IsZero() {
		s.Facts = append(s.Facts, form.Fact{Name: c.Tr("Last failure"), Is: form.TimeCell(b.Failed)}, form.Fact{Name: c.Tr("Reason"), Is: form.TextCell(c.Message(b.Why))})
	}
	if b.To == "" {
		s.Text = c.Tr("To schedule backups, set backup.to in the configuration.")
		return s
	}
	s.Facts = append(s.Facts, form.Fact{Name: c.Tr("Destination"), Is: form.TextCell(b.To)})
	switch {
	case !b.Began.IsZero():
		s.Links = []form.Link{{Path: paths.AdminStore + "#backups", Text: c.Tr("Refresh")}}
		if c.Request.Method == http.MethodPost { // refused: the form has the reason
			s.Form = f
		}
		return s
	case !b.Next.IsZero():
		s.Facts = append(s.Facts, form.Fact{Name: c.Tr("Next backup"), Is: form.TimeCell(b.Next)})
	}
	s.Form = f
	return s
}

// mailSection shows the state of e-mail delivery.
func mailSection(c *page.Context, m moderation.Mail) form.Section {
	s := form.Section{ID: "mail", Title: c.Tr("E-mail")}
	if m.By == "" {
		s.Text = c.Tr("No mail server is configured. Set smtp.addr and smtp.from in the configuration.")
		return s
	}
	s.Facts = []form.Fact{{Name: c.Tr("Mail server"), Is: form.TextCell(m.By)}, {Name: c.Tr("Last e-mail sent"), Is: form.TextCell(c.Tr("not yet"))}}
	if !m.Sent.IsZero() {
		s.Facts[1].Is = form.TimeCell(m.Sent)
	}
	if !m.Failed.IsZero() {
		s.Facts = append(s.Facts, form.Fact{Name: c.Tr("Last failure"), Is: form.TimeCell(m.Failed)}, form.Fact{Name: c.Tr("Reason"), Is: form.TextCell(c.Message(m.Why))})
	}
	return s
}

// age formats a duration in its largest unit.
func age(c *page.Context, d time.Duration) string {
	switch {
	case d < time.Hour:
		return c.Trn(int64(max(d, 0)/time.Minute), "%s minute", "%s minutes")
	case d < 2*24*time.Hour:
		return c.Trn(int64(d/time.Hour), "%s hour", "%s hours")
	}
	return c.Trn(int64(d/(24*time.Hour)), "%s day", "%s days")
}

func (h *Pages) backUp(c *page.Context) (string, error) {
	return ui.WithDone(paths.AdminStore, "backup"), h.Moderation.Server.BackUp(c.Request.Context(), c.Actor())
}

package web

import (
	"net/http"
	"strconv"
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/media"
	"linnet/internal/uploads"
)

func (c *call) auditLog() error {
	list, err := c.svc.Moderation.Acts(c.r.Context(), c.by(), c.listPage())
	if err != nil {
		return err
	}
	t := &table{Caption: "Audit log", Head: []string{"When", "Who", "Did", "On", "Report", "Detail", "Reason"}, Empty: "Nothing was done yet."}
	for _, a := range list.Items {
		by, on, report := textCell("a command"), textCell(""), textCell("")
		if a.By != 0 {
			by = accountCell(a.ByUser)
		}
		if a.On != 0 {
			on = accountCell(a.OnUser)
		}
		if a.Report != 0 {
			report = linkCell("report", reportsPath+"/"+a.Report.String())
		}
		t.Rows = append(t.Rows, []cell{timeCell(a.At), by, textCell(strings.ReplaceAll(string(a.Act.Act), "_", " ")), on, report, textCell(a.Detail), textCell(a.Reason)})
	}
	return c.showAdmin(http.StatusOK, "Audit log", "/admin/audit", formPage{Lead: "What moderators and administrators did, the latest first. The last 20,000 acts are kept.",
		Parts: []formSection{{Table: t, Older: c.older(list.Last)}}})
}

func (c *call) tasks() error {
	waiting, dead, err := c.svc.Moderation.Tasks(c.r.Context(), c.by())
	if err != nil {
		return err
	}
	kinds := &table{Caption: "Waiting tasks", Head: []string{"Kind", "Waiting", "The first is due"}, Empty: "Nothing waits."}
	for _, q := range waiting {
		kinds.Rows = append(kinds.Rows, []cell{textCell(q.Kind), countCell(int64(q.Tasks)), timeCell(q.Oldest.At)})
	}
	gone := &table{Caption: "Tasks set aside", Head: []string{"Kind", "About", "Tries", "The last fault", "Since", ""}, Empty: "No task was given up."}
	for _, t := range dead {
		sends := []string{"task", t.ID, "shard", strconv.Itoa(int(t.Shard))}
		gone.Rows = append(gone.Rows, []cell{textCell(t.Kind), textCell(clip(string(t.Args), 200)), countCell(int64(t.Tries)), textCell(clip(t.Cause, 500)), timeCell(t.At),
			{Forms: []*form{c.button("/admin/tasks", "Try again", "Try task "+t.ID+" again", append(sends, "do", "retry")...),
				c.button("/admin/tasks", "Drop", "Drop task "+t.ID, append(sends, "do", "drop")...)}}})
	}
	return c.showAdmin(http.StatusOK, "Tasks", "/admin/tasks", formPage{Lead: "Work that follows from what people did, of all servers. Up to 500 tasks of each sort are counted.",
		Parts: []formSection{{Title: "Waiting", Table: kinds}, {Title: "Set aside after 5 faults", Table: gone}}})
}

// clip shortens a text for a table.
func clip(s string, most int) string {
	if rs := []rune(s); len(rs) > most {
		return string(rs[:most]) + "…"
	}
	return s
}

func (c *call) resolveTask() error {
	shard, err := strconv.ParseUint(c.typed("shard"), 10, 16)
	if err != nil {
		return errNowhere()
	}
	do := c.svc.Moderation.RetryTask
	switch c.typed("do") {
	case "retry":
	case "drop":
		do = c.svc.Moderation.DropTask
	default:
		return errNowhere()
	}
	if err := do(c.r.Context(), c.by(), uint16(shard), c.typed("task")); err != nil {
		return err
	}
	return c.saved("/admin/tasks")
}

func (c *call) instanceForm(about linnet.InstanceView) *form {
	contact := ""
	if about.ContactView != nil {
		contact = about.ContactView.Login
	}
	return c.form("/admin/settings", "Save",
		field{Kind: lineField, Name: "title", Label: "Name", Value: about.Title, Hint: "At most " + strconv.Itoa(linnet.MaxAppName) + " characters."},
		field{Kind: areaField, Name: "description", Label: "Description", Value: about.Description, Hint: "At most " + strconv.Itoa(linnet.MaxDescription) + " characters."},
		field{Kind: areaField, Name: "rules", Label: "Rules", Value: strings.Join(about.Rules, "\n"), Rows: 6, Hint: "One a line. Reports name them by their number."},
		field{Kind: areaField, Name: "privacy", Label: "Privacy policy", Value: about.Privacy, Rows: 6, Hint: "Plain text, which apps show. At most " + strconv.Itoa(linnet.MaxPrivacy) + " characters."},
		field{Kind: selectField, Name: "registrations", Label: "Who may sign up", Choices: pick(string(about.Registrations), string(linnet.RegisterOpen), "Anybody",
			string(linnet.RegisterApproval), "Whoever a moderator lets in", string(linnet.RegisterInvite), "Who has an invitation", string(linnet.RegisterClosed), "Nobody")},
		field{Kind: checkField, Name: "email_required", Label: "New accounts need an e-mail address, and confirm it before they get in", On: about.EmailRequired, Hint: "While this server sends mails."},
		field{Kind: numberField, Name: "invites", Label: "Invitations that each member may have open at a time", Value: strconv.Itoa(about.Invites), Most: linnet.MaxMemberInvites,
			Hint: "With 0 only moderators invite people. Each is for at most " + strconv.Itoa(linnet.MemberInviteUses) + " people and 30 days; new and limited accounts make none."},
		field{Kind: numberField, Name: "new_days", Label: "Days for which an account is new and has tighter limits", Value: strconv.Itoa(about.NewDays), Most: linnet.MaxNewDays},
		field{Kind: checkField, Name: "private", Label: "Private: show nothing to those who are not logged in", On: about.Private},
		field{Kind: checkField, Name: "cards", Label: "Previews of links: this server fetches the pages that members link to, and shows what they say of themselves", On: about.Cards},
		field{Kind: lineField, Name: "contact", Label: "E-mail address for people", Value: about.Contact, Hint: "Stands on the front page and in /.well-known/security.txt."},
		field{Kind: lineField, Name: "contact_user", Label: "Login of the contact", Value: contact})
}

func (c *call) showInstanceSettings(f, pictures *form) error {
	code := max(f.code(), pictures.code())
	return c.showAdmin(code, "Settings", "/admin/settings", formPage{Parts: []formSection{{Form: f}, {ID: "pictures", Title: "Pictures", Form: pictures}}})
}

func (c *call) instanceSettings() error {
	about, err := c.svc.Identity.Instance(c.r.Context())
	if err != nil {
		return err
	}
	return c.showInstanceSettings(c.instanceForm(about), c.sitePicturesForm(about))
}

// sitePicturesForm is the form for what stands for the installation.
func (c *call) sitePicturesForm(about linnet.InstanceView) *form {
	f := c.form("/admin/settings/pictures", "Save pictures",
		field{Kind: fileField, Name: "icon", Label: "Logo", Hint: "A square of it stands on the front page and in apps, best of 512 pixels. JPEG, PNG, GIF or WebP, at most 16 MB."},
		field{Kind: fileField, Name: "thumbnail", Label: "Banner", Hint: "Apps and other sites show it where somebody links here, and it stands on the front page. Best of 2400 by 1260 pixels."})
	if about.Icon.Name != "" {
		f.Fields = append(f.Fields, field{Kind: checkField, Name: "no-icon", Label: "Remove the logo"})
	}
	if about.Thumbnail.Name != "" {
		f.Fields = append(f.Fields, field{Kind: checkField, Name: "no-thumbnail", Label: "Remove the banner"})
	}
	return f
}

func (c *call) changeSitePictures() error {
	about, err := c.svc.Identity.Instance(c.r.Context())
	if err != nil {
		return err
	}
	err = c.changePictures([]pictureInput{{"icon", media.Icon}, {"thumbnail", media.Thumbnail}}, func(shape media.Shape, file *uploads.File) error {
		return c.svc.Identity.SetPicture(c.r.Context(), c.by(), shape, file)
	})
	if err != nil {
		if f := c.sitePicturesForm(about); f.refused(err, nil) {
			return c.showInstanceSettings(c.instanceForm(about), f)
		}
		return err
	}
	return c.saved("/admin/settings")
}

func (c *call) changeInstance() error {
	about, err := c.svc.Identity.Instance(c.r.Context())
	if err != nil {
		return err
	}
	f, errs := c.instanceForm(about), fieldErrors{}
	title, description, contact, contactUser := c.typed("title"), c.r.PostForm.Get("description"), c.typed("contact"), c.typed("contact_user")
	registrations, newDays, invites := linnet.Registrations(c.typed("registrations")), c.numberTyped("new_days", errs), c.numberTyped("invites", errs)
	privacy, rules := strings.ReplaceAll(c.r.PostForm.Get("privacy"), "\r\n", "\n"), []string{}
	for line := range strings.Lines(c.r.PostForm.Get("rules")) {
		if line = strings.TrimSpace(line); line != "" {
			rules = append(rules, line)
		}
	}
	if len(errs) > 0 {
		f.refill(c.r.PostForm, errs)
		return c.showInstanceSettings(f, c.sitePicturesForm(about))
	}
	_, err = c.svc.Identity.ChangeInstance(c.r.Context(), c.by(), linnet.InstanceChange{Title: &title, Description: &description, Contact: &contact, ContactUser: &contactUser,
		Rules: &rules, Privacy: &privacy, Private: c.ticked("private"), Cards: c.ticked("cards"), Registrations: &registrations, EmailRequired: c.ticked("email_required"), NewDays: &newDays, Invites: &invites})
	if err != nil {
		if f.refused(err, nil) {
			return c.showInstanceSettings(f, c.sitePicturesForm(about))
		}
		return err
	}
	return c.saved("/admin/settings")
}

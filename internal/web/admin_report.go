package web

import (
	"net/http"
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

func reportTable(c *call, rs []linnet.StaffReport) *table {
	t := &table{Caption: c.tr("Reports"), Head: []string{c.tr("Category"), c.tr("Reported account"), c.tr("Reported by"), c.tr("Posts"), c.tr("Assigned to"), c.tr("Reported at")}, Empty: c.tr("No reports.")}
	for _, r := range rs {
		t.Rows = append(t.Rows, []cell{linkCell(categoryWord(c, r.Category), paths.AdminReports+"/"+r.ID.String()), whoCell(c, r.OnAccount), whoCell(c, r.ByAccount),
			countCell(int64(len(r.Statuses))), whoCell(c, r.AssignedTo), timeCell(r.ID.Time())})
	}
	return t
}

// categoryWord says what a report is about.
func categoryWord(c *call, of linnet.ReportCategory) string {
	switch of {
	case linnet.ReportSpam:
		return c.tr("spam")
	case linnet.ReportLegal:
		return c.tr("legal")
	case linnet.ReportViolation:
		return c.tr("violation")
	}
	return c.tr("other")
}

func whoCell(c *call, v *linnet.AccountView) cell {
	if v == nil {
		return textCell(c.tr("no one"))
	}
	return accountCell(c, &v.UserView)
}

func (h *adminPages) reports(c *call) error {
	resolved := c.r.URL.Query().Get("resolved") != ""
	list, err := h.moderation.Reports(c.r.Context(), c.by(), linnet.ReportFilter{Resolved: resolved}, tablePage(c))
	if err != nil {
		return err
	}
	return showAdmin(c, http.StatusOK, c.tr("Reports"), paths.AdminReports, formPage{Filter: &filterBar{Links: []navLink{
		{Path: paths.AdminReports, Text: c.tr("Open"), Here: !resolved}, {Path: paths.AdminReports + "?resolved=1", Text: c.tr("Resolved"), Here: resolved}}},
		Parts: []formSection{{Table: reportTable(c, list.Items), Older: older(c, list.Last)}}})
}

// reportInPath is the report that the path names.
func (h *adminPages) reportInPath(c *call) (linnet.StaffReport, error) {
	id, ok := linnet.ParseID(c.r.PathValue("id"))
	if !ok {
		return linnet.StaffReport{}, errNowhere()
	}
	return h.moderation.ReportByID(c.r.Context(), c.by(), id)
}

func (h *adminPages) staffReport(c *call) error {
	r, err := h.reportInPath(c)
	if err != nil {
		return err
	}
	return showStaffReport(c, r, nil)
}

func showStaffReport(c *call, r linnet.StaffReport, wrong *form) error {
	path := paths.AdminReports + "/" + r.ID.String()
	facts := []fact{{c.tr("Reported account"), whoCell(c, r.OnAccount)}, {c.tr("Reported by"), whoCell(c, r.ByAccount)}, {c.tr("Reported at"), timeCell(r.ID.Time())}, {c.tr("Category"), textCell(categoryWord(c, r.Category))},
		{c.tr("Comment"), textCell(r.Comment)}, {c.tr("Assigned to"), whoCell(c, r.AssignedTo)}}
	if len(r.RuleTexts) > 0 {
		facts = append(facts, fact{c.tr("Rules"), textCell(strings.Join(r.RuleTexts, " · "))})
	}
	buttons := []*form{}
	if r.Assigned == c.me.ID {
		buttons = append(buttons, button(c, path, c.tr("Unassign"), "", "do", "unassign"))
	} else {
		buttons = append(buttons, button(c, path, c.tr("Assign to me"), "", "do", "assign"))
	}
	if r.Open() {
		buttons = append(buttons, button(c, path, c.tr("Resolve"), "", "do", "resolve"))
	} else {
		facts = append(facts, fact{c.trIn("time", "Resolved"), timeCell(r.Resolved)}, fact{c.tr("Resolved by"), whoCell(c, r.ResolvedByAccount)})
		buttons = append(buttons, button(c, path, c.tr("Reopen"), "", "do", "reopen"))
	}
	facts = append(facts, fact{c.tr("State"), cell{Text: ui.Either(r.Open(), c.trIn("state", "open"), c.trIn("state", "resolved")), Forms: buttons}})
	parts := []formSection{{Facts: facts}, {Title: c.tr("Reported posts")}}
	for _, st := range r.StatusViews {
		row := row(c, st)
		row.Quiet = true
		parts[1].Posts = append(parts[1].Posts, row)
	}
	if len(r.StatusViews) == 0 {
		parts[1].Text = c.tr("None, or they have been deleted.")
	}
	if r.OnAccount != nil && r.On != c.me.ID && c.may(linnet.ManageUsers) && c.me.Role.Over(r.OnAccount.Role) {
		if wrong == nil {
			wrong = reportActForm(c, path)
		}
		parts = append(parts, formSection{Title: c.tr("Moderate %s", "@"+r.OnAccount.Login), Text: c.tr("This also resolves the report."), Form: wrong})
	}
	return showAdmin(c, wrong.code(), c.trIn("noun", "Report"), paths.AdminReports, formPage{Back: &navLink{Path: paths.AdminReports, Text: c.tr("All reports")}, Parts: parts})
}

func reportActForm(c *call, path string) *form {
	f := startForm(c, path, c.tr("Apply"),
		field{Kind: selectField, Name: "act", Label: c.tr("Action"), Choices: pick("none", "none", c.tr("Only add a note to the log"),
			"silence", c.tr("Silence"), "disable", c.tr("Disable"), "suspend", c.tr("Suspend"))},
		field{Kind: areaField, Name: "text", Label: c.tr("Reason"), Rows: 3})
	f.Hidden = [][2]string{{"do", "act"}}
	return f
}

// changeReport does with a report what the form says.
func (h *adminPages) changeReport(c *call) error {
	r, err := h.reportInPath(c)
	if err != nil {
		return err
	}
	path, what := paths.AdminReports+"/"+r.ID.String(), c.typed("do")
	ch := linnet.ReportChange{Act: what}
	me, nobody, resolved := c.me.ID, linnet.ID(0), what == "resolve"
	switch what {
	case "assign":
		ch.Assigned = &me
	case "unassign":
		ch.Assigned = &nobody
	case "resolve", "reopen":
		ch.Resolved = &resolved
	case "act":
		if !c.may(linnet.ManageUsers) {
			return errNowhere()
		}
		return h.actOnReport(c, r, path)
	default:
		return errNowhere()
	}
	if _, err := h.moderation.ChangeReport(c.r.Context(), c.by(), r.ID, ch); err != nil {
		return err
	}
	return saved(c, path)
}

func (h *adminPages) actOnReport(c *call, r linnet.StaffReport, path string) error {
	m := linnet.Measure{On: r.On, Act: linnet.Moderation(c.typed("act")), Reason: c.typed("text"), Report: r.ID}
	var err error
	switch m.Act {
	case linnet.Warn, linnet.Silence, linnet.Disable, linnet.Suspend:
		err = h.moderation.ModerateReported(c.r.Context(), c.by(), m)
	default:
		err = linnet.FieldError("act", "ERR_INCLUSION", "is not one of the four options")
	}
	if err != nil {
		if f := reportActForm(c, path); f.refused(err, nil) {
			return showStaffReport(c, r, f)
		}
		return err
	}
	return saved(c, path)
}

package web

import (
	"net/http"
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/post"
	"linnet/internal/web/ui"
)

func reportTable(c *page.Context, rs []linnet.StaffReport) *table {
	t := &table{Caption: c.Tr("Reports"), Head: []string{c.Tr("Category"), c.Tr("Reported account"), c.Tr("Reported by"), c.Tr("Posts"), c.Tr("Assigned to"), c.Tr("Reported at")}, Empty: c.Tr("No reports.")}
	for _, r := range rs {
		t.Rows = append(t.Rows, []cell{linkCell(post.CategoryWord(c, r.Category), paths.AdminReports+"/"+r.ID.String()), whoCell(c, r.OnAccount), whoCell(c, r.ByAccount),
			countCell(int64(len(r.Statuses))), whoCell(c, r.AssignedTo), timeCell(r.ID.Time())})
	}
	return t
}

func whoCell(c *page.Context, v *linnet.AccountView) cell {
	if v == nil {
		return textCell(c.Tr("no one"))
	}
	return accountCell(c, &v.UserView)
}

func (h *adminPages) reports(c *page.Context) error {
	resolved := c.Request.URL.Query().Get("resolved") != ""
	list, err := h.moderation.Reports(c.Request.Context(), c.Actor(), linnet.ReportFilter{Resolved: resolved}, tablePage(c))
	if err != nil {
		return err
	}
	return showAdmin(c, http.StatusOK, c.Tr("Reports"), paths.AdminReports, formPage{Filter: &filterBar{Links: []navLink{
		{Path: paths.AdminReports, Text: c.Tr("Open"), Here: !resolved}, {Path: paths.AdminReports + "?resolved=1", Text: c.Tr("Resolved"), Here: resolved}}},
		Parts: []formSection{{Table: reportTable(c, list.Items), Older: older(c, list.Last)}}})
}

// reportInPath is the report that the path names.
func (h *adminPages) reportInPath(c *page.Context) (linnet.StaffReport, error) {
	id, ok := linnet.ParseID(c.Request.PathValue("id"))
	if !ok {
		return linnet.StaffReport{}, page.NotFound()
	}
	return h.moderation.ReportByID(c.Request.Context(), c.Actor(), id)
}

func (h *adminPages) staffReport(c *page.Context) error {
	r, err := h.reportInPath(c)
	if err != nil {
		return err
	}
	return showStaffReport(c, r, nil)
}

func showStaffReport(c *page.Context, r linnet.StaffReport, wrong *form) error {
	path := paths.AdminReports + "/" + r.ID.String()
	facts := []fact{{c.Tr("Reported account"), whoCell(c, r.OnAccount)}, {c.Tr("Reported by"), whoCell(c, r.ByAccount)}, {c.Tr("Reported at"), timeCell(r.ID.Time())}, {c.Tr("Category"), textCell(post.CategoryWord(c, r.Category))},
		{c.Tr("Comment"), textCell(r.Comment)}, {c.Tr("Assigned to"), whoCell(c, r.AssignedTo)}}
	if len(r.RuleTexts) > 0 {
		facts = append(facts, fact{c.Tr("Rules"), textCell(strings.Join(r.RuleTexts, " · "))})
	}
	buttons := []*form{}
	if r.Assigned == c.Me.ID {
		buttons = append(buttons, button(c, path, c.Tr("Unassign"), "", "do", "unassign"))
	} else {
		buttons = append(buttons, button(c, path, c.Tr("Assign to me"), "", "do", "assign"))
	}
	if r.Open() {
		buttons = append(buttons, button(c, path, c.Tr("Resolve"), "", "do", "resolve"))
	} else {
		facts = append(facts, fact{c.TrIn("time", "Resolved"), timeCell(r.Resolved)}, fact{c.Tr("Resolved by"), whoCell(c, r.ResolvedByAccount)})
		buttons = append(buttons, button(c, path, c.Tr("Reopen"), "", "do", "reopen"))
	}
	facts = append(facts, fact{c.Tr("State"), cell{Text: ui.Either(r.Open(), c.TrIn("state", "open"), c.TrIn("state", "resolved")), Forms: buttons}})
	parts := []formSection{{Facts: facts}, {Title: c.Tr("Reported posts")}}
	for _, st := range r.StatusViews {
		row := post.NewRow(c, st)
		row.Quiet = true
		parts[1].Posts = append(parts[1].Posts, row)
	}
	if len(r.StatusViews) == 0 {
		parts[1].Text = c.Tr("None, or they have been deleted.")
	}
	if r.OnAccount != nil && r.On != c.Me.ID && c.May(linnet.ManageUsers) && c.Me.Role.Over(r.OnAccount.Role) {
		if wrong == nil {
			wrong = reportActForm(c, path)
		}
		parts = append(parts, formSection{Title: c.Tr("Moderate %s", "@"+r.OnAccount.Login), Text: c.Tr("This also resolves the report."), Form: wrong})
	}
	return showAdmin(c, wrong.code(), c.TrIn("noun", "Report"), paths.AdminReports, formPage{Back: &navLink{Path: paths.AdminReports, Text: c.Tr("All reports")}, Parts: parts})
}

func reportActForm(c *page.Context, path string) *form {
	f := startForm(c, path, c.Tr("Apply"),
		field{Kind: selectField, Name: "act", Label: c.Tr("Action"), Choices: pick("none", "none", c.Tr("Only add a note to the log"),
			"silence", c.Tr("Silence"), "disable", c.Tr("Disable"), "suspend", c.Tr("Suspend"))},
		field{Kind: areaField, Name: "text", Label: c.Tr("Reason"), Rows: 3})
	f.Hidden = [][2]string{{"do", "act"}}
	return f
}

// changeReport does with a report what the form says.
func (h *adminPages) changeReport(c *page.Context) error {
	r, err := h.reportInPath(c)
	if err != nil {
		return err
	}
	path, what := paths.AdminReports+"/"+r.ID.String(), c.Typed("do")
	ch := linnet.ReportChange{Act: what}
	me, nobody, resolved := c.Me.ID, linnet.ID(0), what == "resolve"
	switch what {
	case "assign":
		ch.Assigned = &me
	case "unassign":
		ch.Assigned = &nobody
	case "resolve", "reopen":
		ch.Resolved = &resolved
	case "act":
		if !c.May(linnet.ManageUsers) {
			return page.NotFound()
		}
		return h.actOnReport(c, r, path)
	default:
		return page.NotFound()
	}
	if _, err := h.moderation.ChangeReport(c.Request.Context(), c.Actor(), r.ID, ch); err != nil {
		return err
	}
	return saved(c, path)
}

func (h *adminPages) actOnReport(c *page.Context, r linnet.StaffReport, path string) error {
	m := linnet.Measure{On: r.On, Act: linnet.Moderation(c.Typed("act")), Reason: c.Typed("text"), Report: r.ID}
	var err error
	switch m.Act {
	case linnet.Warn, linnet.Silence, linnet.Disable, linnet.Suspend:
		err = h.moderation.ModerateReported(c.Request.Context(), c.Actor(), m)
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

package admin

import (
	"strings"

	"github.com/a-h/templ"

	"linnet/internal/linnet"
	"linnet/internal/web/form"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/post"
	"linnet/internal/web/ui"
)

// reportTable lists reports. If all are about one account, it leaves the account out.
func reportTable(c *page.Context, rs []linnet.StaffReport, one bool) *form.Table {
	t := &form.Table{Caption: c.Tr("Reports"), Head: []string{c.Tr("Category"), c.Tr("Reported account"), c.Tr("Reported by"), c.Tr("Posts"), c.Tr("Assigned to"), c.Tr("Reported at")}, Empty: c.Tr("No reports.")}
	for _, r := range rs {
		t.Rows = append(t.Rows, []form.Cell{form.LinkCell(post.CategoryWord(c, r.Category), paths.AdminReports+"/"+r.ID.String()), whoCell(c, r.OnAccount), whoCell(c, r.ByAccount),
			form.CountCell(int64(len(r.Statuses))), whoCell(c, r.AssignedTo), form.TimeCell(r.ID.Time())})
	}
	if one {
		t.Drop(1)
	}
	return t
}

func whoCell(c *page.Context, v *linnet.AccountView) form.Cell {
	if v == nil {
		return form.TextCell(c.Tr("no one"))
	}
	return accountCell(c, &v.UserView)
}

func (h *Pages) reports(c *page.Context) (*form.Page, error) {
	resolved := c.Request.URL.Query().Get("resolved") != ""
	list, err := h.Moderation.Reports(c.Request.Context(), c.Actor(), linnet.ReportFilter{Resolved: resolved}, form.ListPage(c))
	if err != nil {
		return nil, err
	}
	return &form.Page{Title: c.Tr("Reports"), Path: paths.AdminReports, Filter: &form.FilterBar{Links: []form.Link{
		{Path: paths.AdminReports, Text: c.Tr("Open"), Here: !resolved}, {Path: paths.AdminReports + "?resolved=1", Text: c.Tr("Resolved"), Here: resolved}}},
		Parts: []form.Section{{Table: reportTable(c, list.Items, false), Older: form.OlderPath(c, list.Last)}}}, nil
}

// reportInPath returns the report in the path.
func (h *Pages) reportInPath(c *page.Context) (linnet.StaffReport, error) {
	id, ok := linnet.ParseID(c.Request.PathValue("id"))
	if !ok {
		return linnet.StaffReport{}, page.NotFound()
	}
	return h.Moderation.ReportByID(c.Request.Context(), c.Actor(), id)
}

func (h *Pages) report(c *page.Context) (*form.Page, error) {
	r, err := h.reportInPath(c)
	if err != nil {
		return nil, err
	}
	path := paths.AdminReports + "/" + r.ID.String()
	facts := []form.Fact{{Name: c.Tr("Reported account"), Is: whoCell(c, r.OnAccount)}, {Name: c.Tr("Reported by"), Is: whoCell(c, r.ByAccount)}, {Name: c.Tr("Reported at"), Is: form.TimeCell(r.ID.Time())}, {Name: c.Tr("Category"), Is: form.TextCell(post.CategoryWord(c, r.Category))},
		{Name: c.Tr("Comment"), Is: form.TextCell(r.Comment)}, {Name: c.Tr("Assigned to"), Is: whoCell(c, r.AssignedTo)}}
	if len(r.RuleTexts) > 0 {
		facts = append(facts, form.Fact{Name: c.Tr("Rules"), Is: form.TextCell(strings.Join(r.RuleTexts, " · "))})
	}
	buttons := []*form.Form{}
	if r.Assigned == c.Me.ID {
		buttons = append(buttons, form.Button(c, path, c.Tr("Unassign"), "", "do", "unassign"))
	} else {
		buttons = append(buttons, form.Button(c, path, c.Tr("Assign to me"), "", "do", "assign"))
	}
	if r.Open() {
		buttons = append(buttons, form.Button(c, path, c.Tr("Resolve"), "", "do", "resolve"))
	} else {
		facts = append(facts, form.Fact{Name: c.TrIn("time", "Resolved"), Is: form.TimeCell(r.Resolved)}, form.Fact{Name: c.Tr("Resolved by"), Is: whoCell(c, r.ResolvedByAccount)})
		buttons = append(buttons, form.Button(c, path, c.Tr("Reopen"), "", "do", "reopen"))
	}
	facts = append(facts, form.Fact{Name: c.Tr("Status"), Is: form.Cell{Text: ui.Either(r.Open(), c.TrIn("state", "open"), c.TrIn("state", "resolved")), Forms: buttons}})
	parts := []form.Section{{Facts: facts}, {Title: c.Tr("Reported posts")}}
	for i, st := range r.StatusViews {
		row := post.NewRow(c, st)
		row.Quiet = true
		part := form.Section{Posts: []templ.Component{post.Post(row)}}
		if r.OnAccount != nil && c.MayActOn(linnet.ManageReports, &r.OnAccount.User) {
			part.Links = []form.Link{{Path: paths.AdminPost(st.ID) + "?report=" + r.ID.String(), Text: c.Tr("Moderate post %s", c.Num(int64(i+1)))}}
		}
		parts = append(parts, part)
	}
	if len(r.StatusViews) == 0 {
		parts[1].Text = c.Tr("No posts were reported, or they have been deleted.")
	}
	if len(r.Collections) > 0 {
		parts = append(parts, form.Section{Title: c.Tr("Reported collections"), Table: collectionTable(c, r.CollectionViews)})
	}
	p := &form.Page{Title: c.TrIn("noun", "Report"), Path: paths.AdminReports, Back: &form.Link{Path: paths.AdminReports, Text: c.Tr("All reports")}, Parts: parts}
	if r.OnAccount == nil || !c.MayActOn(linnet.ManageReports, &r.OnAccount.User) {
		return p, nil
	}
	acts := reportActs(c, &r)
	if len(acts) == 0 {
		return p, nil
	}
	fields, err := strikeFields(c, r.Rules)
	if err != nil {
		return nil, err
	}
	p.Form = form.New(c, path, c.Tr("Apply"), append([]form.Field{{Kind: form.SelectField, Name: "act", Label: c.Tr("Action"), Choices: acts}}, fields...)...)
	p.Form.Hidden, p.Form.Inputs = [][2]string{{"do", "act"}}, strikeInputs(c)
	p.Parts = append(p.Parts, form.Section{Title: c.Tr("Moderate %s", "@"+r.OnAccount.Login), Text: c.Tr("Applying an action also resolves the report."), Form: p.Form})
	return p, nil
}

func collectionTable(c *page.Context, all []linnet.CollectionView) *form.Table {
	t := &form.Table{Caption: c.Tr("Reported collections"), Head: []string{c.Tr("Name"), c.Tr("Description"), c.Tr("Accounts")}, Empty: c.Tr("The collections have been deleted.")}
	for _, v := range all {
		t.Rows = append(t.Rows, []form.Cell{form.LinkCell(v.Name, paths.Collection(v.ID)), form.TextCell(v.Description), form.CountCell(int64(len(v.Items)))})
	}
	return t
}

// reportActs returns the actions that the reader can choose for a report.
func reportActs(c *page.Context, r *linnet.StaffReport) (acts []form.Choice) {
	if c.May(linnet.ManageUsers) {
		acts = form.Options("", "note", c.Tr("Only add a note to the audit log"), "none", c.Tr("Warn"))
	}
	if len(r.StatusViews) > 0 {
		acts = append(acts, form.Options("", string(linnet.MarkSensitive), c.Tr("Mark the reported posts as sensitive"), string(linnet.DeletePosts), c.Tr("Delete the reported posts"))...)
	}
	if c.May(linnet.ManageUsers) {
		acts = append(acts, form.Options("", "silence", c.Tr("Silence"), "disable", c.Tr("Disable"), "suspend", c.Tr("Suspend"))...)
	}
	return acts
}

// changeReport performs the action of the form on a report.
func (h *Pages) changeReport(c *page.Context) (string, error) {
	r, err := h.reportInPath(c)
	if err != nil {
		return "", err
	}
	next, what := form.Saved(paths.AdminReports+"/"+r.ID.String()), c.Typed("do")
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
		m := measure(c, r.On, linnet.Moderation(c.Typed("act")))
		if !m.Act.OnPosts() && !c.May(linnet.ManageUsers) {
			return "", page.NotFound()
		}
		m.Report = r.ID
		for _, a := range reportActs(c, &r) {
			if a.Value == string(m.Act) {
				return next, h.Moderation.ModerateReported(c.Request.Context(), c.Actor(), m)
			}
		}
		return "", linnet.FieldError("act", "ERR_INCLUSION", "is not one of the available options")
	default:
		return "", page.NotFound()
	}
	_, err = h.Moderation.ChangeReport(c.Request.Context(), c.Actor(), r.ID, ch)
	return next, err
}

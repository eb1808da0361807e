package admin

import (
	"strconv"

	"github.com/a-h/templ"

	"linnet/internal/linnet"
	"linnet/internal/web/account"
	"linnet/internal/web/form"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/post"
	"linnet/internal/web/ui"
)

// strikeTable lists strikes with their appeals. If all are of one account, it leaves the account
// out.
func strikeTable(c *page.Context, all []linnet.StrikeView, one bool) *form.Table {
	t := &form.Table{Caption: c.Tr("Strikes"), Head: []string{c.Tr("Action"), c.Tr("Account"), c.Tr("Moderator"), c.Tr("Reason"), c.Tr("Appeal"), c.Tr("When")}, Empty: c.Tr("No strikes.")}
	words := actWords(c)
	for _, v := range all {
		t.Rows = append(t.Rows, []form.Cell{form.LinkCell(ui.Capitalize(words[v.Act]), paths.AdminStrikes+"/"+v.ID.String()), accountCell(c, v.OnAccount), actorCell(c, v.By, v.ByAccount),
			form.TextCell(v.Text), form.MessageCell(account.AppealWord(c, v.Appeal)), form.TimeCell(v.ID.Time())})
	}
	if one {
		t.Drop(1)
	}
	return t
}

// actorCell names a moderator, or the command line for the operator.
func actorCell(c *page.Context, id linnet.ID, u *linnet.UserView) form.Cell {
	if id == 0 {
		return form.MessageCell(c.Tr("command line"))
	}
	return accountCell(c, u)
}

// appeals lists the strikes with a pending appeal.
func (h *Pages) appeals(c *page.Context) (*form.Page, error) {
	list, err := h.Moderation.Strikes.Appealed(c.Request.Context(), c.Actor(), form.ListPage(c))
	if err != nil {
		return nil, err
	}
	t := strikeTable(c, list.Items, false)
	t.Empty = c.Tr("No appeals are waiting for a decision.")
	return &form.Page{Title: c.Tr("Appeals"), Path: paths.AdminStrikes, Parts: []form.Section{{Table: t, Older: form.OlderPath(c, list.Last)}}}, nil
}

// strikeInPath returns the strike in the path.
func (h *Pages) strikeInPath(c *page.Context) (linnet.StrikeView, error) {
	id, ok := linnet.ParseID(c.Request.PathValue("id"))
	if !ok {
		return linnet.StrikeView{}, page.NotFound()
	}
	return h.Moderation.Strikes.ByID(c.Request.Context(), c.Actor(), id)
}

// strike is the page of a strike. Moderators decide the appeal there.
func (h *Pages) strike(c *page.Context) (*form.Page, error) {
	v, err := h.strikeInPath(c)
	if err != nil {
		return nil, err
	}
	facts := []form.Fact{{Name: c.Tr("Account"), Is: accountCell(c, v.OnAccount)}, {Name: c.Tr("Moderator"), Is: actorCell(c, v.By, v.ByAccount)}}
	if v.Report != 0 {
		facts = append(facts, form.Fact{Name: c.TrIn("noun", "Report"), Is: form.LinkCell(c.Tr("See the report"), paths.AdminReports+"/"+v.Report.String())})
	}
	facts = append(facts, account.StrikeFacts(c, &v)...)
	p := &form.Page{Title: c.Tr("Strike"), Path: paths.AdminStrikes, Back: &form.Link{Path: paths.AdminStrikes, Text: c.Tr("All appeals")}, Parts: []form.Section{{Facts: facts}}}
	switch {
	case v.Pending() && v.OnAccount != nil && c.MayActOn(linnet.ManageUsers, &v.OnAccount.User):
		path := paths.AdminStrikes + "/" + v.ID.String()
		buttons := form.Cell{Text: account.AppealWord(c, v.Appeal), Ours: true, Forms: []*form.Form{form.Button(c, path, c.Tr("Approve appeal"), "", "do", "approve"), form.Button(c, path, c.Tr("Reject appeal"), "", "do", "reject")}}
		p.Parts[0].Facts = facts[:len(facts)-1] // the status is next to the buttons
		p.Parts = append(p.Parts, form.Section{Title: c.Tr("Decide on the appeal"), Text: c.Tr("Approving undoes the action. Deleted posts and pictures can't be restored."), Facts: []form.Fact{{Name: c.Tr("Status"), Is: buttons}}})
	case v.Appeal != nil && !v.Appeal.Decided.IsZero():
		p.Parts[0].Facts = append(facts, form.Fact{Name: c.Tr("Decided by"), Is: actorCell(c, v.Appeal.By, v.DecidedBy)}, form.Fact{Name: c.Tr("Decided at"), Is: form.TimeCell(v.Appeal.Decided)})
	}
	return p, nil
}

// decideAppeal approves or rejects the appeal against a strike.
func (h *Pages) decideAppeal(c *page.Context) (string, error) {
	v, err := h.strikeInPath(c)
	if err != nil {
		return "", err
	}
	do := c.Typed("do")
	if do != "approve" && do != "reject" {
		return "", page.NotFound()
	}
	return form.Saved(paths.AdminStrikes + "/" + v.ID.String()), h.Moderation.Strikes.Decide(c.Request.Context(), c.Actor(), v.ID, do == "approve")
}

// strikeFields returns the inputs of an action that creates a strike: the broken rules, which are
// chosen at first, the reason and the e-mail.
func strikeFields(c *page.Context, chosen []int) ([]form.Field, error) {
	about, err := c.Instance()
	if err != nil {
		return nil, err
	}
	rules := form.Field{Kind: form.ChecksField, Name: "rule", Label: c.Tr("Broken rules")}
	for i, text := range about.Rules {
		choice := form.Choice{Value: strconv.Itoa(i + 1), Label: text, Foreign: true}
		for _, n := range chosen {
			choice.On = choice.On || n == i+1
		}
		rules.Choices = append(rules.Choices, choice)
	}
	fields := []form.Field{{Kind: form.AreaField, Name: "text", Label: c.Tr("Reason"), Rows: 3, Most: linnet.MaxReason, Hint: c.Tr("The person can see the reason, but not your name. Moderators can see your name in the audit log.")},
		{Kind: form.CheckField, Name: "email", Label: c.Tr("Also send an e-mail"), On: true}}
	if len(rules.Choices) > 0 {
		fields = append([]form.Field{rules}, fields...)
	}
	return fields, nil
}

// strikeInputs maps the names of the service to the inputs of strikeFields.
func strikeInputs(c *page.Context) map[string]page.FormField {
	return map[string]page.FormField{"rule_ids": {Name: "rule", Subject: c.Tr("Broken rules")}, "media_id": {Name: "act", Subject: c.Tr("The picture")}}
}

// measure returns the action of a form with strikeFields.
func measure(c *page.Context, on linnet.ID, act linnet.Moderation) linnet.Measure {
	m := linnet.Measure{On: on, Act: act, Reason: c.Typed("text"), Email: *form.Checked(c, "email"), Rules: []int{}}
	for _, digits := range c.Request.PostForm["rule"] {
		if n, err := strconv.Atoi(digits); err == nil {
			m.Rules = append(m.Rules, n)
		}
	}
	return m
}

// postInPath returns the post in the path, which the reader can act on, and the report that led
// there; 0 for none.
func (h *Pages) postInPath(c *page.Context) (v linnet.StatusView, report linnet.ID, err error) {
	id, ok := linnet.ParseID(c.Request.PathValue("id"))
	if !ok {
		return v, 0, page.NotFound()
	}
	report, _ = linnet.ParseID(c.Request.FormValue("report"))
	v, err = h.Moderation.PostFor(c.Request.Context(), c.Actor(), id, report)
	if err == nil && !c.MayActOn(linnet.ManageReports, &v.By.User) {
		err = page.NotFound()
	}
	return v, report, err
}

// moderatedPost is the page for actions on a post.
func (h *Pages) moderatedPost(c *page.Context) (*form.Page, error) {
	v, report, err := h.postInPath(c)
	if err != nil {
		return nil, err
	}
	acts := form.Field{Kind: form.SelectField, Name: "act", Label: c.Tr("Action"), Choices: form.Options("", string(linnet.DeletePosts), c.Tr("Delete the post"))}
	if !v.Sensitive {
		acts.Choices = append(form.Options("", string(linnet.MarkSensitive), c.Tr("Mark the post as sensitive")), acts.Choices...)
	}
	for i, a := range v.Media {
		acts.Choices = append(acts.Choices, form.Choice{Value: a.ID.String(), Label: c.Tr("Remove picture %s", c.Num(int64(i+1)))})
	}
	var broken []int
	back := &form.Link{Path: paths.Post(v), Text: c.Tr("Back to the post")}
	if report != 0 {
		r, err := h.Moderation.ReportByID(c.Request.Context(), c.Actor(), report)
		if err != nil {
			return nil, err
		}
		broken, back = r.Rules, &form.Link{Path: paths.AdminReports + "/" + report.String(), Text: c.Tr("Back to the report")}
	}
	fields, err := strikeFields(c, broken)
	if err != nil {
		return nil, err
	}
	row := post.NewRow(c, v)
	row.Quiet = true
	p := &form.Page{Title: c.Tr("Moderate a post"), Path: paths.AdminReports, Back: back, Form: form.New(c, paths.AdminPost(v.ID), c.Tr("Apply"), append([]form.Field{acts}, fields...)...)}
	p.Form.Grave, p.Form.Inputs = true, strikeInputs(c)
	if report != 0 {
		p.Form.Hidden = [][2]string{{"report", report.String()}}
	}
	p.Parts = []form.Section{{Title: c.Tr("The post"), Posts: []templ.Component{post.Post(row)}}, {Form: p.Form}}
	return p, nil
}

// moderatePost applies the action of the form to a post.
func (h *Pages) moderatePost(c *page.Context) (string, error) {
	v, report, err := h.postInPath(c)
	if err != nil {
		return "", err
	}
	m := measure(c, v.Author, linnet.Moderation(c.Typed("act")))
	m.Posts, m.Report = []linnet.ID{v.ID}, report
	if id, ok := linnet.ParseID(c.Typed("act")); ok {
		m.Act, m.Picture = linnet.RemovePicture, id
	}
	if !m.Act.OnPosts() {
		return "", linnet.FieldError("act", "ERR_INCLUSION", "is not one of the available options")
	}
	next := paths.AdminPost(v.ID)
	switch {
	case report != 0:
		next = paths.AdminReports + "/" + report.String()
	case m.Act == linnet.DeletePosts:
		next = paths.AdminReports
	}
	return form.Saved(next), h.Moderation.ModerateReported(c.Request.Context(), c.Actor(), m)
}

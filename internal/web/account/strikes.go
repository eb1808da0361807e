package account

import (
	"errors"
	"net/http"
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/web/form"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
)

// strikes is the page of the moderators' decisions about the reader's account.
func (h *Pages) strikes(c *page.Context) (*form.Page, error) {
	list, err := h.Moderation.Strikes.Own(c.Request.Context(), c.Me.ID, form.ListPage(c))
	if err != nil {
		return nil, err
	}
	t := &form.Table{Caption: c.Tr("Decisions"), Head: []string{c.Tr("Decision"), c.Tr("Reason"), c.Tr("Appeal"), c.Tr("When")}, Empty: c.Tr("The moderators haven't taken any action on your account or posts.")}
	for _, v := range list.Items {
		t.Rows = append(t.Rows, []form.Cell{form.LinkCell(c.Tr(v.Sentence()), paths.Strikes+"/"+v.ID.String()), form.TextCell(v.Text), form.MessageCell(AppealWord(c, v.Appeal)), form.TimeCell(v.ID.Time())})
	}
	return &form.Page{Title: c.Tr("Account status"), Path: paths.Strikes, Lead: c.Tr("Decisions by this server's moderators about your account and your posts. You can appeal each decision once."),
		Parts: []form.Section{{Table: t, Older: form.OlderPath(c, list.Last)}}}, nil
}

// AppealWord returns the state of an appeal in words; "" for no appeal.
func AppealWord(c *page.Context, a *linnet.Appeal) string {
	switch {
	case a == nil:
		return ""
	case a.State == linnet.AppealApproved:
		return c.TrIn("appeal", "approved")
	case a.State == linnet.AppealRejected:
		return c.TrIn("appeal", "rejected")
	}
	return c.TrIn("appeal", "waiting for a decision")
}

// StrikeFacts returns the properties of a strike and of its appeal.
func StrikeFacts(c *page.Context, v *linnet.StrikeView) []form.Fact {
	facts := []form.Fact{{Name: c.Tr("Decision"), Is: form.MessageCell(c.Tr(v.Sentence()))}, {Name: c.Tr("When"), Is: form.TimeCell(v.ID.Time())}}
	if v.Text != "" {
		facts = append(facts, form.Fact{Name: c.Tr("Reason"), Is: form.TextCell(v.Text)})
	}
	if len(v.Rules) > 0 {
		rules := make([]string, len(v.Rules))
		for i, r := range v.Rules {
			rules[i] = r.Text
		}
		facts = append(facts, form.Fact{Name: c.Tr("Rules"), Is: form.TextCell(strings.Join(rules, " · "))})
	}
	if len(v.Posts) > 0 {
		var posts form.Cell
		for _, p := range v.Posts {
			posts = posts.With(form.TextCell(strings.Join(strings.Fields(p.Excerpt), " ")))
		}
		facts = append(facts, form.Fact{Name: c.Tr("Posts"), Is: posts})
	}
	if a := v.Appeal; a != nil {
		facts = append(facts, form.Fact{Name: c.Tr("Appeal"), Is: form.TextCell(a.Text)}, form.Fact{Name: c.Tr("Status"), Is: form.MessageCell(AppealWord(c, a))})
	}
	return facts
}

// strikePage returns the page of a strike, with a form for the appeal unless there is one.
func strikePage(c *page.Context, v *linnet.StrikeView, action string) *form.Page {
	p := &form.Page{Title: c.Tr("Moderation decision"), Path: paths.Strikes, Parts: []form.Section{{Facts: StrikeFacts(c, v)}}}
	if c.Request.URL.Query().Get("done") != "" {
		p.Done = c.Tr("We sent your appeal to the moderators.")
	}
	if v.Appeal == nil {
		p.Form = form.New(c, action, c.Tr("Send appeal"), form.Field{Kind: form.AreaField, Name: "text", Label: c.Tr("Why should the moderators change their decision?"), Rows: 5, Most: linnet.MaxAppeal, Required: true})
		p.Parts = append(p.Parts, form.Section{Title: c.Tr("Appeal"), Text: c.Tr("You can appeal this decision once. If the moderators approve your appeal, they undo the decision. Deleted posts and pictures can't be restored."), Form: p.Form})
	}
	return p
}

func (h *Pages) strike(c *page.Context) (*form.Page, error) {
	id, ok := linnet.ParseID(c.Request.PathValue("id"))
	if !ok {
		return nil, page.NotFound()
	}
	v, err := h.Moderation.Strikes.OwnByID(c.Request.Context(), c.Me.ID, id)
	if err != nil {
		return nil, err
	}
	p := strikePage(c, &v, paths.Strikes+"/"+id.String())
	p.Back = &form.Link{Path: paths.Strikes, Text: c.Tr("All decisions")}
	return p, nil
}

func (h *Pages) appeal(c *page.Context) (string, error) {
	id, ok := linnet.ParseID(c.Request.PathValue("id"))
	if !ok {
		return "", page.NotFound()
	}
	_, err := h.Moderation.Strikes.Appeal(c.Request.Context(), c.Me.ID, id, c.Typed("text"))
	return form.Saved(paths.Strikes + "/" + id.String()), err
}

// linkedStrike shows the strike of a link to readers who can't log in.
func (h *Pages) linkedStrike(c *page.Context) error { return h.showLinked(c, nil) }

// showLinked shows the strike of a link, with the error of the appeal, if any.
func (h *Pages) showLinked(c *page.Context, refused error) error {
	v, err := h.Moderation.Strikes.ByToken(c.Request.Context(), c.Request.PathValue("token"))
	if err != nil {
		return err
	}
	p, code := strikePage(c, &v, c.Request.URL.Path), http.StatusOK
	if refused != nil {
		if p.Form == nil || !p.Form.Refused(refused) {
			return refused
		}
		code = http.StatusUnprocessableEntity
	}
	if v.OnAccount != nil {
		p.Lead = c.Tr("This decision is about the account %s.", "@"+v.OnAccount.Login)
	}
	return c.Render(code, page.Page{Title: p.Title, Sheet: "panes.css", Body: linkedStrikeView(p)})
}

func (h *Pages) appealLinked(c *page.Context) error {
	err := h.Moderation.Strikes.AppealByToken(c.Request.Context(), c.Request.PathValue("token"), c.Typed("text"))
	var e *linnet.Error
	switch {
	case err == nil:
		return c.Redirect(form.Saved(c.Request.URL.Path))
	case errors.As(err, &e) && e.Kind == linnet.Invalid:
		return h.showLinked(c, err)
	}
	return err
}

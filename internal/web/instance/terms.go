package instance

import (
	"net/http"
	"strings"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/web/form"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
)

func (h *Pages) adminTermsRoutes() []page.Route {
	return []page.Route{
		{Pattern: paths.AdminTerms, Get: page.Allowed(linnet.ManageSettings, h.adminTerms), Post: page.Allowed(linnet.ManageSettings, h.writeTerms)},
		{Pattern: paths.AdminTerms + "/{day}", Get: page.Allowed(linnet.ManageSettings, h.adminTermsOf), Post: page.Allowed(linnet.ManageSettings, h.changeTerms)},
	}
}

func (h *Pages) adminTerms(c *page.Context) error {
	return h.showAdminTerms(c, termsForm(c, linnet.Terms{Date: c.Opts.Now().UTC().AddDate(0, 0, 30).Format(time.DateOnly)}))
}

// termsForm returns the form for terms with a date.
func termsForm(c *page.Context, t linnet.Terms) *form.Form {
	return form.New(c, paths.AdminTerms, c.Tr("Save terms"),
		form.Field{Kind: form.LineField, Name: "effective_date", Label: c.Tr("Effective date"), Value: t.Date, Required: true, Hint: c.Tr("A date such as 2027-01-31 (UTC), today or later. This replaces terms with the same date.")},
		form.Field{Kind: form.AreaField, Name: "terms", Label: c.Tr("Text"), Value: t.Text, Rows: 16, Required: true, Hint: c.Tr("Plain text.") + " " + form.AtMostCharacters(c, linnet.MaxTerms)})
}

func (h *Pages) showAdminTerms(c *page.Context, f *form.Form) error {
	all, err := h.Settings.AllTerms(c.Request.Context())
	if err != nil {
		return err
	}
	t := &form.Table{Caption: c.Tr("Terms of service"), Head: []string{c.Tr("Effective date"), c.Tr("Status"), ""}, Empty: c.Tr("No terms yet. Pages and apps don't link to any.")}
	for _, x := range all {
		state, change := c.Tr("upcoming"), form.LinkCell(c.Tr("Edit"), paths.AdminTerms+"/"+x.Date)
		switch {
		case x.Past:
			state, change = c.Tr("no longer in effect"), form.TextCell("")
		case x.Now:
			state = c.Tr("in effect")
		}
		if x.Date < c.Opts.Now().UTC().Format(time.DateOnly) {
			change = form.TextCell("")
		}
		t.Rows = append(t.Rows, []form.Cell{form.LinkCell(x.Date, paths.Terms+"/"+x.Date), form.TextCell(state), change})
	}
	return form.ShowAdmin(c, f.StatusCode(), c.Tr("Terms of service"), paths.AdminTerms, form.Page{
		Lead:  c.Tr("What people agree to by using this server. Each version takes effect on its date, and earlier versions stay available. You can have up to %s versions.", c.Num(linnet.MaxTermsKept)),
		Parts: []form.Section{{Title: c.Tr("Terms of service"), Table: t}, {ID: "write", Title: c.Tr("Add terms"), Form: f}}})
}

func (h *Pages) writeTerms(c *page.Context) error {
	day, text := c.Typed("effective_date"), strings.ReplaceAll(c.Request.PostForm.Get("terms"), "\r\n", "\n")
	if err := h.Settings.SetTerms(c.Request.Context(), c.Actor(), day, text); err != nil {
		if f := termsForm(c, linnet.Terms{}); f.Refused(err, nil) {
			return h.showAdminTerms(c, f)
		}
		return err
	}
	return form.Saved(c, paths.AdminTerms)
}

func (h *Pages) adminTermsOf(c *page.Context) error {
	t, err := h.Settings.Terms(c.Request.Context(), c.Request.PathValue("day"))
	if page.IsKind(err, linnet.NotFound) {
		return page.NotFound()
	}
	if err != nil {
		return err
	}
	away := form.Button(c, paths.AdminTerms+"/"+t.Date, c.Tr("Withdraw"), c.Tr("Withdraw the terms effective %s", t.Date))
	away.Grave = true
	return form.ShowAdmin(c, http.StatusOK, c.Tr("Terms effective %s", t.Date), paths.AdminTerms, form.Page{Back: &form.Link{Path: paths.AdminTerms, Text: c.Tr("All terms of service")},
		Parts: []form.Section{{Form: termsForm(c, t)}, {Title: c.Tr("Withdraw"), Text: c.Tr("The previous terms stay in effect."), Form: away}}})
}

// changeTerms deletes the terms of the day in the path.
func (h *Pages) changeTerms(c *page.Context) error {
	if err := h.Settings.RemoveTerms(c.Request.Context(), c.Actor(), c.Request.PathValue("day")); err != nil {
		if e := page.Refusal(err); e != nil && e.Kind == linnet.Invalid {
			return &page.Error{Code: http.StatusUnprocessableEntity, Localized: c.FieldErrorText(c.Tr("The date"), e.Fields[0]), Back: paths.AdminTerms, BackText: "Terms of service"}
		}
		return err
	}
	return form.Saved(c, paths.AdminTerms)
}

package instance

import (
	"net/http"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/web/form"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
)

// termsForm returns the form for terms with a date.
func termsForm(c *page.Context, t linnet.Terms) *form.Form {
	return form.New(c, paths.AdminTerms, c.Tr("Save terms"),
		form.Field{Kind: form.LineField, Name: "effective_date", Label: c.Tr("Effective date"), Value: t.Date, Required: true, Hint: c.Tr("A date such as 2027-01-31 (UTC), today or later. This replaces terms with the same date.")},
		form.Field{Kind: form.AreaField, Name: "terms", Label: c.Tr("Text"), Value: t.Text, Rows: 16, Required: true, Hint: c.Tr("Plain text.") + " " + form.AtMostCharacters(c, linnet.MaxTerms)})
}

// terms is the page of all terms of service.
func (h *Pages) terms(c *page.Context) (*form.Page, error) {
	all, err := h.Settings.AllTerms(c.Request.Context())
	if err != nil {
		return nil, err
	}
	t := &form.Table{Caption: c.Tr("Terms of service"), Head: []string{c.Tr("Effective date"), c.Tr("Status"), ""}, Empty: c.Tr("No terms yet, so pages and apps don't link to any.")}
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
	f := termsForm(c, linnet.Terms{Date: c.Opts.Now().UTC().AddDate(0, 0, 30).Format(time.DateOnly)})
	return &form.Page{Title: c.Tr("Terms of service"), Path: paths.AdminTerms, Form: f,
		Lead:  c.Tr("People accept these terms by using this server. Each version takes effect on its date, and earlier versions stay available. You can have up to %s versions.", c.Num(linnet.MaxTermsVersions)),
		Parts: []form.Section{{Title: c.Tr("Terms of service"), Table: t}, {ID: "write", Title: c.Tr("Add terms"), Form: f}}}, nil
}

func (h *Pages) addTerms(c *page.Context) (string, error) {
	return form.Saved(paths.AdminTerms), h.Settings.SetTerms(c.Request.Context(), c.Actor(), c.Typed("effective_date"), *linesIn(c, "terms"))
}

func (h *Pages) termsOfDay(c *page.Context) (*form.Page, error) {
	t, err := h.Settings.Terms(c.Request.Context(), c.Request.PathValue("day"))
	if page.IsKind(err, linnet.NotFound) {
		return nil, page.NotFound()
	}
	if err != nil {
		return nil, err
	}
	away := form.Button(c, paths.AdminTerms+"/"+t.Date, c.Tr("Withdraw"), c.Tr("Withdraw the terms effective %s", t.Date))
	away.Grave = true
	return &form.Page{Title: c.Tr("Terms effective %s", t.Date), Path: paths.AdminTerms, Back: &form.Link{Path: paths.AdminTerms, Text: c.Tr("All terms of service")},
		Parts: []form.Section{{Form: termsForm(c, t)}, {Title: c.Tr("Withdraw"), Text: c.Tr("The previous terms stay in effect."), Form: away}}}, nil
}

// withdrawTerms deletes the terms of the day in the path.
func (h *Pages) withdrawTerms(c *page.Context) (string, error) {
	err := h.Settings.RemoveTerms(c.Request.Context(), c.Actor(), c.Request.PathValue("day"))
	if e := page.Refusal(err); e != nil && e.Kind == linnet.Invalid {
		err = &page.Error{Code: http.StatusUnprocessableEntity, Localized: c.FieldErrorText(c.Tr("The date"), e.Fields[0]), Back: paths.AdminTerms, BackText: "Terms of service"}
	}
	return form.Saved(paths.AdminTerms), err
}

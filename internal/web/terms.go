package web

import (
	"context"
	"net/http"
	"strings"
	"time"

	"linnet/internal/discovery"
	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// termsRoutes are the pages of terms and policies.
func (h *authPages) termsRoutes() []route {
	return []route{
		{pattern: paths.Privacy, get: privacyPolicy},
		{pattern: paths.Terms, get: h.terms},
		{pattern: paths.Terms + "/{day}", get: h.terms},
	}
}

func (h *instancePages) adminTermsRoutes() []route {
	return []route{
		{pattern: paths.AdminTerms, get: allowed(linnet.ManageSettings, h.adminTerms), post: allowed(linnet.ManageSettings, h.writeTerms)},
		{pattern: paths.AdminTerms + "/{day}", get: allowed(linnet.ManageSettings, h.adminTermsOf), post: allowed(linnet.ManageSettings, h.changeTerms)},
	}
}

// policyPage is a text by the operators.
type policyPage struct {
	Title string
	Text  string
	Day   string // from when on it is in force, or since when; "": that is not said
	Is    string // state of that day
	Next  string // the day from which another is in force; "": none is known of
}

// policies lead to the texts that there are.
func policies(about linnet.Instance) (links []navLink) {
	if len(about.Terms) > 0 {
		links = append(links, navLink{Path: paths.Terms, Text: locale.Mark("Terms of service")})
	}
	if about.Privacy != "" {
		links = append(links, navLink{Path: paths.Privacy, Text: locale.Mark("Privacy policy")})
	}
	return links
}

func showPolicyPage(c *call, p policyPage) error {
	return c.render(http.StatusOK, page{Title: p.Title, Body: policyView(p)})
}

func privacyPolicy(c *call) error {
	about, err := c.instance()
	if err != nil {
		return err
	}
	if about.Privacy == "" {
		return errNowhere()
	}
	return showPolicyPage(c, policyPage{Title: c.tr("Privacy policy"), Text: about.Privacy, Day: about.PrivacyAt.Format(time.DateOnly), Is: locale.Mark("As of %s.")})
}

// terms shows the terms of service of the day in the path, or those in force.
func (h *authPages) terms(c *call) error {
	t, err := h.identity.Terms(c.r.Context(), c.r.PathValue("day"))
	if isKind(err, linnet.NotFound) {
		return errNowhere()
	}
	if err != nil {
		return err
	}
	return showPolicyPage(c, policyPage{Title: c.tr("Terms of service"), Text: t.Text, Day: t.Date, Is: termsState(t), Next: t.Next})
}

// termsState returns the state of terms.
func termsState(t linnet.Terms) string {
	switch {
	case t.Past:
		return locale.Mark("No longer in effect. In effect since %s.")
	case t.Now:
		return locale.Mark("In effect since %s.")
	}
	return locale.Mark("In effect from %s.")
}

// naming returns the number of users who shared a link today and yesterday.
func naming(v *discovery.LinkView) (n int64) {
	for _, d := range v.Days[:min(2, len(v.Days))] {
		n += d.Users
	}
	return n
}

// dayIn is a day as people read it.
func dayIn(ctx context.Context, day string) string {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	return ui.ReaderOf(ctx).Lang.Time(t, locale.Mark("2 January 2006"))
}

func (h *instancePages) adminTerms(c *call) error {
	return h.showAdminTerms(c, termsForm(c, linnet.Terms{Date: c.opts.Now().UTC().AddDate(0, 0, 30).Format(time.DateOnly)}))
}

// termsForm is the form for terms of a day.
func termsForm(c *call, t linnet.Terms) *form {
	return startForm(c, paths.AdminTerms, c.tr("Save terms"),
		field{Kind: lineField, Name: "effective_date", Label: c.tr("Effective date"), Value: t.Date, Required: true, Hint: c.tr("A date such as 2027-01-31 (UTC), today or later. This replaces terms with the same date.")},
		field{Kind: areaField, Name: "terms", Label: c.tr("Text"), Value: t.Text, Rows: 16, Required: true, Hint: c.tr("Plain text.") + " " + atMostCharacters(c, linnet.MaxTerms)})
}

func (h *instancePages) showAdminTerms(c *call, f *form) error {
	all, err := h.identity.AllTerms(c.r.Context())
	if err != nil {
		return err
	}
	t := &table{Caption: c.tr("Terms of service"), Head: []string{c.tr("Effective date"), c.tr("State"), ""}, Empty: c.tr("No terms yet. Pages and apps don't link to any.")}
	for _, x := range all {
		state, change := c.tr("upcoming"), linkCell(c.tr("Edit"), paths.AdminTerms+"/"+x.Date)
		switch {
		case x.Past:
			state, change = c.tr("no longer in effect"), textCell("")
		case x.Now:
			state = c.tr("in effect")
		}
		if x.Date < c.opts.Now().UTC().Format(time.DateOnly) {
			change = textCell("")
		}
		t.Rows = append(t.Rows, []cell{linkCell(x.Date, paths.Terms+"/"+x.Date), textCell(state), change})
	}
	return showAdmin(c, f.code(), c.tr("Terms of service"), paths.AdminTerms, formPage{
		Lead:  c.tr("What people agree to by using this server. Each version takes effect on its date, and earlier versions stay available. You can have up to %s versions.", c.num(linnet.MaxTermsKept)),
		Parts: []formSection{{Title: c.tr("Terms of service"), Table: t}, {ID: "write", Title: c.tr("Add terms"), Form: f}}})
}

func (h *instancePages) writeTerms(c *call) error {
	day, text := c.typed("effective_date"), strings.ReplaceAll(c.r.PostForm.Get("terms"), "\r\n", "\n")
	if err := h.identity.SetTerms(c.r.Context(), c.by(), day, text); err != nil {
		if f := termsForm(c, linnet.Terms{}); f.refused(err, nil) {
			return h.showAdminTerms(c, f)
		}
		return err
	}
	return saved(c, paths.AdminTerms)
}

func (h *instancePages) adminTermsOf(c *call) error {
	t, err := h.identity.Terms(c.r.Context(), c.r.PathValue("day"))
	if isKind(err, linnet.NotFound) {
		return errNowhere()
	}
	if err != nil {
		return err
	}
	away := button(c, paths.AdminTerms+"/"+t.Date, c.tr("Withdraw"), c.tr("Withdraw the terms of %s", t.Date))
	away.Grave = true
	return showAdmin(c, http.StatusOK, c.tr("Terms of %s", t.Date), paths.AdminTerms, formPage{Back: &navLink{Path: paths.AdminTerms, Text: c.tr("All terms of service")},
		Parts: []formSection{{Form: termsForm(c, t)}, {Title: c.tr("Withdraw"), Text: c.tr("The previous terms stay in effect."), Form: away}}})
}

// changeTerms takes the terms of the day in the path back.
func (h *instancePages) changeTerms(c *call) error {
	if err := h.identity.RemoveTerms(c.r.Context(), c.by(), c.r.PathValue("day")); err != nil {
		if e := refusal(err); e != nil && e.Kind == linnet.Invalid {
			return &httpError{code: http.StatusUnprocessableEntity, said: c.wrong(c.tr("The date"), e.Fields[0]), back: paths.AdminTerms, text: "Terms of service"}
		}
		return err
	}
	return saved(c, paths.AdminTerms)
}

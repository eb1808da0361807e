package people

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"linnet/internal/linnet"
	"linnet/internal/web/page"
)

// reportPage is the form to report a user to the moderators.
type reportPage struct {
	Who         linnet.UserView
	Posts       []linnet.StatusView     // to choose from
	Collections []linnet.CollectionView // to choose from
	Chosen      map[linnet.ID]bool      // posts and collections
	Category    linnet.ReportCategory
	Comment     string
	Rules       []reportRule
	Max         int // characters of the comment
	Errors      page.FieldErrors
	Sent        bool
}

type reportRule struct {
	Number int
	Text   string
	Chosen bool
}

// ReportForm shows the form to report a user.
func (h *Pages) ReportForm(c *page.Context) error {
	who, err := h.OtherHere(c)
	if err != nil {
		return err
	}
	p := reportPage{Who: who, Category: linnet.ReportOther, Chosen: map[linnet.ID]bool{}}
	if id, ok := linnet.ParseID(c.Request.URL.Query().Get("post")); ok {
		p.Chosen[id] = true
	}
	chosen, _ := linnet.ParseID(c.Request.URL.Query().Get("collection"))
	return h.showReport(c, http.StatusOK, p, chosen)
}

// showReport shows the form with the user's latest posts, chosen ones first, and collections.
func (h *Pages) showReport(c *page.Context, code int, p reportPage, collections ...linnet.ID) error {
	ctx := c.Request.Context()
	about, err := c.Instance()
	if err != nil {
		return err
	}
	rules := make([]reportRule, len(about.Rules))
	for i, text := range about.Rules {
		rules[i] = reportRule{Number: i + 1, Text: text}
	}
	for _, r := range p.Rules {
		if r.Number <= len(rules) {
			rules[r.Number-1].Chosen = true
		}
	}
	p.Rules, p.Max = rules, linnet.MaxReason
	var ids []linnet.ID
	for id := range p.Chosen {
		ids = append(ids, id)
	}
	if p.Posts, err = h.View.Statuses(ctx, c.Me.ID, ids); err != nil {
		return fmt.Errorf("read chosen statuses: %w", err)
	}
	latest, err := h.Reading.Profile(ctx, c.Me.ID, p.Who.ID, linnet.ProfileFilter{ExcludeReposts: true}, linnet.Page{Limit: 10})
	if err != nil {
		return fmt.Errorf("read a profile: %w", err)
	}
	for _, st := range latest.Items {
		if !p.Chosen[st.ID] {
			p.Posts = append(p.Posts, st)
		}
	}
	if p.Collections, err = h.reportable(c, p.Who.ID, collections); err != nil {
		return err
	}
	for _, id := range collections {
		p.Chosen[id] = true
	}
	return c.Render(code, page.Page{Title: c.Tr("Report %s", "@"+p.Who.Login), Body: reportView(c, p)})
}

// reportable returns the discoverable collections of a user, and the chosen ones.
func (h *Pages) reportable(c *page.Context, who linnet.ID, chosen []linnet.ID) ([]linnet.CollectionView, error) {
	all, err := h.featuredCollections(c, who)
	if err != nil {
		return nil, err
	}
	for _, id := range chosen {
		if slices.ContainsFunc(all, func(v linnet.CollectionView) bool { return v.ID == id }) {
			continue
		}
		v, err := h.View.FindCollection(c.Request.Context(), c.Me.ID, id)
		if err != nil {
			return nil, fmt.Errorf("read a chosen collection: %w", err)
		}
		if v != nil && v.Owner == who {
			all = append(all, *v)
		}
	}
	return all, nil
}

// Report sends a report to the moderators.
func (h *Pages) Report(c *page.Context) error {
	who, err := h.OtherHere(c)
	if err != nil {
		return err
	}
	in := c.Request.PostForm
	p := reportPage{Who: who, Comment: c.Typed("comment"), Chosen: map[linnet.ID]bool{}, Errors: page.FieldErrors{}}
	d := linnet.ReportDraft{On: who.ID, Comment: p.Comment}
	for _, digits := range in["post"][:min(len(in["post"]), linnet.MaxIDsInQuery)] {
		if id, ok := linnet.ParseID(digits); ok {
			p.Chosen[id] = true
			d.Statuses = append(d.Statuses, id)
		}
	}
	for _, digits := range in["collection"][:min(len(in["collection"]), linnet.MaxCollections)] {
		if id, ok := linnet.ParseID(digits); ok {
			d.Collections = append(d.Collections, id)
		}
	}
	for _, digits := range in["rule"][:min(len(in["rule"]), linnet.MaxRules)] {
		if n, err := strconv.Atoi(digits); err == nil && n > 0 {
			d.Rules = append(d.Rules, n)
			p.Rules = append(p.Rules, reportRule{Number: n})
		}
	}
	var known bool
	if d.Category, known = linnet.ParseReportCategory(in.Get("category")); !known {
		d.Category = linnet.ReportOther
	}
	p.Category = d.Category
	_, err = h.Moderation.Report(c.Request.Context(), c.Me.ID, d)
	switch {
	case err == nil:
		return c.Redirect("/@" + who.Login + "/reported")
	case p.Errors.Add(c, err, map[string]page.FormField{"comment": {Name: "comment", Subject: c.Tr("The comment")}, "rule_ids": {Name: "rule", Subject: c.Tr("The rules")}}):
		return h.showReport(c, http.StatusUnprocessableEntity, p, d.Collections...)
	}
	return fmt.Errorf("report an account: %w", err)
}

// Reported confirms that a report was sent, and offers further actions.
func (h *Pages) Reported(c *page.Context) error {
	who, err := h.OtherHere(c)
	if err != nil {
		return err
	}
	return c.Render(http.StatusOK, page.Page{Title: c.Tr("Reported"), Body: reportedView(who)})
}

package settings

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/web/form"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
)

func (h *Pages) filters(c *page.Context) (*form.Page, error) {
	all, err := h.Reading.Filters(c.Request.Context(), c.Me.ID)
	if err != nil {
		return nil, err
	}
	t := &form.Table{Caption: c.Tr("Filters"), Head: []string{c.Tr("Filter"), c.Tr("Applies to"), c.Tr("Action"), c.Tr("Keywords"), c.Tr("Expires"), ""}, Empty: c.Tr("No filters.")}
	contexts, actions := filterContexts(c), filterActions(c)
	for _, f := range all {
		path := paths.Filters + "/" + f.ID.String()
		var applies []string
		for _, w := range f.Context.Words() {
			applies = append(applies, contexts[slices.Index(contexts, w)+1])
		}
		until := form.TextCell(c.Tr("never"))
		if !f.ExpiresAt.IsZero() {
			until = form.TimeCell(f.ExpiresAt)
		}
		if f.Expired(c.Opts.Now()) {
			until = form.TextCell(c.Tr("expired"))
		}
		t.Rows = append(t.Rows, []form.Cell{form.LinkCell(f.Title, path), form.TextCell(strings.Join(applies, ", ")), form.TextCell(actions[slices.Index(actions, f.Action.String())+1]),
			form.CountCell(int64(len(f.Keywords))), until, {Forms: []*form.Form{form.Button(c, path+"/delete", c.Tr("Delete"), c.Tr("Delete filter %s", f.Title))}}})
	}
	return &form.Page{Title: c.Tr("Filters"), Path: paths.Filters, Lead: c.Tr("Hide posts with certain words, or show them behind a warning. Filters also work in apps that support them."),
		Parts: []form.Section{{Table: t, Links: []form.Link{{Path: paths.Filters + "/new", Text: c.Tr("Add filter")}}}}}, nil
}

// filterContexts returns the contexts in which filters apply, by Mastodon's names.
func filterContexts(c *page.Context) []string {
	return []string{"home", c.Tr("Home and lists"), "notifications", c.Tr("Notifications"), "public", c.Tr("Public timelines and hashtags"), "thread", c.Tr("Threads"), "account", c.Tr("Profiles")}
}

func filterActions(c *page.Context) []string {
	return []string{"warn", c.Tr("Show a warning with the filter's name"), "hide", c.Tr("Hide completely"), "blur", c.Tr("Hide pictures and other media")}
}

// keepExpiry is the choice that doesn't change the expiry of a filter.
const keepExpiry = "keep"

// filterPage is the page of a new or existing filter.
func filterPage(c *page.Context, f linnet.Filter, title, path, button string) *form.Page {
	var whole, parts []string
	for _, k := range f.Keywords {
		if k.WholeWord {
			whole = append(whole, k.Keyword)
		} else {
			parts = append(parts, k.Keyword)
		}
	}
	contexts := form.Field{Kind: form.ChecksField, Name: "context", Label: c.Tr("Applies to"), Choices: form.Options("", filterContexts(c)...)}
	for i := range contexts.Choices {
		contexts.Choices[i].On = slices.Contains(f.Context.Words(), contexts.Choices[i].Value)
	}
	ends := form.Options("", "", c.Tr("Never"), "1800", c.Tr("In 30 minutes"), "3600", c.Tr("In an hour"), "21600", c.Tr("In 6 hours"), "86400", c.Tr("In a day"), "604800", c.Tr("In a week"))
	if !f.ExpiresAt.IsZero() {
		ends[0].On = false
		ends = append([]form.Choice{{Value: keepExpiry, Label: c.Tr("On %s", c.Lang().Time(f.ExpiresAt.UTC(), locale.Mark("2 January 2006, 15:04 MST"))), On: true}}, ends...)
	}
	part := form.Section{Form: form.New(c, path, button,
		form.Field{Kind: form.LineField, Name: "title", Label: c.Tr("Name"), Value: f.Title, Required: true},
		form.Field{Kind: form.AreaField, Name: "keyword", Label: c.Tr("Whole words"), Value: strings.Join(whole, "\n"), Hint: c.Tr("One word or phrase per line.")},
		form.Field{Kind: form.AreaField, Name: "parts", Label: c.Tr("Parts of words"), Value: strings.Join(parts, "\n"), Hint: c.Tr("One per line. For example, cat also matches concatenate.")},
		contexts,
		form.Field{Kind: form.SelectField, Name: "filter_action", Label: c.Tr("Action"), Choices: form.Options(f.Action.String(), filterActions(c)...)},
		form.Field{Kind: form.SelectField, Name: "expires", Label: c.Tr("Expires"), Choices: ends})}
	if n := len(f.Statuses); n > 0 {
		part.Text = c.Trn(int64(n), "An app added %s post to this filter.", "An app added %s posts to this filter.")
	}
	return &form.Page{Title: title, Path: paths.Filters, Form: part.Form, Back: &form.Link{Path: paths.Filters, Text: c.Tr("All filters")}, Parts: []form.Section{part}}
}

// newFilter is the form for a new filter. A post's menu adds the context in which the post was
// shown.
func newFilter(c *page.Context) (*form.Page, error) {
	at, _ := linnet.ParseFilterContext(c.Request.URL.Query().Get("context")) // 0 for none
	return filterPage(c, linnet.Filter{Context: linnet.FilterHome | linnet.FilterPublic | at}, c.Tr("New filter"), paths.Filters+"/new", c.Tr("Save filter")), nil
}

// typedFilter reads the submitted form of a filter. now is the current filter.
func typedFilter(c *page.Context, now linnet.Filter) linnet.FilterChange {
	title, contexts := c.Typed("title"), linnet.FilterContext(0)
	for _, w := range c.Request.PostForm["context"] {
		if p, ok := linnet.ParseFilterContext(w); ok {
			contexts |= p
		}
	}
	ch := linnet.FilterChange{Title: &title, Context: &contexts, Keywords: typedKeywords(c, now)}
	if a, ok := linnet.ParseFilterAction(c.Typed("filter_action")); ok {
		ch.Action = &a
	}
	if end := c.Typed("expires"); end != keepExpiry {
		seconds, _ := strconv.ParseUint(end, 10, 31) // invalid values mean never, like ""
		d := time.Duration(seconds) * time.Second
		ch.ExpiresIn = &d
	}
	return ch
}

// typedKeywords returns the changes to a filter's keywords.
func typedKeywords(c *page.Context, now linnet.Filter) (out []linnet.KeywordChange) {
	left := slices.Clone(now.Keywords)
	for _, whole := range []bool{true, false} {
		name := "parts"
		if whole {
			name = "keyword"
		}
		for line := range strings.Lines(c.Request.PostForm.Get(name)) {
			line = strings.TrimSpace(line)
			if line == "" {
				continue
			}
			at := func(k linnet.FilterKeyword) bool { return k.Keyword == line && k.WholeWord == whole }
			if i := slices.IndexFunc(left, at); i >= 0 {
				left = slices.Delete(left, i, i+1)
				continue
			}
			out = append(out, linnet.KeywordChange{Keyword: &line, WholeWord: &whole})
		}
	}
	gone := make([]linnet.KeywordChange, 0, len(left)+len(out))
	for _, k := range left {
		gone = append(gone, linnet.KeywordChange{ID: k.ID, Remove: true})
	}
	return append(gone, out...) // deletions first, because of the maximum number
}

func (h *Pages) createFilter(c *page.Context) (string, error) {
	_, err := h.Reading.CreateFilter(c.Request.Context(), c.Me.ID, typedFilter(c, linnet.Filter{}))
	return form.Saved(paths.Filters), err
}

// filterInPath returns the reader's filter in the path.
func (h *Pages) filterInPath(c *page.Context) (linnet.Filter, error) {
	id, ok := linnet.ParseID(c.Request.PathValue("id"))
	if !ok {
		return linnet.Filter{}, page.NotFound()
	}
	return h.Reading.Filter(c.Request.Context(), c.Me.ID, id)
}

func (h *Pages) filter(c *page.Context) (*form.Page, error) {
	f, err := h.filterInPath(c)
	if err != nil {
		return nil, err
	}
	return filterPage(c, f, c.Tr("Filter"), paths.Filters+"/"+f.ID.String(), c.Tr("Save")), nil
}

func (h *Pages) saveFilter(c *page.Context) (string, error) {
	now, err := h.filterInPath(c)
	if err != nil {
		return "", err
	}
	_, err = h.Reading.UpdateFilter(c.Request.Context(), c.Me.ID, now.ID, typedFilter(c, now))
	return form.Saved(paths.Filters), err
}

func (h *Pages) deleteFilter(c *page.Context) (string, error) {
	f, err := h.filterInPath(c)
	if err != nil {
		return "", err
	}
	return form.Saved(paths.Filters), h.Reading.DeleteFilter(c.Request.Context(), c.Me.ID, f.ID)
}

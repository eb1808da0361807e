package web

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/web/paths"
)

func (h *settingsPages) filters(c *call) error {
	all, err := h.reading.Filters(c.r.Context(), c.me.ID)
	if err != nil {
		return err
	}
	t := &table{Caption: c.tr("Filters"), Head: []string{c.tr("Filter"), c.tr("Applies to"), c.tr("Action"), c.tr("Keywords"), c.tr("Expires"), ""}, Empty: c.tr("No filters.")}
	for _, f := range all {
		path := paths.Filters + "/" + f.ID.String()
		until := textCell(c.tr("never"))
		if !f.ExpiresAt.IsZero() {
			until = timeCell(f.ExpiresAt)
		}
		if f.Expired(c.opts.Now()) {
			until = textCell(c.tr("expired"))
		}
		t.Rows = append(t.Rows, []cell{linkCell(f.Title, path), textCell(strings.Join(contextWords(c, f.Context), ", ")), textCell(actionWords(c, f.Action)),
			countCell(int64(len(f.Keywords))), until, {Forms: []*form{button(c, path+"/delete", c.tr("Delete"), c.tr("Delete filter %s", f.Title))}}})
	}
	return showSettings(c, http.StatusOK, c.tr("Filters"), paths.Filters, formPage{Lead: c.tr("Hide posts with certain words or show them behind a warning, in every app."),
		Parts: []formSection{{Table: t, Links: []navLink{{Path: paths.Filters + "/new", Text: c.tr("Add filter")}}}}})
}

// filterPlaces are the places in which filters apply, by Mastodon's words.
func filterPlaces(c *call) []string {
	return []string{"home", c.tr("Home and lists"), "notifications", c.tr("Notifications"), "public", c.tr("Public timelines and hashtags"), "thread", c.tr("Threads"), "account", c.tr("Profiles")}
}

func contextWords(c *call, of linnet.FilterContext) (words []string) {
	places := filterPlaces(c)
	for _, w := range of.Words() {
		words = append(words, places[slices.Index(places, w)+1])
	}
	return words
}

func filterActions(c *call) []string {
	return []string{"warn", c.tr("Show a warning with the filter's name"), "hide", c.tr("Hide completely"), "blur", c.tr("Hide pictures and other media")}
}

func actionWords(c *call, a linnet.FilterAction) string {
	all := filterActions(c)
	return all[slices.Index(all, a.String())+1]
}

// keepExpiry leaves the end of a filter as it is.
const keepExpiry = "keep"

func filterForm(c *call, f linnet.Filter, path, button string) *form {
	var whole, parts []string
	for _, k := range f.Keywords {
		if k.WholeWord {
			whole = append(whole, k.Keyword)
		} else {
			parts = append(parts, k.Keyword)
		}
	}
	places := field{Kind: checksField, Name: "context", Label: c.tr("Applies to"), Choices: pick("", filterPlaces(c)...)}
	for i := range places.Choices {
		places.Choices[i].On = slices.Contains(f.Context.Words(), places.Choices[i].Value)
	}
	ends := pick("", "", c.tr("Never"), "1800", c.tr("In 30 minutes"), "3600", c.tr("In an hour"), "21600", c.tr("In 6 hours"), "86400", c.tr("In a day"), "604800", c.tr("In a week"))
	if !f.ExpiresAt.IsZero() {
		ends[0].On = false
		ends = append([]choice{{keepExpiry, c.tr("On %s", c.lang().Time(f.ExpiresAt.UTC(), locale.Mark("2 January 2006, 15:04 MST"))), true}}, ends...)
	}
	return startForm(c, path, button,
		field{Kind: lineField, Name: "title", Label: c.tr("Name"), Value: f.Title, Required: true},
		field{Kind: areaField, Name: "keyword", Label: c.tr("Whole words"), Value: strings.Join(whole, "\n"), Hint: c.tr("One word or phrase per line.")},
		field{Kind: areaField, Name: "parts", Label: c.tr("Parts of words"), Value: strings.Join(parts, "\n"), Hint: c.tr("One per line. For example, cat also matches concatenate.")},
		places,
		field{Kind: selectField, Name: "filter_action", Label: c.tr("Action"), Choices: pick(f.Action.String(), filterActions(c)...)},
		field{Kind: selectField, Name: "expires", Label: c.tr("Expires"), Choices: ends})
}

func showFilter(c *call, f *form, title string, named int) error {
	part := formSection{Form: f}
	if named > 0 {
		part.Text = c.trn(int64(named), "An app added %s post to this filter.", "An app added %s posts to this filter.")
	}
	return showSettings(c, f.code(), title, paths.Filters, formPage{Back: &navLink{Path: paths.Filters, Text: c.tr("All filters")}, Parts: []formSection{part}})
}

func newFilter(c *call) error {
	return showFilter(c, filterForm(c, linnet.Filter{Context: linnet.FilterHome | linnet.FilterPublic}, paths.Filters+"/new", c.tr("Save filter")), c.tr("New filter"), 0)
}

// typedFilter reads the form of a filter. now is the current filter.
func typedFilter(c *call, now linnet.Filter) linnet.FilterChange {
	title, places := c.typed("title"), linnet.FilterContext(0)
	for _, w := range c.r.PostForm["context"] {
		if p, ok := linnet.ParseFilterContext(w); ok {
			places |= p
		}
	}
	ch := linnet.FilterChange{Title: &title, Context: &places, Keywords: typedKeywords(c, now)}
	if a, ok := linnet.ParseFilterAction(c.typed("filter_action")); ok {
		ch.Action = &a
	}
	if end := c.typed("expires"); end != keepExpiry {
		seconds, _ := strconv.ParseUint(end, 10, 31) // other texts mean never, like ""
		d := time.Duration(seconds) * time.Second
		ch.ExpiresIn = &d
	}
	return ch
}

// typedKeywords returns the changes of a filter's keywords in the form.
func typedKeywords(c *call, now linnet.Filter) (out []linnet.KeywordChange) {
	left := slices.Clone(now.Keywords)
	for _, whole := range []bool{true, false} {
		name := "parts"
		if whole {
			name = "keyword"
		}
		for line := range strings.Lines(c.r.PostForm.Get(name)) {
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
	return append(gone, out...) // so that there is room for the new ones
}

func (h *settingsPages) createFilter(c *call) error {
	_, err := h.reading.CreateFilter(c.r.Context(), c.me.ID, typedFilter(c, linnet.Filter{}))
	if err != nil {
		if f := filterForm(c, linnet.Filter{}, paths.Filters+"/new", c.tr("Save filter")); f.refused(err, nil) {
			return showFilter(c, f, c.tr("New filter"), 0)
		}
		return err
	}
	return saved(c, paths.Filters)
}

// filterInPath is the reader's own filter that the path names.
func (h *settingsPages) filterInPath(c *call) (linnet.Filter, error) {
	id, ok := linnet.ParseID(c.r.PathValue("id"))
	if !ok {
		return linnet.Filter{}, errNowhere()
	}
	return h.reading.Filter(c.r.Context(), c.me.ID, id)
}

func (h *settingsPages) editFilter(c *call) error {
	now, err := h.filterInPath(c)
	if err != nil {
		return err
	}
	return showFilter(c, filterForm(c, now, paths.Filters+"/"+now.ID.String(), c.tr("Save")), c.tr("Filter"), len(now.Statuses))
}

func (h *settingsPages) changeFilter(c *call) error {
	now, err := h.filterInPath(c)
	if err != nil {
		return err
	}
	_, err = h.reading.UpdateFilter(c.r.Context(), c.me.ID, now.ID, typedFilter(c, now))
	if err != nil {
		if f := filterForm(c, now, paths.Filters+"/"+now.ID.String(), c.tr("Save")); f.refused(err, nil) {
			return showFilter(c, f, c.tr("Filter"), len(now.Statuses))
		}
		return err
	}
	return saved(c, paths.Filters)
}

func (h *settingsPages) deleteFilter(c *call) error {
	now, err := h.filterInPath(c)
	if err != nil {
		return err
	}
	if err := h.reading.DeleteFilter(c.r.Context(), c.me.ID, now.ID); err != nil {
		return err
	}
	return saved(c, paths.Filters)
}

package ranking

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/web/form"
	"linnet/internal/web/page"
	"linnet/internal/web/ui"
)

// ownFeedForm is the form of a custom feed. Sources are chosen from search results, each with an
// amount. Every button sends the whole form, and nothing is stored before the feed is saved.
type ownFeedForm struct {
	*form.Form
	Feed   linnet.OwnFeed // a new feed has only a title
	Chosen []feedChoice
	Find   string       // search query
	Hits   []feedChoice // search results
	Offers []feedChoice // suggestions
	Steps  []string     // names of the steps of the sliders
	Delete *form.Form   // nil for a new feed
}

// Path returns the action of the form.
func (m ownFeedForm) Path() string {
	if m.Feed.ID == 0 {
		return "/feeds/new"
	}
	return "/feeds/" + m.Feed.ID.String() + "/edit"
}

// Head returns the inputs of the name and the order.
func (m ownFeedForm) Head() []form.Field { return m.Fields[:2] }

// LeftOut returns the inputs of exclusions.
func (m ownFeedForm) LeftOut() []form.Field { return m.Fields[2:6] }

// Weights returns the inputs of the ranking.
func (m ownFeedForm) Weights() []form.Field { return m.Fields[6:] }

// showOwnFeedForm shows the form of a feed. If wrong isn't nil, it shows the submitted values and
// the error.
func (h *Pages) showOwnFeedForm(c *page.Context, f linnet.OwnFeed, wrong error) error {
	m := ownFeedForm{Form: ownFeedFields(c, f), Feed: f, Find: strings.TrimSpace(c.Request.PostForm.Get("find"))}
	if f.ID != 0 {
		m.Delete = form.Button(c, "/feeds/"+f.ID.String()+"/delete", c.Tr("Delete feed"), "")
		m.Delete.Grave = true
	}
	if wrong != nil && !m.Refused(wrong) {
		return wrong
	}
	return h.renderOwnFeedForm(c, m, f.Sources)
}

// renderOwnFeedForm shows the form with the chosen sources.
func (h *Pages) renderOwnFeedForm(c *page.Context, m ownFeedForm, chosen []linnet.FeedSource) (err error) {
	if m.Chosen, m.Offers, err = h.feedChoices(c, chosen); err != nil {
		return err
	}
	m.Steps = amountWords(c)
	if m.Find != "" {
		if m.Hits, err = h.feedHits(c, m.Find, chosen); err != nil {
			return err
		}
	}
	title := c.Tr("New feed")
	if m.Feed.ID != 0 {
		title = c.Tr("Edit %s", m.Feed.Title)
	}
	return c.Render(m.StatusCode(), page.Page{Title: title, Here: "/lists", Sheet: "panes.css", Body: ownFeedFormView(m)})
}

// ownFeedFields returns the fields of a feed except its sources. ownFeedForm groups them.
func ownFeedFields(c *page.Context, f linnet.OwnFeed) *form.Form {
	out := form.New(c, "", c.Tr("Save"),
		form.Field{Kind: form.LineField, Name: "title", Label: c.Tr("Name"), Value: f.Title, Required: true, Half: true},
		form.Field{Kind: form.SelectField, Name: "order", Label: c.Tr("Order"), Half: true, Choices: form.Options(string(f.Order),
			string(linnet.ByImportance), c.Tr("Most important first"), string(linnet.NewestFirst), c.Tr("Newest first"))},
		form.Field{Kind: form.CheckField, Name: "exclude_replies", Label: c.Tr("Replies"), On: f.Filter.ExcludeReplies, Hint: c.Tr("Replies to you still appear")},
		form.Field{Kind: form.CheckField, Name: "exclude_reblogs", Label: c.Tr("Boosts"), On: f.Filter.ExcludeReposts, Hint: c.Tr("Only original posts appear")},
		form.Field{Kind: form.CheckField, Name: "only_media", Label: c.Tr("Posts without media"), On: f.Filter.OnlyMedia, Hint: c.Tr("Only posts with media appear")},
		form.Field{Kind: form.SelectField, Name: "window", Label: c.Tr("Posts older than"), Choices: spans(c, f.Window, "")},
		form.Field{Kind: form.SelectField, Name: "favourites", Label: c.Tr("Weight of a favourite"), Choices: counts(c, f.Weights.Favourites), Half: true},
		form.Field{Kind: form.SelectField, Name: "reblogs", Label: c.Tr("Weight of a boost"), Choices: counts(c, f.Weights.Reposts), Half: true},
		form.Field{Kind: form.SelectField, Name: "replies", Label: c.Tr("Weight of a reply"), Choices: counts(c, f.Weights.Replies), Hint: c.Tr("Replies only count up to the number of favourites and boosts.")},
		form.Field{Kind: form.SelectField, Name: "half_life", Label: c.Tr("Favourites, boosts and replies lose half their weight after"), Choices: spans(c, f.Weights.HalfLife, c.Tr("Never"))})
	value := c.Tr("This value")
	out.Inputs = map[string]page.FormField{"title": {Name: "title", Subject: c.Tr("The name")}, "order": {Name: "order", Subject: value}, "sources": {Name: "sources", Subject: c.Tr("The sources")}, "weights.favourites": {Name: "favourites", Subject: value},
		"weights.reblogs": {Name: "reblogs", Subject: value}, "weights.replies": {Name: "replies", Subject: value}, "weights.half_life": {Name: "half_life", Subject: value}, "window": {Name: "window", Subject: value}}
	return out
}

// counts returns the weights of votes to choose from, including the current one.
func counts(c *page.Context, now float64) (out []form.Choice) {
	all := []float64{0, 0.5, 1, 2, 3, 5, 10}
	if !slices.Contains(all, now) { // set by an app
		all = append(all, now)
		slices.Sort(all)
	}
	for _, x := range all {
		out = append(out, form.Choice{Value: factorWords(x), Label: c.Lang().Decimal(x, -1), On: x == now})
	}
	return out
}

// amountSteps are the weights of the slider's steps, from step 1.
var amountSteps = []float64{0.25, 0.5, 1, 2, 4}

// amountWords returns the names of the steps.
func amountWords(c *page.Context) []string {
	return []string{c.TrIn("weight", "Lowest"), c.TrIn("weight", "Lower"), c.TrIn("weight", "Normal"), c.TrIn("weight", "Higher"), c.TrIn("weight", "Highest")}
}

// amountStep returns the step nearest to a weight. Apps can set weights between steps.
func amountStep(weight float64) int {
	far := func(w float64) float64 { return math.Abs(math.Log(weight / w)) }
	near := slices.MinFunc(amountSteps, func(a, b float64) int { return cmp.Compare(far(a), far(b)) })
	return slices.Index(amountSteps, near) + 1
}

// amountWord returns the word for a weight of a source.
func amountWord(c *page.Context, weight float64) string {
	if i := slices.Index(amountSteps, weight); i >= 0 {
		return amountWords(c)[i]
	}
	return c.Tr("%s times", c.Lang().Decimal(weight, -1))
}

// sentAmount returns the weight of a step. If the slider wasn't moved it returns the previous
// weight, even if that is between two steps.
func sentAmount(step, was string) (float64, error) {
	n, err := strconv.Atoi(step)
	if err != nil || n < 1 || n > len(amountSteps) {
		return 0, linnet.FieldError("sources", "ERR_INVALID", "contain the weight %q, but weights must be between 1 and %d", ui.Truncate(step, 100), len(amountSteps))
	}
	if w, err := strconv.ParseFloat(was, 64); err == nil && w >= linnet.MinSourceWeight && w <= linnet.MaxSourceWeight && amountStep(w) == n {
		return w, nil
	}
	return amountSteps[n-1], nil
}

// factorWords formats a number for a form.
func factorWords(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// sentOwnFeed performs the action of the form's button: it searches, adds or removes a source, or
// saves the feed.
func (h *Pages) sentOwnFeed(c *page.Context, now linnet.OwnFeed, save func(linnet.OwnFeedChange) (linnet.OwnFeed, error)) error {
	chosen, wrong := sentSources(c)
	now.Sources = chosen
	do, key, _ := strings.Cut(c.Typed("do"), ":")
	src, known := parseSource(key)
	switch {
	case do == "add" && known:
		src.Weight = 1
		if !slices.ContainsFunc(chosen, src.same) {
			chosen = append(chosen, linnet.FeedSource(src))
		}
		if n := len(chosen); wrong == nil && n > linnet.MaxFeedSources {
			wrong = linnet.FieldError("sources", "ERR_INVALID", "have %d entries (maximum is %d). Remove some", n, linnet.MaxFeedSources)
		}
	case do == "remove" && known:
		chosen, wrong = slices.DeleteFunc(chosen, src.same), nil
	case do == "" && c.Typed("find") == "" || do == "save":
		change, err := ownFeedChange(c, chosen)
		if wrong != nil {
			err = wrong
		}
		var f linnet.OwnFeed
		if err == nil {
			f, err = save(change)
		}
		if err != nil {
			return h.showOwnFeedForm(c, now, err)
		}
		return c.Redirect("/feeds/" + f.ID.String())
	}
	m := ownFeedForm{Form: ownFeedFields(c, now), Feed: now, Find: c.Typed("find")}
	m.Refill(c.Request.PostForm, page.FieldErrors{})
	if wrong != nil && !m.Refused(wrong) {
		return wrong
	}
	if do == "add" {
		m.Find = ""
	}
	return h.renderOwnFeedForm(c, m, chosen)
}

// ownFeedChange reads the submitted form.
func ownFeedChange(c *page.Context, sources []linnet.FeedSource) (ch linnet.OwnFeedChange, err error) {
	var all linnet.Faults
	title := c.Typed("title")
	ch.Title, ch.Sources = &title, &sources
	ch.ExcludeReplies, ch.ExcludeReposts, ch.OnlyMedia = form.Checked(c, "exclude_replies"), form.Checked(c, "exclude_reblogs"), form.Checked(c, "only_media")
	if c.Request.PostForm.Has("order") {
		order := linnet.FeedOrder(c.Typed("order"))
		ch.Order = &order
	}
	for name, to := range map[string]**float64{"favourites": &ch.Favourites, "reblogs": &ch.Reposts, "replies": &ch.Replies} {
		x, err := strconv.ParseFloat(c.Typed(name), 64)
		if err != nil {
			all.Add(linnet.FieldError("weights."+name, "ERR_INVALID", "is %q, but must be a number from 0 to %v", c.Typed(name), linnet.MaxVoteWeight))
		}
		*to = &x
	}
	for name, to := range map[string]**time.Duration{"half_life": &ch.HalfLife, "window": &ch.Window} {
		n, _ := strconv.ParseInt(c.Typed(name), 10, 32) // the service refuses 0 as too short
		d := time.Duration(n) * time.Second
		*to = &d
	}
	return ch, all.Err()
}

// maxSentSources is the maximum number of sources read from a form. It is more than a feed can
// have, so that all are shown again with the error.
const maxSentSources = 2 * linnet.MaxFeedSources

// sentSources reads the chosen sources with their amounts.
func sentSources(c *page.Context) (all []linnet.FeedSource, err error) {
	amounts, before := c.Request.PostForm["amount"], append(c.Request.PostForm["was"], make([]string, maxSentSources)...)
	for i, key := range c.Request.PostForm["source"] {
		src, ok := parseSource(key)
		if i == maxSentSources || !ok {
			return all, linnet.FieldError("sources", "ERR_INVALID", "include %q, which isn't available. Remove it", ui.Truncate(key, 100))
		}
		src.Weight = 1
		if i < len(amounts) {
			if src.Weight, err = sentAmount(amounts[i], before[i]); err != nil {
				return all, err
			}
		}
		all = append(all, linnet.FeedSource(src))
	}
	return all, nil
}

// SourcesWrong returns the error of the sources.
func (m ownFeedForm) SourcesWrong() string { return m.Errors["sources"] }

// createdLists returns the lists that the reader has created.
func (h *Pages) createdLists(c *page.Context) ([]linnet.List, error) {
	all, err := h.Lists.Lists(c.Request.Context(), c.Me.ID)
	if err != nil {
		return nil, fmt.Errorf("read lists: %w", err)
	}
	return slices.DeleteFunc(all, func(l linnet.List) bool { return l.Kind != linnet.OwnList }), nil
}

package web

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"linnet/internal/linnet"
)

func ownFeedRoutes() []route {
	return []route{
		{pattern: "/feeds", get: own((*call).ownFeeds)},
		{pattern: "/feeds/new", get: own((*call).newOwnFeed), post: own((*call).createOwnFeed)},
		{pattern: "/feeds/{id}", get: own((*call).ownFeed)},
		{pattern: "/feeds/{id}/edit", get: own((*call).editOwnFeed), post: own((*call).changeOwnFeed)},
		{pattern: "/feeds/{id}/delete", post: own((*call).deleteOwnFeed)},
	}
}

func (c *call) ownFeeds() error {
	all, err := c.svc.Discovery.OwnFeeds(c.r.Context(), c.me.ID)
	if err != nil {
		return fmt.Errorf("read feeds: %w", err)
	}
	return c.render(http.StatusOK, page{Title: "Feeds", Here: "/lists", Body: ownFeedsView(all)})
}

// ownFeedHere is the reader's feed that the path names.
func (c *call) ownFeedHere() (linnet.OwnFeed, error) {
	id, ok := linnet.ParseID(c.r.PathValue("id"))
	if !ok {
		return linnet.OwnFeed{}, errNowhere()
	}
	f, err := c.svc.Discovery.OwnFeed(c.r.Context(), c.me.ID, id)
	if err != nil {
		return f, fmt.Errorf("look up a feed: %w", err)
	}
	return f, nil
}

type ownFeedPage struct {
	rankedPart
	Feed linnet.OwnFeed
}

func (c *call) ownFeed() error {
	f, err := c.ownFeedHere()
	if err != nil {
		return err
	}
	r, err := c.svc.Discovery.OwnFeedTimeline(c.r.Context(), c.me.ID, f.ID, c.askedRank())
	if linnet.KindOf(err) == linnet.Invalid { // a cursor that nobody gave
		return c.seeOther("/feeds/" + f.ID.String())
	}
	if err != nil {
		return fmt.Errorf("read a feed: %w", err)
	}
	return c.render(http.StatusOK, page{Title: f.Title, Here: "/lists", Body: ownFeedView(c, ownFeedPage{
		c.ranked(r, empty{"rank", "Nothing here yet", "What comes from its sources stands here."}), f})})
}

// ownFeedForm is what the page of a form shows.
type ownFeedForm struct {
	Form   *form
	Delete *form          // nil: a new feed
	Feed   linnet.OwnFeed // of which only the title is known if it is new
}

func (c *call) newOwnFeed() error {
	f := linnet.OwnFeed{Weights: linnet.UsualWeights(), Window: linnet.FeedWindow, Sources: []linnet.FeedSource{{Kind: linnet.FromHome, Weight: 1}}}
	return c.showOwnFeedForm(f, nil)
}

func (c *call) editOwnFeed() error {
	f, err := c.ownFeedHere()
	if err != nil {
		return err
	}
	return c.showOwnFeedForm(f, nil)
}

// showOwnFeedForm shows the form of a feed, with what was wrong when it was sent.
func (c *call) showOwnFeedForm(f linnet.OwnFeed, wrong error) error {
	lines, err := c.sourceLines(f.Sources)
	if err != nil {
		return err
	}
	path, button := "/feeds/new", "Make the feed"
	if f.ID != 0 {
		path, button = "/feeds/"+f.ID.String()+"/edit", "Save the feed"
	}
	number := func(name, label string, n float64) field {
		return field{Kind: lineField, Name: name, Label: label, Value: strconv.FormatFloat(n, 'f', -1, 64)}
	}
	form := c.form(path, button,
		field{Kind: lineField, Name: "title", Label: "Name", Value: f.Title, Required: true},
		field{Kind: areaField, Name: "sources", Label: "Where it comes from", Value: lines, Rows: 5,
			Hint: "One to a line, at most 5: home, local, list and its name, #tag or @name. A number behind it, 0.1 to 10, says how much it counts."},
		number("favourites", "What a favourite adds", f.Weights.Favourites), number("reblogs", "What a boost adds", f.Weights.Reposts),
		field{Kind: lineField, Name: "replies", Label: "What a reply adds", Value: strconv.FormatFloat(f.Weights.Replies, 'f', -1, 64),
			Hint: "0 to 100. Replies count for no more than there are favourites and boosts."},
		field{Kind: selectField, Name: "half_life", Label: "Votes are worth half after", Choices: spans(f.Weights.HalfLife, "Age does not matter")},
		field{Kind: selectField, Name: "window", Label: "Posts not older than", Choices: spans(f.Window, "")})
	p := ownFeedForm{Form: form, Feed: f}
	if f.ID != 0 {
		p.Delete = c.button("/feeds/"+f.ID.String()+"/delete", "Delete the feed", "")
		p.Delete.Grave = true
	}
	if wrong != nil && !form.refused(wrong, ownFeedFields()) {
		return wrong
	}
	title := "New feed"
	if f.ID != 0 {
		title = "Change " + f.Title
	}
	return c.render(form.code(), page{Title: title, Here: "/lists", Body: ownFeedFormView(p)})
}

// ownFeedFields names a feed's inputs in sentences.
func ownFeedFields() map[string]formField {
	return map[string]formField{"title": {"title", "The name"}, "sources": {"sources", "The sources"}, "weights.favourites": {"favourites", "It"},
		"weights.reblogs": {"reblogs", "It"}, "weights.replies": {"replies", "It"}, "weights.half_life": {"half_life", "It"}, "window": {"window", "It"}}
}

// spans are lengths of time to choose from, that of now among them; none stands for 0.
func spans(now time.Duration, none string) (out []choice) {
	all := []time.Duration{time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour, 3 * 24 * time.Hour, 7 * 24 * time.Hour, 30 * 24 * time.Hour}
	if none != "" {
		out = append(out, choice{"0", none, now == 0})
	}
	found := now == 0 && none != ""
	for _, d := range all {
		out, found = append(out, choice{strconv.Itoa(int(d / time.Second)), spanWords(d), d == now}), found || d == now
	}
	if !found { // set by an app
		out = append(out, choice{strconv.Itoa(int(now / time.Second)), spanWords(now), true})
	}
	return out
}

func spanWords(d time.Duration) string {
	switch {
	case d == 24*time.Hour:
		return "a day"
	case d%(24*time.Hour) == 0:
		return strconv.Itoa(int(d/(24*time.Hour))) + " days"
	case d == time.Hour:
		return "an hour"
	case d%time.Hour == 0:
		return strconv.Itoa(int(d/time.Hour)) + " hours"
	}
	return d.String()
}

func (c *call) createOwnFeed() error {
	change, err := c.sentOwnFeed()
	var f linnet.OwnFeed
	if err == nil {
		f, err = c.svc.Discovery.CreateOwnFeed(c.r.Context(), c.me.ID, change)
	}
	if err != nil {
		return c.showOwnFeedForm(linnet.OwnFeed{Window: linnet.FeedWindow}, err)
	}
	return c.seeOther("/feeds/" + f.ID.String())
}

func (c *call) changeOwnFeed() error {
	f, err := c.ownFeedHere()
	if err != nil {
		return err
	}
	change, err := c.sentOwnFeed()
	if err == nil {
		_, err = c.svc.Discovery.UpdateOwnFeed(c.r.Context(), c.me.ID, f.ID, change)
	}
	if err != nil {
		return c.showOwnFeedForm(f, err)
	}
	return c.seeOther("/feeds/" + f.ID.String())
}

func (c *call) deleteOwnFeed() error {
	f, err := c.ownFeedHere()
	if err != nil {
		return err
	}
	if err := c.svc.Discovery.DeleteOwnFeed(c.r.Context(), c.me.ID, f.ID); err != nil {
		return fmt.Errorf("delete a feed: %w", err)
	}
	return c.seeOther("/feeds")
}

// sentOwnFeed reads the form of a feed.
func (c *call) sentOwnFeed() (ch linnet.OwnFeedChange, err error) {
	title := c.typed("title")
	ch.Title = &title
	for name, to := range map[string]**float64{"favourites": &ch.Favourites, "reblogs": &ch.Reposts, "replies": &ch.Replies} {
		x, err := strconv.ParseFloat(strings.Replace(c.typed(name), ",", ".", 1), 64)
		if err != nil {
			return ch, linnet.FieldError("weights."+name, "ERR_INVALID", "is %q: give a number from 0 to %v", c.typed(name), linnet.MaxVoteWeight)
		}
		*to = &x
	}
	for name, to := range map[string]**time.Duration{"half_life": &ch.HalfLife, "window": &ch.Window} {
		n, _ := strconv.ParseInt(c.typed(name), 10, 32) // what is none, the service refuses as too short
		d := time.Duration(n) * time.Second
		*to = &d
	}
	sources, err := c.sentSources()
	ch.Sources = &sources
	return ch, err
}

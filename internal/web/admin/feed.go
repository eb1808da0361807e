package admin

import (
	"strconv"
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/web/form"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/wording"
)

// feeds lists the external feeds. It has the form of their settings for readers who may change them.
func (h *Pages) feeds(c *page.Context) (*form.Page, error) {
	ctx := c.Request.Context()
	all, next, err := h.Outside.List(ctx, c.Actor(), c.Request.URL.Query().Get("after"), linnet.MaxPage)
	if err != nil {
		return nil, err
	}
	t := &form.Table{Caption: c.Tr("External feeds"), Head: []string{c.TrIn("noun", "Feed"), c.Tr("Status"), c.Tr("Followers"), c.Tr("Next fetch")}, Empty: c.Tr("No feeds have been added.")}
	for i := range all {
		f := &all[i]
		t.Rows = append(t.Rows, []form.Cell{form.LinkCell("@"+f.Account.Login, feedPath(f)).With(form.TextCell(f.URL)), feedStatus(c, &f.OutsideFeed), form.CountCell(f.Account.Followers), form.TimeCell(f.Next)})
	}
	list := form.Section{Table: t}
	if next != "" {
		list.Older = paths.AdminFeeds + "?after=" + next
	}
	p := &form.Page{Title: c.Tr("External feeds"), Path: paths.AdminFeeds, Lead: c.Tr("Feeds of other sites that members follow like accounts. To add one, search for its address."), Parts: []form.Section{list}}
	if !c.May(linnet.ManageSettings) {
		return p, nil
	}
	set, err := h.Outside.Settings(ctx)
	if err != nil {
		return nil, err
	}
	p.Form = form.New(c, paths.AdminFeeds, c.Tr("Save"),
		form.Field{Kind: form.SelectField, Name: "who", Label: c.Tr("Who can add feeds"), Choices: form.Options(string(set.Who), string(linnet.FeedsByMembers), c.Tr("All members"), string(linnet.FeedsByModerators), c.Tr("Moderators"), string(linnet.FeedsOff), c.Tr("Off: no feeds are added or fetched"))},
		form.Field{Kind: form.NumberField, Name: "per_member", Label: c.Tr("Maximum feeds per member"), Value: strconv.Itoa(set.PerMember), Most: linnet.MaxOutsideFeeds, Half: true},
		form.Field{Kind: form.NumberField, Name: "total", Label: c.Tr("Maximum feeds on this server"), Value: strconv.Itoa(set.Total), Most: linnet.MaxOutsideFeeds},
		form.Field{Kind: form.AreaField, Name: "blocked", Label: c.Tr("Blocked hosts"), Value: strings.Join(set.Blocked, "\n"), Rows: 4, Hint: c.Tr("One host per line, such as example.org. Feeds of these hosts and their subdomains can't be added and are no longer fetched.")})
	p.Parts = append(p.Parts, form.Section{Title: c.Tr("Settings"), Form: p.Form})
	return p, nil
}

// saveFeeds changes the settings for external feeds.
func (h *Pages) saveFeeds(c *page.Context) (string, error) {
	errs := page.FieldErrors{}
	perMember, total := form.Number(c, "per_member", errs), form.Number(c, "total", errs)
	if len(errs) > 0 {
		return "", errs
	}
	return form.Saved(paths.AdminFeeds), h.Outside.ChangeSettings(c.Request.Context(), c.Actor(), func(s *linnet.OutsideFeedSettings) {
		s.Who, s.PerMember, s.Total, s.Blocked = linnet.FeedAdders(c.Typed("who")), perMember, total, strings.Fields(c.Typed("blocked"))
	})
}

// feedStatus describes the state of a feed, and the problem of the last request.
func feedStatus(c *page.Context, f *linnet.OutsideFeed) form.Cell {
	words := c.Tr("Works")
	switch f.State() {
	case linnet.FeedEnded:
		words = c.Tr("Ended")
	case linnet.FeedFailing:
		words = c.Trn(int64(f.Failures), "%s failure", "%s failures")
	case linnet.FeedPaused:
		words = c.Tr("Paused: no followers")
	case linnet.FeedOK:
		if f.Tried.IsZero() {
			words = c.Tr("Not fetched yet")
		}
	}
	out := form.MessageCell(words)
	if f.Problem != "" {
		out = out.With(form.MessageCell(c.Message(wording.Message(f.Problem))))
	}
	return out
}

func feedPath(f *linnet.OutsideFeedView) string { return paths.AdminFeeds + "/" + f.User.String() }

// feed is the page of an external feed, where staff fetch or delete it.
func (h *Pages) feed(c *page.Context) (*form.Page, error) {
	id, ok := linnet.ParseID(c.Request.PathValue("id"))
	if !ok {
		return nil, page.NotFound()
	}
	f, err := h.Outside.ByID(c.Request.Context(), c.Actor(), id)
	if err != nil {
		return nil, err
	}
	who := form.MessageCell(c.Tr("command line"))
	if f.By != 0 {
		who = accountCell(c, f.AddedBy)
	}
	fetch := form.Button(c, feedPath(&f), c.Tr("Fetch now"), "", "do", "fetch")
	away := form.New(c, feedPath(&f), c.Tr("Delete"))
	away.Label, away.Hidden, away.Grave = c.Tr("Delete %s", "@"+f.Account.Login), [][2]string{{"do", "delete"}}, true
	facts := []form.Fact{{Name: c.Tr("Account"), Is: accountCell(c, &f.Account)}, {Name: c.Tr("Address"), Is: form.TextCell(f.URL)}, {Name: c.Tr("Site"), Is: form.TextCell(f.Site)},
		{Name: c.Tr("Status"), Is: feedStatus(c, &f.OutsideFeed)}, {Name: c.Tr("Followers"), Is: form.CountCell(f.Account.Followers)}, {Name: c.Tr("Last fetched"), Is: form.TimeCell(f.Fetched)},
		{Name: c.Tr("Next fetch"), Is: form.Cell{Time: f.Next, Forms: []*form.Form{fetch}}}, {Name: c.Tr("Added by"), Is: who}}
	if f.Hub != nil {
		facts = append(facts, form.Fact{Name: c.TrIn("of a feed", "Hub"), Is: form.TextCell(f.Hub.URL)}, form.Fact{Name: c.Tr("Subscribed until"), Is: form.TimeCell(f.Hub.Expires)})
	}
	return &form.Page{Title: f.Account.Name, Path: paths.AdminFeeds, Back: &form.Link{Path: paths.AdminFeeds, Text: c.Tr("All external feeds")}, Parts: []form.Section{
		{Facts: facts},
		{Title: c.Tr("Delete"), Text: c.Tr("Permanently deletes the account of the feed and all its posts. Members can add the feed again unless you block its host."), Form: away}}}, nil
}

// changeFeed fetches or deletes the feed in the path.
func (h *Pages) changeFeed(c *page.Context) (string, error) {
	id, ok := linnet.ParseID(c.Request.PathValue("id"))
	if !ok {
		return "", page.NotFound()
	}
	switch c.Typed("do") {
	case "fetch":
		return form.Saved(paths.AdminFeeds + "/" + id.String()), h.Outside.Fetch(c.Request.Context(), c.Actor(), id)
	case "delete":
		return form.Saved(paths.AdminFeeds), h.Outside.Remove(c.Request.Context(), c.Actor(), id)
	}
	return "", page.NotFound()
}

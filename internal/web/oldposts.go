package web

import (
	"strconv"

	"linnet/internal/linnet"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
)

// Automatic deletion of old posts.

func (h *settingsPages) oldPostsRoutes() []page.Route {
	return []page.Route{{Pattern: paths.OldPosts, Get: page.LoggedIn(h.oldPosts), Post: page.LoggedIn(h.chooseOldPosts)}}
}

// ageWords name an age that can be chosen.
func ageWords(c *page.Context, days int) string {
	switch days {
	case 7:
		return c.Tr("1 week")
	case 14:
		return c.Tr("2 weeks")
	case 365:
		return c.Tr("1 year")
	case 730:
		return c.Tr("2 years")
	}
	return c.Trn(int64((days+15)/30), "%s month", "%s months")
}

func oldPostsForm(c *page.Context, o linnet.OldPosts) *form {
	ages := []string{"0", c.Tr("Never: keep all posts")}
	for _, days := range linnet.OldPostsAges() {
		ages = append(ages, strconv.Itoa(days), c.Tr("After %s", ageWords(c, days)))
	}
	least := func(n int) string {
		if n == 0 {
			return ""
		}
		return strconv.Itoa(n)
	}
	return startForm(c, paths.OldPosts, c.Tr("Save"),
		field{Kind: headField, Name: "when", Label: c.Tr("Delete")},
		field{Kind: selectField, Name: "days", Label: c.Tr("Delete your posts and boosts"), Choices: pick(strconv.Itoa(o.Days), ages...)},
		field{Kind: headField, Name: "kept", Label: c.Tr("Exceptions")},
		field{Kind: checkField, Name: "pinned", Label: c.Tr("Keep pinned posts"), On: o.Pinned},
		field{Kind: checkField, Name: "direct", Label: c.Tr("Keep direct messages"), On: o.Direct},
		field{Kind: checkField, Name: "favourited", Label: c.Tr("Keep posts you've favourited"), On: o.Favourited},
		field{Kind: checkField, Name: "bookmarked", Label: c.Tr("Keep posts you've bookmarked"), On: o.Bookmarked},
		field{Kind: checkField, Name: "polls", Label: c.Tr("Keep polls"), On: o.Polls},
		field{Kind: checkField, Name: "media", Label: c.Tr("Keep posts with media"), On: o.Media},
		field{Kind: lineField, Name: "favourites", Label: c.Tr("Keep posts with at least this many favourites"), Value: least(o.Favourites), Hint: c.Tr("Leave empty to ignore favourites.")},
		field{Kind: lineField, Name: "reposts", Label: c.Tr("Keep posts with at least this many boosts"), Value: least(o.Reposts), Hint: c.Tr("Leave empty to ignore boosts.")})
}

func (h *settingsPages) oldPosts(c *page.Context) error {
	o, deleted, err := h.posting.Old.Choice(c.Request.Context(), c.Me.ID)
	if err != nil {
		return err
	}
	return showOldPosts(c, o, deleted, oldPostsForm(c, o))
}

func showOldPosts(c *page.Context, now linnet.OldPosts, deleted int64, f *form) error {
	state := c.Tr("Posts are never deleted automatically")
	if now.Days != 0 {
		state = c.Tr("Posts are deleted after %s", ageWords(c, now.Days))
	}
	facts := []fact{{c.Tr("Current setting"), textCell(state)}}
	if deleted > 0 {
		facts = append(facts, fact{c.Tr("Deleted so far"), countCell(deleted)})
	}
	return showSettings(c, f.code(), c.Tr("Old posts"), paths.OldPosts, formPage{
		Lead: c.Tr("We can delete your posts automatically when they reach a certain age. This can't be undone. To keep a copy, download your archive first."),
		Parts: []formSection{{Facts: facts, Links: []navLink{{Path: paths.Export, Text: c.Tr("Download archive")}}},
			{Title: c.Tr("Change"), Text: c.Tr("We start ten minutes after you save and delete up to fifty posts a minute, oldest first. If an exception no longer applies, we delete the post within a week."), Form: f}}})
}

func (h *settingsPages) chooseOldPosts(c *page.Context) error {
	now, deleted, err := h.posting.Old.Choice(c.Request.Context(), c.Me.ID)
	if err != nil {
		return err
	}
	o := linnet.OldPosts{Pinned: *ticked(c, "pinned"), Direct: *ticked(c, "direct"), Favourited: *ticked(c, "favourited"),
		Bookmarked: *ticked(c, "bookmarked"), Polls: *ticked(c, "polls"), Media: *ticked(c, "media")}
	errs := page.FieldErrors{}
	o.Days, o.Favourites, o.Reposts = numberTyped(c, "days", errs), numberTyped(c, "favourites", errs), numberTyped(c, "reposts", errs)
	if len(errs) > 0 {
		f := oldPostsForm(c, o)
		f.refill(c.Request.PostForm, errs)
		return showOldPosts(c, now, deleted, f)
	}
	if err := h.posting.Old.Choose(c.Request.Context(), c.Me.ID, o); err != nil {
		if f := oldPostsForm(c, o); f.refused(err, nil) {
			return showOldPosts(c, now, deleted, f)
		}
		return err
	}
	return saved(c, paths.OldPosts)
}

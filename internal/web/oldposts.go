package web

import (
	"strconv"

	"linnet/internal/linnet"
	"linnet/internal/web/paths"
)

// Automatic deletion of old posts.

func (h *settingsPages) oldPostsRoutes() []route {
	return []route{{pattern: paths.OldPosts, get: own(h.oldPosts), post: own(h.chooseOldPosts)}}
}

// ageWords name an age that can be chosen.
func ageWords(c *call, days int) string {
	switch days {
	case 7:
		return c.tr("1 week")
	case 14:
		return c.tr("2 weeks")
	case 365:
		return c.tr("1 year")
	case 730:
		return c.tr("2 years")
	}
	return c.trn(int64((days+15)/30), "%s month", "%s months")
}

func oldPostsForm(c *call, o linnet.OldPosts) *form {
	ages := []string{"0", c.tr("Never: keep all posts")}
	for _, days := range linnet.OldPostsAges() {
		ages = append(ages, strconv.Itoa(days), c.tr("After %s", ageWords(c, days)))
	}
	least := func(n int) string {
		if n == 0 {
			return ""
		}
		return strconv.Itoa(n)
	}
	return startForm(c, paths.OldPosts, c.tr("Save"),
		field{Kind: headField, Name: "when", Label: c.tr("Delete")},
		field{Kind: selectField, Name: "days", Label: c.tr("Delete your posts and boosts"), Choices: pick(strconv.Itoa(o.Days), ages...)},
		field{Kind: headField, Name: "kept", Label: c.tr("Exceptions")},
		field{Kind: checkField, Name: "pinned", Label: c.tr("Keep pinned posts"), On: o.Pinned},
		field{Kind: checkField, Name: "direct", Label: c.tr("Keep direct messages"), On: o.Direct},
		field{Kind: checkField, Name: "favourited", Label: c.tr("Keep posts you've favourited"), On: o.Favourited},
		field{Kind: checkField, Name: "bookmarked", Label: c.tr("Keep posts you've bookmarked"), On: o.Bookmarked},
		field{Kind: checkField, Name: "polls", Label: c.tr("Keep polls"), On: o.Polls},
		field{Kind: checkField, Name: "media", Label: c.tr("Keep posts with media"), On: o.Media},
		field{Kind: lineField, Name: "favourites", Label: c.tr("Keep posts with at least this many favourites"), Value: least(o.Favourites), Hint: c.tr("Leave empty to ignore favourites.")},
		field{Kind: lineField, Name: "reposts", Label: c.tr("Keep posts with at least this many boosts"), Value: least(o.Reposts), Hint: c.tr("Leave empty to ignore boosts.")})
}

func (h *settingsPages) oldPosts(c *call) error {
	o, deleted, err := h.posting.Old.Choice(c.r.Context(), c.me.ID)
	if err != nil {
		return err
	}
	return showOldPosts(c, o, deleted, oldPostsForm(c, o))
}

func showOldPosts(c *call, now linnet.OldPosts, deleted int64, f *form) error {
	state := c.tr("Posts are never deleted automatically")
	if now.Days != 0 {
		state = c.tr("Posts are deleted after %s", ageWords(c, now.Days))
	}
	facts := []fact{{c.tr("Current setting"), textCell(state)}}
	if deleted > 0 {
		facts = append(facts, fact{c.tr("Deleted so far"), countCell(deleted)})
	}
	return showSettings(c, f.code(), c.tr("Old posts"), paths.OldPosts, formPage{
		Lead: c.tr("We can delete your posts automatically when they reach a certain age. This can't be undone. To keep a copy, download your archive first."),
		Parts: []formSection{{Facts: facts, Links: []navLink{{Path: paths.Export, Text: c.tr("Download archive")}}},
			{Title: c.tr("Change"), Text: c.tr("We start ten minutes after you save and delete up to fifty posts a minute, oldest first. If an exception no longer applies, we delete the post within a week."), Form: f}}})
}

func (h *settingsPages) chooseOldPosts(c *call) error {
	now, deleted, err := h.posting.Old.Choice(c.r.Context(), c.me.ID)
	if err != nil {
		return err
	}
	o := linnet.OldPosts{Pinned: *ticked(c, "pinned"), Direct: *ticked(c, "direct"), Favourited: *ticked(c, "favourited"),
		Bookmarked: *ticked(c, "bookmarked"), Polls: *ticked(c, "polls"), Media: *ticked(c, "media")}
	errs := fieldErrors{}
	o.Days, o.Favourites, o.Reposts = numberTyped(c, "days", errs), numberTyped(c, "favourites", errs), numberTyped(c, "reposts", errs)
	if len(errs) > 0 {
		f := oldPostsForm(c, o)
		f.refill(c.r.PostForm, errs)
		return showOldPosts(c, now, deleted, f)
	}
	if err := h.posting.Old.Choose(c.r.Context(), c.me.ID, o); err != nil {
		if f := oldPostsForm(c, o); f.refused(err, nil) {
			return showOldPosts(c, now, deleted, f)
		}
		return err
	}
	return saved(c, paths.OldPosts)
}

package settings

import (
	"strconv"

	"linnet/internal/linnet"
	"linnet/internal/web/form"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
)

// ageWords returns an age in words.
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

// oldPosts is the page of the automatic deletion of old posts.
func (h *Pages) oldPosts(c *page.Context) (*form.Page, error) {
	o, deleted, err := h.Posting.Old.Choice(c.Request.Context(), c.Me.ID)
	if err != nil {
		return nil, err
	}
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
	f := form.New(c, paths.OldPosts, c.Tr("Save"),
		form.Field{Kind: form.HeadingField, Name: "when", Label: c.Tr("Delete")},
		form.Field{Kind: form.SelectField, Name: "days", Label: c.Tr("Delete your posts and boosts"), Choices: form.Options(strconv.Itoa(o.Days), ages...)},
		form.Field{Kind: form.HeadingField, Name: "kept", Label: c.Tr("Exceptions")},
		form.Field{Kind: form.CheckField, Name: "pinned", Label: c.Tr("Keep pinned posts"), On: o.Pinned},
		form.Field{Kind: form.CheckField, Name: "direct", Label: c.Tr("Keep direct messages"), On: o.Direct},
		form.Field{Kind: form.CheckField, Name: "favourited", Label: c.Tr("Keep posts you've favourited"), On: o.Favourited},
		form.Field{Kind: form.CheckField, Name: "bookmarked", Label: c.Tr("Keep posts you've bookmarked"), On: o.Bookmarked},
		form.Field{Kind: form.CheckField, Name: "polls", Label: c.Tr("Keep polls"), On: o.Polls},
		form.Field{Kind: form.CheckField, Name: "media", Label: c.Tr("Keep posts with media"), On: o.Media},
		form.Field{Kind: form.LineField, Name: "favourites", Label: c.Tr("Keep posts with at least this many favourites"), Value: least(o.Favourites), Hint: c.Tr("Leave empty to ignore favourites.")},
		form.Field{Kind: form.LineField, Name: "reposts", Label: c.Tr("Keep posts with at least this many boosts"), Value: least(o.Reposts), Hint: c.Tr("Leave empty to ignore boosts.")})
	state := c.Tr("Posts are never deleted automatically")
	if o.Days != 0 {
		state = c.Tr("Posts are deleted after %s", ageWords(c, o.Days))
	}
	facts := []form.Fact{{Name: c.Tr("Current setting"), Is: form.TextCell(state)}}
	if deleted > 0 {
		facts = append(facts, form.Fact{Name: c.Tr("Deleted so far"), Is: form.CountCell(deleted)})
	}
	return &form.Page{Title: c.Tr("Old posts"), Path: paths.OldPosts, Form: f,
		Lead: c.Tr("We can delete your posts automatically when they reach a certain age. This can't be undone. To keep a copy, download your archive first."),
		Parts: []form.Section{{Facts: facts, Links: []form.Link{{Path: paths.Export, Text: c.Tr("Download archive")}}},
			{Title: c.Tr("Change"), Text: c.Tr("Deletion starts ten minutes after you save this setting. Up to 50 posts are deleted per minute, oldest first. If an exception no longer applies to a post, we delete the post within a week."), Form: f}}}, nil
}

func (h *Pages) saveOldPosts(c *page.Context) (string, error) {
	errs := page.FieldErrors{}
	o := linnet.OldPosts{Days: form.Number(c, "days", errs), Pinned: *form.Checked(c, "pinned"), Direct: *form.Checked(c, "direct"), Favourited: *form.Checked(c, "favourited"),
		Bookmarked: *form.Checked(c, "bookmarked"), Polls: *form.Checked(c, "polls"), Media: *form.Checked(c, "media"),
		Favourites: form.Number(c, "favourites", errs), Reposts: form.Number(c, "reposts", errs)}
	if len(errs) > 0 {
		return "", errs
	}
	return form.Saved(paths.OldPosts), h.Posting.Old.Choose(c.Request.Context(), c.Me.ID, o)
}

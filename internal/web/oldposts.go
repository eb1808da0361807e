package web

import (
	"strconv"

	"linnet/internal/linnet"
)

// Automatic deletion of old posts.

const oldPostsPath = "/settings/old-posts"

func oldPostsRoutes() []route {
	return []route{{pattern: oldPostsPath, get: own((*call).oldPosts), post: own((*call).chooseOldPosts)}}
}

// ageWords name an age that can be chosen.
func (c *call) ageWords(days int) string {
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

func (c *call) oldPostsForm(o linnet.OldPosts) *form {
	ages := []string{"0", c.tr("Never: keep all posts")}
	for _, days := range linnet.OldPostsAges() {
		ages = append(ages, strconv.Itoa(days), c.tr("After %s", c.ageWords(days)))
	}
	least := func(n int) string {
		if n == 0 {
			return ""
		}
		return strconv.Itoa(n)
	}
	return c.form(oldPostsPath, c.tr("Save"),
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

func (c *call) oldPosts() error {
	o, deleted, err := c.svc.Posting.Old.Choice(c.r.Context(), c.me.ID)
	if err != nil {
		return err
	}
	return c.showOldPosts(o, deleted, c.oldPostsForm(o))
}

func (c *call) showOldPosts(now linnet.OldPosts, deleted int64, f *form) error {
	state := c.tr("Posts are never deleted automatically")
	if now.Days != 0 {
		state = c.tr("Posts are deleted after %s", c.ageWords(now.Days))
	}
	facts := []fact{{c.tr("Current setting"), textCell(state)}}
	if deleted > 0 {
		facts = append(facts, fact{c.tr("Deleted so far"), countCell(deleted)})
	}
	return c.showSettings(f.code(), c.tr("Old posts"), oldPostsPath, formPage{
		Lead: c.tr("We can delete your posts automatically when they reach a certain age. This can't be undone. To keep a copy, download your archive first."),
		Parts: []formSection{{Facts: facts, Links: []navLink{{Path: exportPath, Text: c.tr("Download archive")}}},
			{Title: c.tr("Change"), Text: c.tr("We start ten minutes after you save and delete up to fifty posts a minute, oldest first. If an exception no longer applies, we delete the post within a week."), Form: f}}})
}

func (c *call) chooseOldPosts() error {
	now, deleted, err := c.svc.Posting.Old.Choice(c.r.Context(), c.me.ID)
	if err != nil {
		return err
	}
	o := linnet.OldPosts{Pinned: *c.ticked("pinned"), Direct: *c.ticked("direct"), Favourited: *c.ticked("favourited"),
		Bookmarked: *c.ticked("bookmarked"), Polls: *c.ticked("polls"), Media: *c.ticked("media")}
	errs := fieldErrors{}
	o.Days, o.Favourites, o.Reposts = c.numberTyped("days", errs), c.numberTyped("favourites", errs), c.numberTyped("reposts", errs)
	if len(errs) > 0 {
		f := c.oldPostsForm(o)
		f.refill(c.r.PostForm, errs)
		return c.showOldPosts(now, deleted, f)
	}
	if err := c.svc.Posting.Old.Choose(c.r.Context(), c.me.ID, o); err != nil {
		if f := c.oldPostsForm(o); f.refused(err, nil) {
			return c.showOldPosts(now, deleted, f)
		}
		return err
	}
	return c.saved(oldPostsPath)
}

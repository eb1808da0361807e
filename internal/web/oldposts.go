package web

import (
	"strconv"

	"linnet/internal/linnet"
)

// Which of one's own posts go by themselves.

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
	ages := []string{"0", c.tr("Never: keep all of them")}
	for _, days := range linnet.OldPostsAges() {
		ages = append(ages, strconv.Itoa(days), c.tr("When they are %s old", c.ageWords(days)))
	}
	least := func(n int) string {
		if n == 0 {
			return ""
		}
		return strconv.Itoa(n)
	}
	return c.form(oldPostsPath, c.tr("Save"),
		field{Kind: headField, Name: "when", Label: c.tr("What is deleted")},
		field{Kind: selectField, Name: "days", Label: c.tr("Delete my posts and boosts"), Choices: pick(strconv.Itoa(o.Days), ages...)},
		field{Kind: headField, Name: "kept", Label: c.tr("What is kept")},
		field{Kind: checkField, Name: "pinned", Label: c.tr("Keep pinned posts"), On: o.Pinned},
		field{Kind: checkField, Name: "direct", Label: c.tr("Keep messages"), On: o.Direct},
		field{Kind: checkField, Name: "favourited", Label: c.tr("Keep posts that I have made a favourite"), On: o.Favourited},
		field{Kind: checkField, Name: "bookmarked", Label: c.tr("Keep posts that I have bookmarked"), On: o.Bookmarked},
		field{Kind: checkField, Name: "polls", Label: c.tr("Keep polls"), On: o.Polls},
		field{Kind: checkField, Name: "media", Label: c.tr("Keep posts with pictures or other media"), On: o.Media},
		field{Kind: lineField, Name: "favourites", Label: c.tr("Keep posts with at least so many favourites"), Value: least(o.Favourites), Hint: c.tr("Empty: however many they have.")},
		field{Kind: lineField, Name: "reposts", Label: c.tr("Keep posts boosted at least so many times"), Value: least(o.Reposts), Hint: c.tr("Empty: however often.")})
}

func (c *call) oldPosts() error {
	o, deleted, err := c.svc.Posting.Old.Choice(c.r.Context(), c.me.ID)
	if err != nil {
		return err
	}
	return c.showOldPosts(o, deleted, c.oldPostsForm(o))
}

func (c *call) showOldPosts(now linnet.OldPosts, deleted int64, f *form) error {
	state := c.tr("All posts are kept")
	if now.Days != 0 {
		state = c.tr("Posts are deleted when they are %s old", c.ageWords(now.Days))
	}
	facts := []fact{{c.tr("Now"), textCell(state)}}
	if deleted > 0 {
		facts = append(facts, fact{c.tr("Deleted so far"), countCell(deleted)})
	}
	return c.showSettings(f.code(), c.tr("Old posts"), oldPostsPath, formPage{
		Lead: c.tr("Your posts can be deleted by themselves when they are old. Nobody can bring them back: get your archive first if you want to keep them for yourself."),
		Parts: []formSection{{Facts: facts, Links: []navLink{{Path: exportPath, Text: c.tr("Get your archive")}}},
			{Title: c.tr("Change"), Text: c.tr("It begins ten minutes after you save, with the oldest, fifty a minute at most. Posts that you keep for a reason that ends go within a week."), Form: f}}})
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

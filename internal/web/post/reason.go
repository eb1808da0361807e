package post

import (
	"fmt"
	"slices"

	"github.com/a-h/templ"

	"linnet/internal/linnet"
	"linnet/internal/text"
	"linnet/internal/web/page"
	"linnet/internal/web/ui"
)

// OnlyForTag returns the statuses of the home timeline that are there for a followed tag and not
// for their author.
func (h *Pages) OnlyForTag(c *page.Context, posts []linnet.StatusView) (map[linnet.ID]string, error) {
	tags, err := h.Social.Tags.Names(c.Request.Context(), c.Me.ID)
	if err != nil || len(tags) == 0 {
		return nil, err
	}
	found, authors := map[linnet.ID]string{}, []linnet.ID(nil)
	for _, p := range posts {
		for _, t := range p.Tags {
			if p.Repost == nil && p.Author != c.Me.ID && slices.Contains(tags, text.FoldTag(t)) {
				found[p.ID], authors = t, append(authors, p.Author)
			}
		}
	}
	slices.Sort(authors)
	rels, err := h.Social.Relationships(c.Request.Context(), c.Me.ID, slices.Compact(authors))
	for _, r := range rels {
		if r.Following {
			for _, p := range posts {
				if p.Author == r.ID {
					delete(found, p.ID)
				}
			}
		}
	}
	return found, err
}

// ReasonForList returns the reason why statuses are in one of the reader's lists.
func (h *Pages) ReasonForList(c *page.Context, l linnet.List, posts []linnet.StatusView) (page.Reason, error) {
	y := page.Reason{List: l}
	switch {
	case l.Kind == linnet.OwnList:
		y.Source = "list"
	case l.Kind == linnet.GroupList:
		y.Source = "group"
	case l.ID == linnet.TopList:
		y.Source = "top"
		return y, h.addFollowees(c, &y, posts)
	}
	return y, nil
}

// addFollowees adds the reader's followees among the authors and voters of promoted statuses.
func (h *Pages) addFollowees(c *page.Context, y *page.Reason, posts []linnet.StatusView) error {
	var asked, followed []linnet.ID
	seen := map[linnet.ID]bool{c.Me.ID: true}
	for _, p := range posts {
		for _, id := range append([]linnet.ID{p.RepostAuthor}, p.Promoters...) {
			if !seen[id] {
				seen[id], asked = true, append(asked, id)
			}
		}
	}
	rels, err := h.Social.Relationships(c.Request.Context(), c.Me.ID, asked)
	if err != nil {
		return fmt.Errorf("read relations to voters: %w", err)
	}
	for _, r := range rels {
		if r.Following && !r.Muting {
			followed = append(followed, r.ID)
		}
	}
	users, err := h.View.Users(c.Request.Context(), c.Me.ID, followed)
	if err != nil {
		return fmt.Errorf("read voters: %w", err)
	}
	y.People = make(map[linnet.ID]linnet.UserView, len(users))
	for _, u := range users {
		y.People[u.ID] = u
	}
	return nil
}

// FollowsAuthor reports whether the reader follows the author, in "top".
func (r *Row) FollowsAuthor() bool {
	_, ok := r.Reason.People[r.S.Author]
	return ok
}

// Voters returns the reader's followees who recently voted for the row, in "top".
func (r *Row) Voters() (all []linnet.UserView) {
	for _, id := range r.promoters {
		if u, ok := r.Reason.People[id]; ok && id != r.S.Author {
			all = append(all, u)
		}
	}
	return all
}

// InGroup returns the group of a post for group members only, and nil for other posts.
func (r *Row) InGroup() *linnet.UserView {
	if !r.S.ForMembers() {
		return nil
	}
	return r.S.In
}

// TagHere returns the page's hashtag in the spelling of the row.
func (r *Row) TagHere() string {
	for _, t := range r.S.Tags {
		if text.FoldTag(t) == text.FoldTag(r.Reason.Tag) {
			return t
		}
	}
	return r.Reason.Tag
}

// whyTop returns the sentences about a promoted status.
func (r *Row) whyTop() []templ.Component {
	all := []templ.Component{ui.TrParts("This post has become popular.")}
	if r.FollowsAuthor() {
		all = append(all, ui.TrParts("You follow %s, who wrote this post.", ui.PersonPart(r.S.By.UserView)))
	}
	if voters := r.Voters(); len(voters) > 0 {
		all = append(all, ui.TrParts("You follow %s, who reacted to this post.", ui.AndParts(voters, ui.PersonPart)))
	}
	return all
}

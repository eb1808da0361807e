package people

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"linnet/internal/linnet"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// Row is a user in a list, see [Person].
type Row struct {
	C   *page.Context
	Who linnet.UserView
	Rel *linnet.Relationship // nil without a login, and for the reader
	Why string               // why the user is suggested; "" for none
}

// peoplePage is a list of people.
type peoplePage struct {
	Heading string
	Whose   *linnet.UserView // whose page it is; nil for none
	Tabs    []ui.Tab
	People  []Row
	Pager   ui.Pager
	Empty   ui.Empty
}

// Rows returns users for a list, with the reader's relations to them.
func (h *Pages) Rows(c *page.Context, users []linnet.UserView) ([]Row, error) {
	rows := make([]Row, len(users))
	var ids []linnet.ID
	for i, u := range users {
		rows[i] = Row{C: c, Who: u}
		if c.Me != nil && u.ID != c.Me.ID {
			ids = append(ids, u.ID)
		}
	}
	if len(ids) == 0 {
		return rows, nil
	}
	rels, err := h.Social.Relationships(c.Request.Context(), c.Me.ID, ids)
	if err != nil {
		return nil, fmt.Errorf("read relations: %w", err)
	}
	byID := make(map[linnet.ID]*linnet.Relationship, len(rels))
	for i := range rels {
		byID[rels[i].ID] = &rels[i]
	}
	for i := range rows {
		rows[i].Rel = byID[rows[i].Who.ID]
	}
	return rows, nil
}

// people reads a page of users and shows it.
func (h *Pages) people(c *page.Context, p page.Page, main peoplePage, read func(linnet.Page) (linnet.Slice[linnet.UserView], error)) error {
	q := c.PageQuery(linnet.MaxPage)
	users, err := read(q)
	if err != nil {
		return fmt.Errorf("read a list of accounts: %w", err)
	}
	if page.AtTop(q, len(users.Items)) {
		return c.Redirect(c.WithCursor("", ""))
	}
	if main.People, err = h.Rows(c, users.Items); err != nil {
		return err
	}
	main.Pager = c.Pager(q, users.First, users.Last)
	p.Body = peopleView(main)
	return c.Render(http.StatusOK, p)
}

// Followers shows the followers of a user.
func (h *Pages) Followers(c *page.Context) error {
	who, err := h.personHere(c, "/followers")
	if who == nil {
		return err
	}
	if who.Group != linnet.NoGroup {
		return c.Redirect(paths.Group(who.Login) + "/members")
	}
	heading := c.Tr("Followers of %s", ui.DisplayName(*who))
	return h.people(c, page.Page{Title: heading},
		peoplePage{Heading: heading, Whose: who, Tabs: networkTabs(c, *who, "/followers", mayHaveCommon(c, who.ID)),
			Empty: ui.Empty{Icon: "people", Title: c.Tr("No results"), Text: c.Tr("No followers yet, or you can't see them.")}},
		func(q linnet.Page) (linnet.Slice[linnet.UserView], error) {
			return h.View.Followers(c.Request.Context(), c.Viewer(), who.ID, q)
		})
}

// Following shows the accounts that a user follows.
func (h *Pages) Following(c *page.Context) error {
	who, err := h.personHere(c, "/following")
	if who == nil {
		return err
	}
	if who.Group != linnet.NoGroup {
		return c.Redirect("/@" + url.PathEscape(who.Login))
	}
	heading := c.Tr("People followed by %s", ui.DisplayName(*who))
	return h.people(c, page.Page{Title: heading},
		peoplePage{Heading: heading, Whose: who, Tabs: networkTabs(c, *who, "/following", mayHaveCommon(c, who.ID)),
			Empty: ui.Empty{Icon: "people", Title: c.Tr("No results"), Text: c.Tr("Not following anyone yet, or you can't see them.")}},
		func(q linnet.Page) (linnet.Slice[linnet.UserView], error) {
			return h.View.Following(c.Request.Context(), c.Viewer(), who.ID, q)
		})
}

// mayHaveCommon reports whether the reader can have followers in common with a user.
func mayHaveCommon(c *page.Context, who linnet.ID) bool { return c.Me != nil && c.Me.ID != who }

// Known shows the followers of a user that the reader follows.
func (h *Pages) Known(c *page.Context) error {
	return h.common(c, "/known", h.View.CommonFollowers, func(who linnet.UserView, total int64) (heading string, none ui.Empty) {
		return c.Trn(total, "%s follower of %s that you know", "%s followers of %s that you know", ui.DisplayName(who)),
			ui.Empty{Icon: "people", Title: c.Tr("No results"), Text: c.Tr("No one you follow follows this account, or its followers are hidden.")}
	})
}

// BothFollow shows the accounts that both a person and the reader follow.
func (h *Pages) BothFollow(c *page.Context) error {
	return h.common(c, "/both", h.View.CommonFollowing, func(who linnet.UserView, total int64) (heading string, none ui.Empty) {
		return c.Trn(total, "%s account that you and %s follow", "%s accounts that you and %s follow", ui.DisplayName(who)),
			ui.Empty{Icon: "people", Title: c.Tr("No results"), Text: c.Tr("You don't follow any of the same accounts, or the list is hidden.")}
	})
}

// common shows accounts that the reader and a person have in common. says returns the heading for a
// number of accounts, and the text of an empty page.
func (h *Pages) common(c *page.Context, path string, read func(ctx context.Context, me, of linnet.ID, p linnet.Page) (linnet.Slice[linnet.UserView], int, error),
	says func(who linnet.UserView, total int64) (string, ui.Empty)) error {
	who, err := h.personHere(c, path)
	if who == nil {
		return err
	}
	if who.Group != linnet.NoGroup || !mayHaveCommon(c, who.ID) {
		return c.Redirect("/@" + url.PathEscape(who.Login))
	}
	q := c.PageQuery(linnet.MaxPage)
	users, total, err := read(c.Request.Context(), c.Me.ID, who.ID, q)
	if err != nil {
		return page.OrNotFound(err, "read accounts in common")
	}
	if page.AtTop(q, len(users.Items)) {
		return c.Redirect(c.WithCursor("", ""))
	}
	m := peoplePage{Whose: who, Tabs: networkTabs(c, *who, path, true), Pager: c.Pager(q, users.First, users.Last)}
	m.Heading, m.Empty = says(*who, int64(total))
	if m.People, err = h.Rows(c, users.Items); err != nil {
		return err
	}
	return c.Render(http.StatusOK, page.Page{Title: m.Heading, Body: peopleView(m)})
}

// FavouritedBy shows the users who favourited a status.
func (h *Pages) FavouritedBy(c *page.Context) error {
	st, err := h.Posts.StatusInPath(c)
	if err != nil {
		return err
	}
	return h.people(c, page.Page{Title: c.Tr("Favourites")}, peoplePage{Heading: c.Tr("Favourited by"),
		Empty: ui.Empty{Icon: "star", Title: c.Tr("No one yet"), Text: c.Tr("Favourite a post to thank its author.")}},
		func(q linnet.Page) (linnet.Slice[linnet.UserView], error) {
			return h.Posting.Marks.FavouritedBy(c.Request.Context(), c.Viewer(), st.ID, q)
		})
}

// BoostedBy shows the users who boosted a status.
func (h *Pages) BoostedBy(c *page.Context) error {
	st, err := h.Posts.StatusInPath(c)
	if err != nil {
		return err
	}
	return h.people(c, page.Page{Title: c.Tr("Boosts")}, peoplePage{Heading: c.Tr("Boosted by"),
		Empty: ui.Empty{Icon: "boost", Title: c.Tr("No one yet"), Text: c.Tr("A boost shows the post to the booster's followers.")}},
		func(q linnet.Page) (linnet.Slice[linnet.UserView], error) {
			return h.Posting.Marks.RepostedBy(c.Request.Context(), c.Viewer(), st.ID, q)
		})
}

// requests shows pending follow requests to the reader.
func (h *Pages) requests(c *page.Context) error {
	return h.people(c, page.Page{Title: c.Tr("Follow requests"), Here: "/requests"},
		peoplePage{Heading: c.Tr("Follow requests"), Empty: ui.Empty{Icon: "people", Title: c.Tr("No requests"), Text: c.Tr("People who request to follow you appear here.")}},
		func(q linnet.Page) (linnet.Slice[linnet.UserView], error) {
			return h.Social.FollowRequests(c.Request.Context(), c.Me.ID, q)
		})
}

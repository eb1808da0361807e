package timeline

import (
	"fmt"
	"slices"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/web/page"
	"linnet/internal/web/people"
)

const (
	welcomeAge     = 7 * 24 * time.Hour // age of an account up to which it is welcomed
	welcomeFollows = 5                  // number of followed users from which it isn't welcomed
	welcomeCookie  = "welcomed"         // id of the reader who has closed the welcome
)

// welcome helps a new member: it shows their inviter, users to follow, and links to their profile.
type welcome struct {
	Inviter *people.Row // nil for none
	People  []people.Row
	Carried *linnet.CollectionView // collection of the invitation; nil for none
}

// welcomed reports whether the home page welcomes the reader if they were invited.
func welcomed(c *page.Context) bool {
	return c.Me.Role == linnet.Member && c.Opts.Now().Sub(c.Me.ID.Time()) < welcomeAge && c.Me.Following < welcomeFollows && page.Cookie(c, welcomeCookie) != c.Me.ID.String()
}

// welcome reads the welcome of a member who signed up with an invitation; nil for others. It fills
// up suggestions from the directory.
func (h *Pages) welcome(c *page.Context) (*welcome, error) {
	ctx := c.Request.Context()
	invite, invited, err := h.Invites.Used(ctx, c.Me.ID)
	if err != nil {
		return nil, fmt.Errorf("look up the invitation: %w", err)
	}
	if !invited {
		return nil, nil
	}
	inviter, w := invite.By, &welcome{}
	if w.Carried, err = h.View.FindCollection(ctx, c.Me.ID, invite.Collection); err != nil {
		return nil, fmt.Errorf("read the collection of an invitation: %w", err)
	}
	var users []linnet.UserView
	add := func(u linnet.UserView) {
		if u.ID != c.Me.ID && !slices.ContainsFunc(users, func(other linnet.UserView) bool { return other.ID == u.ID }) {
			users = append(users, u)
		}
	}
	if inviter != 0 {
		u, err := h.View.User(ctx, c.Me.ID, inviter)
		switch {
		case err == nil && !u.Hidden():
			add(u)
		case err != nil && !page.IsKind(err, linnet.NotFound):
			return nil, fmt.Errorf("look up the inviter: %w", err)
		}
	}
	suggested, err := h.Discovery.Suggestions(ctx, c.Me.ID, welcomeFollows+1)
	if err != nil {
		return nil, fmt.Errorf("read suggestions: %w", err)
	}
	for _, s := range suggested {
		add(s.UserView)
	}
	if len(users) <= welcomeFollows { // one can be the inviter
		listed, err := h.Discovery.Directory(ctx, c.Me.ID, linnet.DirectoryQuery{Limit: 2 * welcomeFollows})
		if err != nil {
			return nil, fmt.Errorf("read the directory: %w", err)
		}
		for _, u := range listed {
			add(u)
		}
	}
	rows, err := h.People.Rows(c, users)
	if err != nil {
		return nil, err
	}
	for i, r := range rows {
		switch {
		case r.Who.ID == inviter:
			w.Inviter = &rows[i]
		case len(w.People) < welcomeFollows && r.Rel != nil && !r.Rel.Following && !r.Rel.Requested && !r.Rel.Blocking:
			w.People = append(w.People, r)
		}
	}
	return w, nil
}

// closeWelcome hides the welcome in this browser.
func closeWelcome(c *page.Context) error {
	c.SetCookie(welcomeCookie, c.Me.ID.String(), welcomeAge)
	return c.Redirect("/")
}

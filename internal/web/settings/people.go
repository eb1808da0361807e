package settings

import (
	"context"

	"linnet/internal/linnet"
	"linnet/internal/web/form"
	"linnet/internal/web/page"
	"linnet/internal/web/ui"
)

func personCell(c *page.Context, u *linnet.UserView) form.Cell {
	if u == nil {
		return form.TextCell(c.Tr("deleted account"))
	}
	return form.LinkCell(ui.DisplayName(*u)+" (@"+u.Login+")", "/@"+u.Login)
}

func (h *Pages) mutes(c *page.Context) (*form.Page, error) {
	list, err := h.Social.Mutes(c.Request.Context(), c.Me.ID, form.ListPage(c))
	if err != nil {
		return nil, err
	}
	t := &form.Table{Caption: c.Tr("Muted accounts"), Head: []string{c.Tr("Who"), c.Tr("Expires"), ""}, Empty: c.Tr("You haven't muted anyone.")}
	for _, m := range list.Items {
		until := form.TextCell(c.Tr("never"))
		if !m.Until.IsZero() {
			until = form.TimeCell(m.Until)
		}
		t.Rows = append(t.Rows, []form.Cell{personCell(c, &m.UserView), until,
			{Forms: []*form.Form{form.Button(c, "/settings/mutes", c.Tr("Unmute"), c.Tr("Unmute %s", "@"+m.Login), "user", m.ID.String())}}})
	}
	return &form.Page{Title: c.Tr("Muted accounts"), Path: "/settings/mutes",
		Lead: c.Tr("Posts from muted accounts don't appear in your timelines. We don't notify the accounts you mute."), Parts: []form.Section{{Table: t, Older: form.OlderPath(c, list.Last)}}}, nil
}

func (h *Pages) blocks(c *page.Context) (*form.Page, error) {
	list, err := h.Social.Blocks(c.Request.Context(), c.Me.ID, form.ListPage(c))
	if err != nil {
		return nil, err
	}
	t := &form.Table{Caption: c.Tr("Blocked accounts"), Head: []string{c.Tr("Who"), ""}, Empty: c.Tr("You haven't blocked anyone.")}
	for _, u := range list.Items {
		t.Rows = append(t.Rows, []form.Cell{personCell(c, &u), {Forms: []*form.Form{form.Button(c, "/settings/blocks", c.Tr("Unblock"), c.Tr("Unblock %s", "@"+u.Login), "user", u.ID.String())}}})
	}
	return &form.Page{Title: c.Tr("Blocked accounts"), Path: "/settings/blocks",
		Lead: c.Tr("You and the accounts you block don't see each other's posts."), Parts: []form.Section{{Table: t, Older: form.OlderPath(c, list.Last)}}}, nil
}

// undo returns the function of a page's buttons that undo the relation to an account.
func undo(path string, end func(ctx context.Context, me, who linnet.ID) (linnet.Relationship, error)) form.Save {
	return func(c *page.Context) (string, error) {
		id, ok := linnet.ParseID(c.Typed("user"))
		if !ok {
			return "", page.NotFound()
		}
		_, err := end(c.Request.Context(), c.Me.ID, id)
		return form.Saved(path), err
	}
}

// apps lists the apps with access to the reader's account.
func (h *Pages) apps(c *page.Context) (*form.Page, error) {
	all, err := h.Identity.Sessions(c.Request.Context(), c.Me.ID)
	if err != nil {
		return nil, err
	}
	t := &form.Table{Caption: c.Tr("Apps"), Head: []string{c.Tr("App"), c.Tr("Permissions"), c.Tr("Since"), ""}, Empty: c.Tr("No apps have access to your account.")}
	for _, s := range all {
		if s.Web {
			continue
		}
		name := s.Client.Name
		if name == "" {
			name = c.Tr("Unnamed app")
		}
		may := ""
		for i, p := range ui.Powers(s.Scopes) {
			if i > 0 {
				may += "; "
			}
			may += c.Tr(p.Words)
		}
		t.Rows = append(t.Rows, []form.Cell{form.TextCell(name), form.TextCell(may), form.TimeCell(s.Created),
			{Forms: []*form.Form{form.Button(c, "/settings/apps", c.Tr("Revoke"), c.Tr("Revoke access for %s", name), "session", s.ID)}}})
	}
	return &form.Page{Title: c.Tr("Apps"), Path: "/settings/apps", Lead: c.Tr("Apps you've authorized can access your account until you revoke their access."), Parts: []form.Section{{Table: t}}}, nil
}

func (h *Pages) revokeApp(c *page.Context) (string, error) {
	err := h.Identity.EndSession(c.VisitorContext(), c.Me.ID, c.Typed("session"))
	if page.IsKind(err, linnet.NotFound) { // the session has ended already
		err = nil
	}
	return form.Saved("/settings/apps"), err
}

package settings

import (
	"net/http"

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

func (h *Pages) mutes(c *page.Context) error {
	list, err := h.Social.Mutes(c.Request.Context(), c.Me.ID, form.ListPage(c))
	if err != nil {
		return err
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
	return form.ShowSettings(c, http.StatusOK, c.Tr("Muted accounts"), "/settings/mutes", form.Page{
		Lead: c.Tr("You won't see their posts. They aren't notified."), Parts: []form.Section{{Table: t, Older: form.OlderPath(c, list.Last)}}})
}

func (h *Pages) blocks(c *page.Context) error {
	list, err := h.Social.Blocks(c.Request.Context(), c.Me.ID, form.ListPage(c))
	if err != nil {
		return err
	}
	t := &form.Table{Caption: c.Tr("Blocked accounts"), Head: []string{c.Tr("Who"), ""}, Empty: c.Tr("You haven't blocked anyone.")}
	for _, u := range list.Items {
		t.Rows = append(t.Rows, []form.Cell{personCell(c, &u), {Forms: []*form.Form{form.Button(c, "/settings/blocks", c.Tr("Unblock"), c.Tr("Unblock %s", "@"+u.Login), "user", u.ID.String())}}})
	}
	return form.ShowSettings(c, http.StatusOK, c.Tr("Blocked accounts"), "/settings/blocks", form.Page{
		Lead: c.Tr("You won't see each other."), Parts: []form.Section{{Table: t, Older: form.OlderPath(c, list.Last)}}})
}

func (h *Pages) endMute(c *page.Context) error {
	return endRelationship(c, "/settings/mutes", func(id linnet.ID) error {
		_, err := h.Social.Unmute(c.Request.Context(), c.Me.ID, id)
		return err
	})
}

func (h *Pages) endBlock(c *page.Context) error {
	return endRelationship(c, "/settings/blocks", func(id linnet.ID) error {
		_, err := h.Social.Unblock(c.Request.Context(), c.Me.ID, id)
		return err
	})
}

// endRelationship undoes an action on the user in the form.
func endRelationship(c *page.Context, path string, undo func(linnet.ID) error) error {
	id, ok := linnet.ParseID(c.Typed("user"))
	if !ok {
		return page.NotFound()
	}
	if err := undo(id); err != nil {
		return err
	}
	return form.Saved(c, path)
}

// apps lists the apps with access to the reader's account.
func (h *Pages) apps(c *page.Context) error {
	all, err := h.Identity.Sessions(c.Request.Context(), c.Me.ID)
	if err != nil {
		return err
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
	return form.ShowSettings(c, http.StatusOK, c.Tr("Apps"), "/settings/apps", form.Page{
		Lead: c.Tr("Apps you've authorized can access your account until you revoke their access."), Parts: []form.Section{{Table: t}}})
}

func (h *Pages) endApp(c *page.Context) error {
	err := h.Identity.EndSession(c.VisitorContext(), c.Me.ID, c.Typed("session"))
	if err != nil && !page.IsKind(err, linnet.NotFound) {
		return err // the session may have ended already
	}
	return form.Saved(c, "/settings/apps")
}

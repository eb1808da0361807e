package web

import (
	"net/http"

	"linnet/internal/linnet"
	"linnet/internal/web/ui"
)

// listPage is the page of a list that the address asks for.
func tablePage(c *call) linnet.Page {
	return linnet.Page{Max: linnet.Cursor(c.r.URL.Query().Get("max_id")), Limit: linnet.MaxPage}
}

func personCell(c *call, u *linnet.UserView) cell {
	if u == nil {
		return textCell(c.tr("deleted account"))
	}
	return linkCell(ui.DisplayName(*u)+" (@"+u.Login+")", "/@"+u.Login)
}

func (h *settingsPages) mutes(c *call) error {
	list, err := h.social.Mutes(c.r.Context(), c.me.ID, tablePage(c))
	if err != nil {
		return err
	}
	t := &table{Caption: c.tr("Muted accounts"), Head: []string{c.tr("Who"), c.tr("Expires"), ""}, Empty: c.tr("You haven't muted anyone.")}
	for _, m := range list.Items {
		until := textCell(c.tr("never"))
		if !m.Until.IsZero() {
			until = timeCell(m.Until)
		}
		t.Rows = append(t.Rows, []cell{personCell(c, &m.UserView), until,
			{Forms: []*form{button(c, "/settings/mutes", c.tr("Unmute"), c.tr("Unmute %s", "@"+m.Login), "user", m.ID.String())}}})
	}
	return showSettings(c, http.StatusOK, c.tr("Muted accounts"), "/settings/mutes", formPage{
		Lead: c.tr("You won't see their posts. They aren't notified."), Parts: []formSection{{Table: t, Older: older(c, list.Last)}}})
}

func (h *settingsPages) blocks(c *call) error {
	list, err := h.social.Blocks(c.r.Context(), c.me.ID, tablePage(c))
	if err != nil {
		return err
	}
	t := &table{Caption: c.tr("Blocked accounts"), Head: []string{c.tr("Who"), ""}, Empty: c.tr("You haven't blocked anyone.")}
	for _, u := range list.Items {
		t.Rows = append(t.Rows, []cell{personCell(c, &u), {Forms: []*form{button(c, "/settings/blocks", c.tr("Unblock"), c.tr("Unblock %s", "@"+u.Login), "user", u.ID.String())}}})
	}
	return showSettings(c, http.StatusOK, c.tr("Blocked accounts"), "/settings/blocks", formPage{
		Lead: c.tr("You won't see each other."), Parts: []formSection{{Table: t, Older: older(c, list.Last)}}})
}

func (h *settingsPages) endMute(c *call) error {
	return endRelationship(c, "/settings/mutes", func(id linnet.ID) error {
		_, err := h.social.Unmute(c.r.Context(), c.me.ID, id)
		return err
	})
}

func (h *settingsPages) endBlock(c *call) error {
	return endRelationship(c, "/settings/blocks", func(id linnet.ID) error {
		_, err := h.social.Unblock(c.r.Context(), c.me.ID, id)
		return err
	})
}

// endRelationship undoes an action on the user in the form.
func endRelationship(c *call, path string, undo func(linnet.ID) error) error {
	id, ok := linnet.ParseID(c.typed("user"))
	if !ok {
		return errNowhere()
	}
	if err := undo(id); err != nil {
		return err
	}
	return saved(c, path)
}

// apps lists what acts for the reader besides browsers.
func (h *settingsPages) apps(c *call) error {
	all, err := h.identity.Sessions(c.r.Context(), c.me.ID)
	if err != nil {
		return err
	}
	t := &table{Caption: c.tr("Apps"), Head: []string{c.tr("App"), c.tr("Permissions"), c.tr("Since"), ""}, Empty: c.tr("No apps have access to your account.")}
	for _, s := range all {
		if s.Web {
			continue
		}
		name := s.Client.Name
		if name == "" {
			name = c.tr("Unnamed app")
		}
		may := ""
		for i, p := range powers(s.Scopes) {
			if i > 0 {
				may += "; "
			}
			may += c.tr(p.Words)
		}
		t.Rows = append(t.Rows, []cell{textCell(name), textCell(may), timeCell(s.Created),
			{Forms: []*form{button(c, "/settings/apps", c.tr("Revoke"), c.tr("Revoke access for %s", name), "session", s.ID)}}})
	}
	return showSettings(c, http.StatusOK, c.tr("Apps"), "/settings/apps", formPage{
		Lead: c.tr("Apps you've authorized can access your account until you revoke their access."), Parts: []formSection{{Table: t}}})
}

func (h *settingsPages) endApp(c *call) error {
	err := h.identity.EndSession(c.visiting(), c.me.ID, c.typed("session"))
	if err != nil && !isKind(err, linnet.NotFound) {
		return err // one that has ended already is as was wished
	}
	return saved(c, "/settings/apps")
}

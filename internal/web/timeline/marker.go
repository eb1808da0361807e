package timeline

import (
	"fmt"

	"linnet/internal/linnet"
	"linnet/internal/web/page"
)

// readTo returns the reader's position in the home timeline; 0 for none.
func (h *Pages) readTo(c *page.Context) (linnet.ID, error) {
	m, err := h.Reading.Markers(c.Request.Context(), c.Me.ID, []linnet.MarkerTimeline{linnet.MarkerHome})
	if err != nil {
		return 0, fmt.Errorf("read the reading position: %w", err)
	}
	return m[linnet.MarkerHome].LastRead, nil
}

// lineAbove returns the status below the line of the read position: the newest read status, if the
// page has unread ones. It returns 0 for none.
func lineAbove(posts []linnet.StatusView, read linnet.ID) linnet.ID {
	for i, s := range posts {
		if s.ID <= read {
			if i == 0 {
				return 0
			}
			return s.ID
		}
	}
	return 0
}

// markRead stores the position in the home timeline. It never moves back, so that an old window
// can't undo it.
func (h *Pages) markRead(c *page.Context) error {
	id, ok := linnet.ParseID(c.Typed("home"))
	if !ok {
		return &page.Error{Code: 400, Msg: "This form doesn't say how far you've read."}
	}
	read, err := h.readTo(c)
	if err != nil {
		return err
	}
	if id > read {
		_, err = h.Reading.SaveMarkers(c.Request.Context(), c.Me.ID, map[linnet.MarkerTimeline]linnet.ID{linnet.MarkerHome: id})
		if err != nil && !page.IsKind(err, linnet.Conflict) { // another window was faster
			return fmt.Errorf("save the reading position: %w", err)
		}
	}
	return c.Redirect("/")
}

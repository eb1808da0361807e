package timeline

import (
	"fmt"
	"net/http"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/posting"
	"linnet/internal/web/compose"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
)

type deletionPage struct{ Status linnet.StatusView }

// ownInPath returns the status in the path if the reader is the author.
func (h *Pages) ownInPath(c *page.Context) (linnet.StatusView, error) {
	st, err := h.PostPages.StatusInPath(c)
	if err == nil && st.Author != c.Me.ID {
		return st, page.NotFound()
	}
	return st, err
}

// DeletionForm asks the reader to confirm the deletion of a status.
func (h *Pages) DeletionForm(c *page.Context) error {
	st, err := h.ownInPath(c)
	if err != nil {
		return err
	}
	return c.Render(http.StatusOK, page.Page{Title: c.Tr("Delete post"), Body: deletionView(c, deletionPage{st})})
}

// DeleteStatus deletes a status, and redirects to the page it was on.
func (h *Pages) DeleteStatus(c *page.Context) error {
	st, err := h.ownInPath(c)
	if err != nil {
		return err
	}
	if err := c.CountAs(core.RateDelete); err != nil {
		return err
	}
	if _, err := h.Posting.DeleteStatus(c.Request.Context(), c.Me.ID, st.ID); err != nil {
		return fmt.Errorf("delete a status: %w", err)
	}
	if st.Visibility == linnet.Direct && st.Group == 0 {
		return c.Redirect(h.afterMessage(c, st))
	}
	return c.Redirect("/@" + st.By.Login)
}

// afterMessage returns the path to show after the deletion of a message: the conversation, if it
// has other messages.
func (h *Pages) afterMessage(c *page.Context, st linnet.StatusView) string {
	v, err := h.Posting.Conversation(c.Request.Context(), c.Me.ID, posting.ConversationOf(c.Me.ID, &st.Status))
	if err != nil {
		return paths.Messages
	}
	return compose.ConversationPath(c, v)
}

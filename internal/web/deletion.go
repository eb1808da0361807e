package web

import (
	"fmt"
	"net/http"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/posting"
	"linnet/internal/web/paths"
)

type deletionPage struct{ Status linnet.StatusView }

// ownInPath is the status in the path, if the reader wrote it.
func (h *timelinePages) ownInPath(c *call) (linnet.StatusView, error) {
	st, err := h.postPages.statusInPath(c)
	if err == nil && st.Author != c.me.ID {
		return st, errNowhere()
	}
	return st, err
}

// deletionForm asks before a status is deleted.
func (h *timelinePages) deletionForm(c *call) error {
	st, err := h.ownInPath(c)
	if err != nil {
		return err
	}
	return c.render(http.StatusOK, page{Title: c.tr("Delete post"), Body: deletionView(c, deletionPage{st})})
}

func (h *timelinePages) deleteStatus(c *call) error {
	st, err := h.ownInPath(c)
	if err != nil {
		return err
	}
	if err := c.countAs(core.RateDelete); err != nil {
		return err
	}
	if _, err := h.posting.DeleteStatus(c.r.Context(), c.me.ID, st.ID); err != nil {
		return fmt.Errorf("delete a status: %w", err)
	}
	if st.Visibility == linnet.Direct && st.Group == 0 {
		return c.seeOther(h.afterMessage(c, st))
	}
	return c.seeOther("/@" + st.By.Login)
}

// afterMessage is where a deleted message leads to: the conversation, if something is left of it.
func (h *timelinePages) afterMessage(c *call, st linnet.StatusView) string {
	v, err := h.posting.Conversation(c.r.Context(), c.me.ID, posting.ConversationOf(c.me.ID, &st.Status))
	if err != nil {
		return paths.Messages
	}
	return conversationPath(c, v)
}

package web

import (
	"fmt"
	"net/http"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/posting"
)

type deletionPage struct{ Status linnet.StatusView }

// ownInPath is the status in the path, if the reader wrote it.
func (c *call) ownInPath() (linnet.StatusView, error) {
	st, err := c.statusInPath()
	if err == nil && st.Author != c.me.ID {
		return st, errNowhere()
	}
	return st, err
}

// deletionForm asks before a status is deleted.
func (c *call) deletionForm() error {
	st, err := c.ownInPath()
	if err != nil {
		return err
	}
	return c.render(http.StatusOK, page{Title: c.tr("Delete post"), Body: deletionView(c, deletionPage{st})})
}

func (c *call) deleteStatus() error {
	st, err := c.ownInPath()
	if err != nil {
		return err
	}
	if err := c.countAs(core.RateDelete); err != nil {
		return err
	}
	if _, err := c.svc.Posting.DeleteStatus(c.r.Context(), c.me.ID, st.ID); err != nil {
		return fmt.Errorf("delete a status: %w", err)
	}
	if st.Visibility == linnet.Direct && st.Group == 0 {
		return c.seeOther(c.afterMessage(st))
	}
	return c.seeOther("/@" + st.By.Login)
}

// afterMessage is where a deleted message leads to: the conversation, if something is left of it.
func (c *call) afterMessage(st linnet.StatusView) string {
	v, err := c.svc.Posting.Conversation(c.r.Context(), c.me.ID, posting.ConversationOf(c.me.ID, &st.Status))
	if err != nil {
		return messagesPath
	}
	return c.conversationPath(v)
}

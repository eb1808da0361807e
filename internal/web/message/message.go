package message

import (
	"fmt"
	"net/http"

	"linnet/internal/linnet"
	"linnet/internal/web/compose"
	"linnet/internal/web/group"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// partnersOf returns the other participants of a conversation, or none if all are deleted.
func partnersOf(v linnet.ConversationView) []linnet.UserView {
	if v.Deserted {
		return nil
	}
	return sharedPeople(v.People)
}

// conversationList is the list of the reader's conversations.
type conversationList struct {
	All   []linnet.ConversationView
	Joins map[linnet.ID]*group.JoinRequest // by newest message; requests to join groups, and invitations
	Open  linnet.ID                        // the conversation next to it; 0 for none
	Pager ui.Pager
}

// messages shows the list of conversations.
func (h *Pages) messages(c *page.Context) error {
	q := c.PageQuery(linnet.DefaultPage)
	list, err := h.conversationList(c, q, 0)
	if err != nil {
		return err
	}
	if page.AtTop(q, len(list.All)) {
		return c.Redirect(paths.Messages)
	}
	return c.Render(http.StatusOK, page.Page{Title: c.Tr("Messages"), Here: paths.Messages, Wide: true, Body: messagesView(c, list)})
}

// conversationList reads a part of the list. open is the conversation next to it, or 0.
func (h *Pages) conversationList(c *page.Context, q linnet.Page, open linnet.ID) (conversationList, error) {
	all, err := h.Posting.Conversations.List(c.Request.Context(), c.Me.ID, q)
	if err != nil {
		return conversationList{}, fmt.Errorf("read conversations: %w", err)
	}
	l := conversationList{All: all.Items, Open: open}
	if open == 0 {
		l.Pager = c.Pager(q, all.First, all.Last)
	} else if all.Last != "" { // the list continues on its own page
		l.Pager.Older = paths.Messages + "?max_id=" + string(all.Last)
	}
	var newest []*linnet.StatusView
	for _, v := range l.All {
		if v.Status != nil && v.ID != open {
			newest = append(newest, v.Status)
		}
	}
	if l.Joins, err = h.Groups.JoinRequests(c, newest); err != nil {
		return l, err
	}
	return l, nil
}

// conversationHere returns the reader's conversation in the path.
func (h *Pages) conversationHere(c *page.Context) (linnet.ConversationView, error) {
	id, ok := linnet.ParseID(c.Request.PathValue("id"))
	if !ok {
		return linnet.ConversationView{}, page.NotFound()
	}
	v, err := h.Posting.Conversations.Get(c.Request.Context(), c.Me.ID, id)
	if err != nil {
		return v, fmt.Errorf("look up a conversation: %w", err)
	}
	return v, nil
}

func (h *Pages) conversation(c *page.Context) error {
	if id, ok := linnet.ParseID(c.Request.URL.Query().Get("message")); ok {
		return h.openMessage(c, id)
	}
	v, err := h.conversationHere(c)
	if err != nil {
		return err
	}
	if path := compose.ConversationPath(c, v); path != c.Request.URL.Path {
		return c.Redirect(path)
	}
	t := conversationPage{c: c, Conversation: &v}
	t.With = partnersOf(v)
	return h.showMessages(c, t, func(q linnet.Page) (linnet.Slice[linnet.StatusView], error) {
		return h.Posting.Conversations.Statuses(c.Request.Context(), c.Me.ID, v.ID, q)
	})
}

// openMessage redirects to the conversation in the path, or to the message's own page if the reader
// has removed the conversation since.
func (h *Pages) openMessage(c *page.Context, id linnet.ID) error {
	ctx := c.Request.Context()
	conversation, _ := linnet.ParseID(c.Request.PathValue("id"))
	found, err := h.Posting.Conversations.Statuses(ctx, c.Me.ID, conversation, linnet.Page{Max: linnet.CursorOf(id + 1), Limit: 1})
	switch {
	case err != nil && !page.IsKind(err, linnet.NotFound):
		return fmt.Errorf("find a message in its conversation: %w", err)
	case len(found.Items) > 0 && found.Items[0].ID == id:
		return c.Redirect(c.Request.URL.Path)
	}
	st, err := h.View.Status(ctx, c.Me.ID, id)
	if err != nil {
		return fmt.Errorf("look up a message: %w", err)
	}
	return c.Redirect(paths.Post(st))
}

// seeConversation marks an opened conversation as read. It is called before the messages are read,
// so that a message that arrives in between makes it unread again.
func (h *Pages) seeConversation(c *page.Context, v *linnet.ConversationView, q linnet.Page) error {
	if v == nil || !v.Unread || q.Max != "" || q.Min != "" || !page.IsRead(c.Request) {
		return nil
	}
	seen, err := h.Posting.Conversations.Mark(c.Request.Context(), c.Me.ID, v.ID, false)
	switch {
	case err == nil:
		*v = seen
	case page.Refusal(err) == nil:
		return fmt.Errorf("mark a conversation as read: %w", err)
	}
	return nil
}

// changeConversation marks a conversation as read or unread, or removes it from the reader's list.
func (h *Pages) changeConversation(c *page.Context) error {
	v, err := h.conversationHere(c)
	if err != nil {
		return err
	}
	path := compose.ConversationPath(c, v)
	switch c.Request.PostForm.Get("act") {
	case "read", "unread":
		_, err = h.Posting.Conversations.Mark(c.Request.Context(), c.Me.ID, v.ID, c.Request.PostForm.Get("act") == "unread")
		path = c.PreviousPage(path)
		if c.Request.PostForm.Get("act") == "unread" { // its page would mark it as read again
			path = paths.Messages
		}
	case "remove":
		err = h.Posting.Conversations.Delete(c.Request.Context(), c.Me.ID, v.ID)
		path = paths.Messages
	default:
		err = &page.Error{Code: http.StatusBadRequest, Msg: "The form is incomplete. Reload the page and try again.", Back: path, BackText: "Go to the conversation"}
	}
	if err != nil {
		return fmt.Errorf("change a conversation: %w", err)
	}
	return c.Redirect(path)
}

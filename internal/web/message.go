package web

import (
	"fmt"
	"net/http"

	"linnet/internal/linnet"
	"linnet/internal/posting"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

func (h *messagePages) messageRoutes() []route {
	return []route{
		{pattern: paths.Messages, get: own(h.messages)},
		{pattern: paths.NewMessage, get: own(h.newMessage)},
		{pattern: paths.Messages + "/{id}", get: own(h.conversation), post: own(h.changeConversation)},
	}
}

// conversationPath returns the path of a conversation. For a chat it is the group's page.
func conversationPath(c *call, v linnet.ConversationView) string {
	if isChat(c, v) {
		return paths.Person(v.People[0].Login)
	}
	return paths.Messages + "/" + v.ID.String()
}

// isChat reports whether a conversation is a chat, and not with the chat's account, which sends
// invitations and receives commands.
func isChat(c *call, v linnet.ConversationView) bool {
	return len(v.People) == 1 && v.People[0].Group == linnet.Chat && v.ID == posting.ConversationIn(c.me.ID, v.People[0].ID)
}

// partnersOf returns the other participants of a conversation, or none if all are deleted.
func partnersOf(v linnet.ConversationView) []linnet.UserView {
	if v.Deserted {
		return nil
	}
	return sharedPeople(v.People)
}

// talkList is the list of the reader's conversations.
type talkList struct {
	All   []linnet.ConversationView
	Open  linnet.ID // the conversation next to it; 0 for none
	Pager ui.Pager
}

// messages shows the list of conversations.
func (h *messagePages) messages(c *call) error {
	q := c.asked(linnet.DefaultPage)
	list, err := h.talkList(c, q, 0)
	if err != nil {
		return err
	}
	if atTop(q, len(list.All)) {
		return c.seeOther(paths.Messages)
	}
	return c.render(http.StatusOK, page{Title: c.tr("Messages"), Here: paths.Messages, Wide: true, Body: messagesView(c, list)})
}

// talkList reads a part of the list. open is the conversation next to it.
func (h *messagePages) talkList(c *call, q linnet.Page, open linnet.ID) (talkList, error) {
	all, err := h.posting.Conversations(c.r.Context(), c.me.ID, q)
	if err != nil {
		return talkList{}, fmt.Errorf("read conversations: %w", err)
	}
	l := talkList{All: all.Items, Open: open}
	if open == 0 {
		l.Pager = c.pagerOf(q, all.First, all.Last)
	} else if all.Last != "" { // the list continues on its own page
		l.Pager.Older = paths.Messages + "?max_id=" + string(all.Last)
	}
	return l, nil
}

// conversationHere is the reader's conversation that the path names.
func (h *messagePages) conversationHere(c *call) (linnet.ConversationView, error) {
	id, ok := linnet.ParseID(c.r.PathValue("id"))
	if !ok {
		return linnet.ConversationView{}, errNowhere()
	}
	v, err := h.posting.Conversation(c.r.Context(), c.me.ID, id)
	if err != nil {
		return v, fmt.Errorf("look up a conversation: %w", err)
	}
	return v, nil
}

func (h *messagePages) conversation(c *call) error {
	v, err := h.conversationHere(c)
	if err != nil {
		return err
	}
	if path := conversationPath(c, v); path != c.r.URL.Path {
		return c.seeOther(path)
	}
	t := talkPage{c: c, Conversation: &v}
	t.With = partnersOf(v)
	return h.talk(c, t, func(q linnet.Page) (linnet.Slice[linnet.StatusView], error) {
		return h.posting.ConversationStatuses(c.r.Context(), c.me.ID, v.ID, q)
	})
}

// seeConversation marks a conversation as read that its reader has opened. It comes before
// its messages are read: one that comes in between is unread again.
func (h *messagePages) seeConversation(c *call, v *linnet.ConversationView, q linnet.Page) error {
	if v == nil || !v.Unread || q.Max != "" || q.Min != "" || !isRead(c) {
		return nil
	}
	seen, err := h.posting.MarkConversation(c.r.Context(), c.me.ID, v.ID, false)
	switch {
	case err == nil:
		*v = seen
	case refusal(err) == nil:
		return fmt.Errorf("mark a conversation as read: %w", err)
	}
	return nil
}

// changeConversation marks a conversation as read or unread, or removes it from
// the reader's.
func (h *messagePages) changeConversation(c *call) error {
	v, err := h.conversationHere(c)
	if err != nil {
		return err
	}
	path := conversationPath(c, v)
	switch c.r.PostForm.Get("act") {
	case "read", "unread":
		_, err = h.posting.MarkConversation(c.r.Context(), c.me.ID, v.ID, c.r.PostForm.Get("act") == "unread")
		path = c.cameFrom(path)
		if c.r.PostForm.Get("act") == "unread" { // the page of it would mark it as read again
			path = paths.Messages
		}
	case "remove":
		err = h.posting.DeleteConversation(c.r.Context(), c.me.ID, v.ID)
		path = paths.Messages
	default:
		err = &httpError{code: http.StatusBadRequest, msg: "This form doesn't specify an action for the conversation.", back: path, text: "Go to the conversation"}
	}
	if err != nil {
		return fmt.Errorf("change a conversation: %w", err)
	}
	return c.seeOther(path)
}

package web

import (
	"fmt"
	"net/http"

	"linnet/internal/linnet"
)

func messageRoutes() []route {
	return []route{
		{pattern: "/messages", get: own((*call).messages)},
		{pattern: "/messages/{id}", get: own((*call).conversation), post: own((*call).changeConversation)},
	}
}

type messagesPage struct {
	Conversations []linnet.ConversationView
	Pager         pager
}

func (c *call) messages() error {
	q := c.asked(linnet.DefaultPage)
	all, err := c.svc.Posting.Conversations(c.r.Context(), c.me.ID, q)
	if err != nil {
		return fmt.Errorf("read conversations: %w", err)
	}
	if atTop(q, len(all.Items)) {
		return c.seeOther("/messages")
	}
	return c.render(http.StatusOK, page{Title: "Messages", Here: "/messages",
		Body: messagesView(c, messagesPage{all.Items, c.pagerOf(q, all.First, all.Last)})})
}

type conversationPage struct {
	Conversation linnet.ConversationView
	Posts        []linnet.StatusView
	Pager        pager
	Reply        *composeForm // nil if there is nothing to answer
}

// conversationHere is the reader's conversation that the path names.
func (c *call) conversationHere() (linnet.ConversationView, error) {
	id, ok := linnet.ParseID(c.r.PathValue("id"))
	if !ok {
		return linnet.ConversationView{}, errNowhere()
	}
	v, err := c.svc.Posting.Conversation(c.r.Context(), c.me.ID, id)
	if err != nil {
		return v, fmt.Errorf("look up a conversation: %w", err)
	}
	return v, nil
}

func (c *call) conversation() error {
	v, err := c.conversationHere()
	if err != nil {
		return err
	}
	q := c.asked(linnet.DefaultPage)
	// Before the messages are read: one that comes in between is unread again.
	if v.Unread && q.Max == "" && q.Min == "" && c.isRead() {
		seen, err := c.svc.Posting.MarkConversation(c.r.Context(), c.me.ID, v.ID, false)
		switch {
		case err == nil:
			v = seen
		case refusal(err) == nil:
			return fmt.Errorf("mark a conversation as read: %w", err)
		}
	}
	posts, err := c.svc.Posting.ConversationStatuses(c.r.Context(), c.me.ID, v.ID, q)
	if err != nil {
		return fmt.Errorf("read a conversation: %w", err)
	}
	if atTop(q, len(posts.Items)) {
		return c.seeOther(c.withCursor("", ""))
	}
	p := conversationPage{Conversation: v, Posts: visible(posts.Items), Pager: c.pagerOf(q, posts.First, posts.Last)}
	if v.Status != nil && q.Max == "" && q.Min == "" {
		f := c.replyForm(*v.Status)
		f.Visibility = linnet.Direct
		p.Reply = &f
	}
	return c.render(http.StatusOK, page{Title: "Messages", Here: "/messages", Writes: true, Body: conversationView(c, p)})
}

// changeConversation marks a conversation as read or unread, or removes it from
// the reader's.
func (c *call) changeConversation() error {
	v, err := c.conversationHere()
	if err != nil {
		return err
	}
	path := "/messages/" + v.ID.String()
	switch c.r.PostForm.Get("act") {
	case "read", "unread":
		_, err = c.svc.Posting.MarkConversation(c.r.Context(), c.me.ID, v.ID, c.r.PostForm.Get("act") == "unread")
		path = c.cameFrom(path)
		if c.r.PostForm.Get("act") == "unread" { // the page of it would mark it as read again
			path = "/messages"
		}
	case "remove":
		err = c.svc.Posting.DeleteConversation(c.r.Context(), c.me.ID, v.ID)
		path = "/messages"
	default:
		err = &httpError{code: http.StatusBadRequest, msg: "This form does not say what to do with the conversation.", back: path, text: "To the conversation"}
	}
	if err != nil {
		return fmt.Errorf("change a conversation: %w", err)
	}
	return c.seeOther(path)
}

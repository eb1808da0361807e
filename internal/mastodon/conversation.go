package mastodon

import "linnet/internal/linnet"

// oneConversation is a conversation as an answer.
type oneConversation struct {
	viewer linnet.ID
	view   *linnet.ConversationView
}

func (d oneConversation) write(a *API, w *buffer) { a.writeConversation(w, d.view, d.viewer) }

// conversationList is a list of conversations.
type conversationList struct {
	viewer linnet.ID
	views  []linnet.ConversationView
}

func (d conversationList) write(a *API, w *buffer) {
	writeList(w, d.views, func(v *linnet.ConversationView) { a.writeConversation(w, v, d.viewer) })
}

// conversationHead is the entity Conversation without accounts and last_status.
// https://docs.joinmastodon.org/entities/Conversation/
type conversationHead struct {
	ID     string `json:"id"`
	Unread bool   `json:"unread"`
}

func (a *API) writeConversation(w *buffer, v *linnet.ConversationView, viewer linnet.ID) {
	w.text("{")
	w.members(conversationHead{v.ID.String(), v.Unread})
	w.text(`,"accounts":[`)
	for i, by := range v.People {
		if i > 0 {
			w.text(",")
		}
		a.writeAccount(w, by)
	}
	w.text(`],"last_status":`)
	a.writeStatus(w, v.Status, viewer)
	w.text("}")
}

func (a *API) conversations(r *request) (any, error) {
	p := timelinePage(r.in)
	if err := r.in.err(); err != nil {
		return nil, err
	}
	s, err := a.svc.Posting.Conversations(r.Context(), r.me(), p)
	if err != nil {
		return nil, err
	}
	setLink(r, s.First, s.Next())
	return conversationList{r.me(), s.Items}, nil
}

func (a *API) deleteConversation(r *request) (any, error) {
	id, err := r.pathID()
	if err != nil {
		return nil, err
	}
	return empty{}, a.svc.Posting.DeleteConversation(r.Context(), r.me(), id)
}

func (a *API) readConversation(r *request) (any, error) { return a.markConversation(r, false) }

// unreadConversation is not in Mastodon's documents, but in its server.
func (a *API) unreadConversation(r *request) (any, error) { return a.markConversation(r, true) }

func (a *API) markConversation(r *request, unread bool) (any, error) {
	id, err := r.pathID()
	if err != nil {
		return nil, err
	}
	v, err := a.svc.Posting.MarkConversation(r.Context(), r.me(), id, unread)
	if err != nil {
		return nil, err
	}
	return oneConversation{r.me(), &v}, nil
}

// conversationStatuses is our own: all that is kept of a conversation, which no
// method of Mastodon's shows.
func (a *API) conversationStatuses(r *request) (any, error) {
	id, err := r.pathID()
	if err != nil {
		return nil, err
	}
	p := timelinePage(r.in)
	if err := r.in.err(); err != nil {
		return nil, err
	}
	s, err := a.svc.Posting.ConversationStatuses(r.Context(), r.me(), id, p)
	return a.statuses(r, s, err)
}

// directTimeline was removed from Mastodon in 3.0; clients still ask for it.
func (a *API) directTimeline(r *request) (any, error) {
	p := timelinePage(r.in)
	if err := r.in.err(); err != nil {
		return nil, err
	}
	s, err := a.svc.Posting.Directs(r.Context(), r.me(), p)
	return a.statuses(r, s, err)
}

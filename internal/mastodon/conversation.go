package mastodon

import (
	"linnet/internal/mastodon/wire"
)

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
	return wire.ConversationList{Viewer: r.me(), Views: s.Items}, nil
}

func (a *API) deleteConversation(r *request) (any, error) {
	id, err := r.pathID()
	if err != nil {
		return nil, err
	}
	return wire.Empty{}, a.svc.Posting.DeleteConversation(r.Context(), r.me(), id)
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
	return wire.OneConversation{Viewer: r.me(), View: &v}, nil
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

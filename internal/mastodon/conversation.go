package mastodon

import (
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
)

func (a *API) conversations(r *request.Request) (any, error) {
	p := request.TimelinePage(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	s, err := a.svc.Posting.Conversations(r.Context(), r.Viewer(), p)
	if err != nil {
		return nil, err
	}
	request.SetLink(r, s.First, s.Next())
	return wire.ConversationList{Viewer: r.Viewer(), Views: s.Items}, nil
}

func (a *API) deleteConversation(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	return wire.Empty{}, a.svc.Posting.DeleteConversation(r.Context(), r.Viewer(), id)
}

func (a *API) readConversation(r *request.Request) (any, error) { return a.markConversation(r, false) }

// unreadConversation is not in Mastodon's documents, but in its server.
func (a *API) unreadConversation(r *request.Request) (any, error) { return a.markConversation(r, true) }

func (a *API) markConversation(r *request.Request, unread bool) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	v, err := a.svc.Posting.MarkConversation(r.Context(), r.Viewer(), id, unread)
	if err != nil {
		return nil, err
	}
	return wire.OneConversation{Viewer: r.Viewer(), View: &v}, nil
}

// conversationStatuses is our own: all that is kept of a conversation, which no
// method of Mastodon's shows.
func (a *API) conversationStatuses(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	p := request.TimelinePage(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	s, err := a.svc.Posting.ConversationStatuses(r.Context(), r.Viewer(), id, p)
	return a.statuses(r, s, err)
}

// directTimeline was removed from Mastodon in 3.0; clients still ask for it.
func (a *API) directTimeline(r *request.Request) (any, error) {
	p := request.TimelinePage(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	s, err := a.svc.Posting.Directs(r.Context(), r.Viewer(), p)
	return a.statuses(r, s, err)
}

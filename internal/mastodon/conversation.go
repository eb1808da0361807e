package mastodon

import (
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
	"linnet/internal/posting"
)

// conversationHandler handles threads of direct messages.
// https://docs.joinmastodon.org/methods/conversations/
type conversationHandler struct {
	conversations *posting.Conversations
}

func (h *conversationHandler) routes() []request.Route {
	return []request.Route{
		request.Handle("GET /api/v1/conversations", request.User("read:statuses"), h.list),
		request.Handle("DELETE /api/v1/conversations/{id}", request.User("write:conversations"), h.delete),
		request.Handle("POST /api/v1/conversations/{id}/read", request.User("write:conversations"), h.read),
		request.Handle("POST /api/v1/conversations/{id}/unread", request.User("write:conversations"), h.unread),
		request.Handle("GET /api/v1/linnet/conversations/{id}/statuses", request.User("read:statuses"), h.statuses),
	}
}

func (h *conversationHandler) list(r *request.Request) (any, error) {
	p := request.TimelinePage(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	s, err := h.conversations.List(r.Context(), r.Viewer(), p)
	if err != nil {
		return nil, err
	}
	request.SetLink(r, s.First, s.Next())
	return wire.ConversationList{Viewer: r.Viewer(), Views: s.Items}, nil
}

func (h *conversationHandler) delete(r *request.Request) (any, error) {
	return request.DoByID(r, h.conversations.Delete)
}

func (h *conversationHandler) read(r *request.Request) (any, error) { return h.mark(r, false) }

// unread is undocumented, but Mastodon's server has it.
func (h *conversationHandler) unread(r *request.Request) (any, error) { return h.mark(r, true) }

func (h *conversationHandler) mark(r *request.Request, unread bool) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	v, err := h.conversations.Mark(r.Context(), r.Viewer(), id, unread)
	if err != nil {
		return nil, err
	}
	return wire.OneConversation{Viewer: r.Viewer(), View: &v}, nil
}

// statuses returns all statuses of a conversation. It is Linnet's own method.
func (h *conversationHandler) statuses(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	p := request.TimelinePage(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	s, err := h.conversations.Statuses(r.Context(), r.Viewer(), id, p)
	return request.Statuses(r, s, err)
}

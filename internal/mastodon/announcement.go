package mastodon

import (
	"linnet/internal/announcing"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
)

// announcementHandler handles announcements.
// https://docs.joinmastodon.org/methods/announcements/
type announcementHandler struct {
	enc        *wire.Encoder
	announcing *announcing.Service
}

func (h *announcementHandler) routes() []request.Route {
	return []request.Route{
		request.Handle("GET /api/v1/announcements", request.User(""), h.list),
		request.Handle("POST /api/v1/announcements/{id}/dismiss", request.User("write:accounts"), h.dismiss),
		request.Handle("PUT /api/v1/announcements/{id}/reactions/{name}", request.User("write:favourites"), h.react(true)),
		request.Handle("DELETE /api/v1/announcements/{id}/reactions/{name}", request.User("write:favourites"), h.react(false)),
	}
}

// list returns the current announcements.
func (h *announcementHandler) list(r *request.Request) (any, error) {
	all := r.In.Flag("with_dismissed")
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	vs, err := h.announcing.Shown(r.Context(), r.Viewer(), all)
	if err != nil {
		return nil, err
	}
	out := make([]wire.Announcement, len(vs))
	for i := range vs {
		out[i] = h.enc.Announcement(&vs[i])
		out[i].Read = &vs[i].Read
		for j := range vs[i].Reactions {
			out[i].Reactions[j].Me = &vs[i].Reactions[j].Me
		}
	}
	return out, nil
}

func (h *announcementHandler) dismiss(r *request.Request) (any, error) {
	return request.DoByID(r, h.announcing.Dismiss)
}

// react returns the handler that adds or removes a reaction.
func (h *announcementHandler) react(on bool) request.Handler {
	return func(r *request.Request) (any, error) {
		id, err := r.PathID()
		if err != nil {
			return nil, err
		}
		do := h.announcing.Unreact
		if on {
			do = h.announcing.React
		}
		return wire.Empty{}, do(r.Context(), r.Viewer(), id, r.PathValue("name"))
	}
}

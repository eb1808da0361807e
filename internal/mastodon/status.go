package mastodon

import (
	"context"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
	"linnet/internal/posting"
	"linnet/internal/reading"
	"linnet/internal/translation"
	"linnet/internal/view"
)

// statusHandler handles single statuses.
// https://docs.joinmastodon.org/methods/statuses/
type statusHandler struct {
	enc         *wire.Encoder
	view        *view.Service
	reading     *reading.Service
	posting     *posting.Service
	translation *translation.Service
}

func (h *statusHandler) routes() []request.Route {
	return []request.Route{
		request.Handle("POST /api/v1/statuses", request.User("write:statuses"), h.post),
		request.Handle("GET /api/v1/statuses", request.Anyone("read:statuses"), h.list),
		request.Handle("GET /api/v1/statuses/{id}", request.Anyone("read:statuses"), statusAct(h.view.Status)),
		request.Handle("PUT /api/v1/statuses/{id}", request.User("write:statuses"), h.edit),
		request.Handle("GET /api/v1/statuses/{id}/card", request.Anyone("read:statuses"), h.card),
		request.Handle("GET /api/v1/statuses/{id}/history", request.Anyone("read:statuses"), h.history),
		request.Handle("GET /api/v1/statuses/{id}/quotes", request.User("read:statuses"), h.quotes),
		request.Handle("POST /api/v1/statuses/{id}/quotes/{quoting}/revoke", request.User("write:statuses"), h.revokeQuote),
		request.Handle("PUT /api/v1/statuses/{id}/interaction_policy", request.User("write:statuses"), h.setInteractionPolicy),
		request.Handle("POST /api/v1/statuses/{id}/translate", request.User("read:statuses"), h.translate),
		request.Handle("GET /api/v1/statuses/{id}/source", request.User("read:statuses"), h.source),
		request.Handle("DELETE /api/v1/statuses/{id}", request.User("write:statuses"), h.delete).Limited(core.RateDelete),
		request.Handle("GET /api/v1/statuses/{id}/context", request.Anyone("read:statuses"), h.context),
		request.Handle("GET /api/v1/statuses/{id}/favourited_by", request.Anyone("read:accounts"), people(h.enc, h.posting.Marks.FavouritedBy)),
		request.Handle("GET /api/v1/statuses/{id}/reblogged_by", request.Anyone("read:accounts"), people(h.enc, h.posting.Marks.RepostedBy)),
		request.Handle("POST /api/v1/statuses/{id}/favourite", request.User("write:favourites"), statusAct(h.posting.Marks.Favourite)),
		request.Handle("POST /api/v1/statuses/{id}/unfavourite", request.User("write:favourites"), statusAct(h.posting.Marks.Unfavourite)),
		request.Handle("POST /api/v1/statuses/{id}/bookmark", request.User("write:bookmarks"), statusAct(h.posting.Marks.Bookmark)),
		request.Handle("POST /api/v1/statuses/{id}/unbookmark", request.User("write:bookmarks"), statusAct(h.posting.Marks.Unbookmark)),
		request.Handle("POST /api/v1/statuses/{id}/pin", request.User("write:accounts"), statusAct(h.posting.Marks.Pin)),
		request.Handle("POST /api/v1/statuses/{id}/unpin", request.User("write:accounts"), statusAct(h.posting.Marks.Unpin)),
		request.Handle("POST /api/v1/statuses/{id}/mute", request.User("write:mutes"), statusAct(h.posting.Marks.MuteThread)),
		request.Handle("POST /api/v1/statuses/{id}/unmute", request.User("write:mutes"), statusAct(h.posting.Marks.UnmuteThread)),
		request.Handle("POST /api/v1/statuses/{id}/reblog", request.User("write:statuses"), h.reblog),
		request.Handle("POST /api/v1/statuses/{id}/unreblog", request.User("write:statuses"), statusAct(h.posting.Unrepost)).Limited(core.RateDelete),
		request.Handle("GET /api/v1/scheduled_statuses", request.User("read:statuses"), h.scheduledPage),
		request.Handle("GET /api/v1/scheduled_statuses/{id}", request.User("read:statuses"), h.scheduled),
		request.Handle("PUT /api/v1/scheduled_statuses/{id}", request.User("write:statuses"), h.reschedule),
		request.Handle("DELETE /api/v1/scheduled_statuses/{id}", request.User("write:statuses"), h.unschedule),
	}
}

// visibility parses a visibility. It returns nil if it is absent.
func visibility(in *request.Input, name string) *linnet.Visibility {
	word := in.String(name)
	if word == "" {
		return nil
	}
	v, ok := linnet.ParseVisibility(word)
	if !ok {
		in.Fault(name, "must be public, unlisted, private or direct")
		return nil
	}
	return &v
}

// card returns the preview card of a status, or {}.
// https://docs.joinmastodon.org/methods/statuses/#card
func (h *statusHandler) card(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	v, err := h.view.Status(r.Context(), r.Viewer(), id)
	if err != nil {
		return nil, err
	}
	if c := h.enc.PreviewCard(v.Card); c != nil {
		return c, nil
	}
	return wire.Empty{}, nil
}

func (h *statusHandler) list(r *request.Request) (any, error) {
	ids := r.In.IDs("id", linnet.MaxIDsInQuery)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	vs, err := h.view.Statuses(r.Context(), r.Viewer(), ids)
	if err != nil {
		return nil, err
	}
	return wire.StatusList{Viewer: r.Viewer(), Views: vs}, nil
}

func (h *statusHandler) post(r *request.Request) (any, error) {
	in := r.In
	d := linnet.Draft{
		Text: in.String("status"), Warning: in.String("spoiler_text"),
		Sensitive: in.OptFlag("sensitive"), Visibility: visibility(in, "visibility"),
		Language: in.String("language"), Poll: pollDraft(in), App: r.Session.Client, AppID: r.Session.App,
		IdempotencyKey: r.Header.Get("Idempotency-Key"),
	}
	d.Media = in.IDs("media_ids", linnet.MaxAttachments)
	d.QuotePolicy = quotePolicy(in, "quote_approval_policy")
	parent, ok := in.ID("in_reply_to_id")
	quoted, exists := quotedID(in)
	if err := in.Err(); err != nil {
		return nil, err
	}
	if !ok || !exists {
		return nil, request.ErrNotFound()
	}
	d.InReplyTo, d.QuoteOf = parent, quoted
	at, err := scheduledAt(r.In)
	if err != nil {
		return nil, err
	}
	if at != nil {
		return h.schedule(r, d, *at)
	}
	v, err := h.posting.Post(r.Context(), r.Viewer(), d)
	if err != nil {
		return nil, err
	}
	return wire.OneStatus{Viewer: r.Viewer(), View: &v}, nil
}

func (h *statusHandler) delete(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	deleteMedia := r.In.Flag("delete_media")
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	remove := h.posting.DeleteToRedraft
	if deleteMedia {
		remove = h.posting.Delete
	}
	v, err := remove(r.Context(), r.Viewer(), id)
	if err != nil {
		return nil, err
	}
	out := h.enc.Status(&v, r.Viewer())
	out.Text = &v.Text // for "delete and redraft"
	return out, nil
}

func (h *statusHandler) context(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	t, err := h.reading.Thread(r.Context(), r.Viewer(), id, linnet.ThreadQuery{})
	if err != nil {
		return nil, err
	}
	return wire.Context{Ancestors: wire.StatusList{Viewer: r.Viewer(), Views: t.Ancestors}, Descendants: wire.StatusList{Viewer: r.Viewer(), Views: t.Descendants}}, nil
}

// statusAct returns the handler of an action on a status, which returns the status.
func statusAct(act func(ctx context.Context, viewer, id linnet.ID) (linnet.StatusView, error)) request.Handler {
	return func(r *request.Request) (any, error) {
		id, err := r.PathID()
		if err != nil {
			return nil, err
		}
		v, err := act(r.Context(), r.Viewer(), id)
		if err != nil {
			return nil, err
		}
		return wire.OneStatus{Viewer: r.Viewer(), View: &v}, nil
	}
}

func (h *statusHandler) reblog(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	visibility := visibility(r.In, "visibility")
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	v, err := h.posting.Repost(r.Context(), r.Viewer(), id, visibility)
	if err != nil {
		return nil, err
	}
	return wire.OneStatus{Viewer: r.Viewer(), View: &v}, nil
}

package mastodon

import (
	"context"
	"slices"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
	"linnet/internal/social"
)

// relationHandler handles follows, blocks, mutes, notes and endorsements of accounts.
// https://docs.joinmastodon.org/methods/accounts/#follow
type relationHandler struct {
	enc    *wire.Encoder
	social *social.Service
}

func (h *relationHandler) routes() []request.Route {
	return []request.Route{
		request.Handle("GET /api/v1/accounts/relationships", request.User("read:follows"), h.relationships),
		request.Handle("POST /api/v1/accounts/{id}/follow", request.User("write:follows"), h.follow),
		request.Handle("GET /api/v1/accounts/{id}/endorsements", request.Anyone("read:accounts"), people(h.enc, h.social.Endorsements)),
		request.Handle("GET /api/v1/endorsements", request.User("read:accounts"), h.accounts(h.endorsements)),
		request.Handle("POST /api/v1/accounts/{id}/endorse", request.User("write:accounts"), h.endorse(true)),
		request.Handle("POST /api/v1/accounts/{id}/unendorse", request.User("write:accounts"), h.endorse(false)),
		request.Handle("POST /api/v1/accounts/{id}/pin", request.User("write:accounts"), h.endorse(true)), // before Mastodon 4.4
		request.Handle("POST /api/v1/accounts/{id}/unpin", request.User("write:accounts"), h.endorse(false)),
		request.Handle("POST /api/v1/accounts/{id}/note", request.User("write:accounts"), h.note),
		request.Handle("POST /api/v1/accounts/{id}/unfollow", request.User("write:follows"), h.act(h.social.Unfollow)),
		request.Handle("POST /api/v1/accounts/{id}/remove_from_followers", request.User("write:follows"), h.act(h.social.RemoveFollower)),
		request.Handle("GET /api/v1/follow_requests", request.User("read:follows"), h.accounts(h.social.FollowRequests)),
		request.Handle("POST /api/v1/follow_requests/{id}/authorize", request.User("write:follows"), h.act(h.social.AcceptRequest)),
		request.Handle("POST /api/v1/follow_requests/{id}/reject", request.User("write:follows"), h.act(h.social.RejectRequest)),
		request.Handle("POST /api/v1/accounts/{id}/block", request.User("write:blocks"), h.act(h.social.Block)),
		request.Handle("POST /api/v1/accounts/{id}/unblock", request.User("write:blocks"), h.act(h.social.Unblock)),
		request.Handle("POST /api/v1/accounts/{id}/mute", request.User("write:mutes"), h.mute),
		request.Handle("POST /api/v1/accounts/{id}/unmute", request.User("write:mutes"), h.act(h.social.Unmute)),
		request.Handle("GET /api/v1/blocks", request.User("read:blocks"), h.accounts(h.social.Blocks)),
		request.Handle("GET /api/v1/mutes", request.User("read:mutes"), h.mutes),
	}
}

// act returns the handler of an action that changes the relationship to an account.
func (h *relationHandler) act(do func(context.Context, linnet.ID, linnet.ID) (linnet.Relationship, error)) request.Handler {
	return func(r *request.Request) (any, error) {
		return request.ByID(r, do, wire.RelationshipOf)
	}
}

// accounts returns the handler of a list of accounts that belongs to the viewer.
func (h *relationHandler) accounts(list func(context.Context, linnet.ID, linnet.Page) (linnet.Slice[linnet.UserView], error)) request.Handler {
	return func(r *request.Request) (any, error) {
		p := request.AccountPage(r.In)
		if err := r.In.Err(); err != nil {
			return nil, err
		}
		s, err := list(r.Context(), r.Viewer(), p)
		if err != nil {
			return nil, err
		}
		return request.Paged(r, s, h.enc.Account), nil
	}
}

func (h *relationHandler) mutes(r *request.Request) (any, error) {
	p := request.AccountPage(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	s, err := h.social.Mutes(r.Context(), r.Viewer(), p)
	if err != nil {
		return nil, err
	}
	return request.Paged(r, s, func(v *linnet.MutedUser) wire.MutedAccount {
		return wire.MutedAccount{Account: h.enc.Account(&v.UserView), MuteExpiresAt: wire.OptionalTime(v.Until)}
	}), nil
}

func (h *relationHandler) mute(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	o := linnet.MuteOptions{Notices: true, For: time.Duration(r.In.Number("duration")) * time.Second}
	if v := r.In.OptFlag("notifications"); v != nil {
		o.Notices = *v
	}
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	v, err := h.social.Mute(r.Context(), r.Viewer(), id, o)
	if err != nil {
		return nil, err
	}
	return wire.RelationshipOf(&v), nil
}

func (h *relationHandler) relationships(r *request.Request) (any, error) {
	ids := r.In.IDs("id", linnet.MaxUsersPage) // clients request a full page of accounts at once
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	suspended := r.In.Flag("with_suspended")
	vs, err := h.social.Relationships(r.Context(), r.Viewer(), ids)
	if err != nil {
		return nil, err
	}
	vs = slices.DeleteFunc(vs, func(v linnet.Relationship) bool { return v.Suspended && !suspended })
	return wire.Each(vs, wire.RelationshipOf), nil
}

func (h *relationHandler) follow(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	o := linnet.FollowOptions{Reposts: r.In.OptFlag("reblogs"), Notify: r.In.OptFlag("notify")}
	if r.In.Has("languages") {
		languages := r.In.Strings("languages")
		o.Languages = &languages
	}
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	v, err := h.social.Follow(r.Context(), r.Viewer(), id, o)
	if err != nil {
		return nil, err
	}
	return wire.RelationshipOf(&v), nil
}

func (h *relationHandler) note(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	note := r.In.String("comment")
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	v, err := h.social.SetNote(r.Context(), r.Viewer(), id, note)
	if err != nil {
		return nil, err
	}
	return wire.RelationshipOf(&v), nil
}

// endorse returns the handler that adds or removes an endorsement.
func (h *relationHandler) endorse(on bool) request.Handler {
	return func(r *request.Request) (any, error) {
		id, err := r.PathID()
		if err != nil {
			return nil, err
		}
		v, err := h.social.Endorse(r.Context(), r.Viewer(), id, on)
		if err != nil {
			return nil, err
		}
		return wire.RelationshipOf(&v), nil
	}
}

// endorsements returns the viewer's endorsements.
func (h *relationHandler) endorsements(ctx context.Context, viewer linnet.ID, p linnet.Page) (linnet.Slice[linnet.UserView], error) {
	return h.social.Endorsements(ctx, viewer, viewer, p)
}

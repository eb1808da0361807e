package admin

import (
	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
	"linnet/internal/moderation"
)

// strikeHandler handles strikes and appeals, for their owners and for staff, and actions of staff on
// posts. The methods are Linnet's own, but the entities are Mastodon's.
// https://docs.joinmastodon.org/entities/AccountWarning/
type strikeHandler struct {
	enc        *wire.Encoder
	core       *core.Service
	moderation *moderation.Service
}

func (h *strikeHandler) routes() []request.Route {
	return []request.Route{
		request.Handle("GET /api/v1/linnet/strikes", request.User("read:accounts"), h.own),
		request.Handle("GET /api/v1/linnet/strikes/{id}", request.User("read:accounts"), h.ownByID),
		request.Handle("POST /api/v1/linnet/strikes/{id}/appeal", request.User("write:accounts"), h.appeal),
		request.Handle("GET /api/v1/linnet/admin/accounts/{id}/strikes", request.User("admin:read:accounts"), staff(h.core, linnet.ManageUsers, h.of)),
		request.Handle("GET /api/v1/linnet/admin/appeals", request.User("admin:read:accounts"), staff(h.core, linnet.ManageUsers, h.appeals)),
		request.Handle("POST /api/v1/linnet/admin/strikes/{id}/approve", request.User("admin:write:accounts"), staff(h.core, linnet.ManageUsers, h.decide(true))),
		request.Handle("POST /api/v1/linnet/admin/strikes/{id}/reject", request.User("admin:write:accounts"), staff(h.core, linnet.ManageUsers, h.decide(false))),
		request.Handle("POST /api/v1/linnet/admin/statuses/{id}/action", request.User("admin:write:reports"), staff(h.core, linnet.ManageReports, h.action)),
	}
}

func (h *strikeHandler) own(r *request.Request) (any, error) {
	p := request.AccountPage(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	s, err := h.moderation.Strikes.Own(r.Context(), r.Viewer(), p)
	if err != nil {
		return nil, err
	}
	return request.Paged(r, s, h.enc.StrikeView), nil
}

func (h *strikeHandler) ownByID(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	v, err := h.moderation.Strikes.OwnByID(r.Context(), r.Viewer(), id)
	if err != nil {
		return nil, err
	}
	return h.enc.StrikeView(&v), nil
}

func (h *strikeHandler) appeal(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	words := r.In.String("text")
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	v, err := h.moderation.Strikes.Appeal(r.Context(), r.Viewer(), id, words)
	if err != nil {
		return nil, err
	}
	return h.enc.StrikeView(&v), nil
}

func (h *strikeHandler) of(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	p := request.AccountPage(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	s, err := h.moderation.Strikes.Of(r.Context(), r.Actor(), id, p)
	if err != nil {
		return nil, err
	}
	return request.Paged(r, s, h.enc.AdminStrike), nil
}

func (h *strikeHandler) appeals(r *request.Request) (any, error) {
	p := request.AccountPage(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	s, err := h.moderation.Strikes.Appealed(r.Context(), r.Actor(), p)
	if err != nil {
		return nil, err
	}
	return request.Paged(r, s, h.enc.AdminStrike), nil
}

// decide returns the handler that approves or rejects an appeal.
func (h *strikeHandler) decide(approve bool) request.Handler {
	return func(r *request.Request) (any, error) {
		id, err := r.PathID()
		if err != nil {
			return nil, err
		}
		if err := h.moderation.Strikes.Decide(r.Context(), r.Actor(), id, approve); err != nil {
			return nil, err
		}
		v, err := h.moderation.Strikes.ByID(r.Context(), r.Actor(), id)
		if err != nil {
			return nil, err
		}
		return h.enc.AdminStrike(&v), nil
	}
}

// measure reads the parameters of an action that creates a strike, except its type. ok is false if
// it names a report by an invalid id.
func measure(in *request.Input) (m linnet.Measure, ok bool) {
	m.Reason, m.Email = in.String("text"), true
	if wanted := in.OptFlag("send_email_notification"); wanted != nil {
		m.Email = *wanted
	}
	if in.Has("rule_ids") {
		m.Rules = append([]int{}, ruleNumbers(in)...)
	}
	m.Report, ok = in.ID("report_id")
	return m, ok
}

func (h *strikeHandler) action(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	m, ok := measure(r.In)
	m.Act, m.Posts = linnet.Moderation(r.In.String("type")), []linnet.ID{id}
	picture, okPicture := r.In.ID("media_id")
	if m.Picture = picture; !m.Act.OnPosts() {
		r.In.Fault("type", "must be delete_statuses, mark_statuses_as_sensitive or remove_picture")
	}
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	if !ok || !okPicture {
		return nil, request.ErrNotFound()
	}
	v, err := h.moderation.PostFor(r.Context(), r.Actor(), id, m.Report)
	if err != nil {
		return nil, err
	}
	m.On = v.Author
	return wire.Empty{}, h.moderation.ModerateReported(r.Context(), r.Actor(), m)
}

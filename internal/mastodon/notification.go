package mastodon

import (
	"slices"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
	"linnet/internal/notify"
)

// notificationHandler handles notifications, groups of them, the policy and requests.
// https://docs.joinmastodon.org/methods/notifications/
type notificationHandler struct {
	enc    *wire.Encoder
	notify *notify.Service
}

func (h *notificationHandler) routes() []request.Route {
	return []request.Route{
		request.Handle("GET /api/v1/notifications", request.User("read:notifications"), h.list),
		request.Handle("GET /api/v1/notifications/unread_count", request.User("read:notifications"), h.unread),
		request.Handle("GET /api/v1/notifications/{id}", request.User("read:notifications"), h.get),
		request.Handle("POST /api/v1/notifications/clear", request.User("write:notifications"), h.clear),
		request.Handle("POST /api/v1/notifications/{id}/dismiss", request.User("write:notifications"), h.dismiss),
		request.Handle("DELETE /api/v1/notifications/{id}", request.User("write:notifications"), h.dismiss),
		request.Handle("POST /api/v1/notifications/dismiss", request.User("write:notifications"), h.dismissInBody), // before Mastodon 3
		request.Handle("DELETE /api/v1/notifications/destroy_multiple", request.User("write:notifications"), h.dismissMany),
		request.Handle("GET /api/v1/notifications/policy", request.User("read:notifications"), h.policyV1),
		request.Handle("PUT /api/v1/notifications/policy", request.User("write:notifications"), h.changePolicyV1),
		request.Handle("PATCH /api/v1/notifications/policy", request.User("write:notifications"), h.changePolicyV1),
		request.Handle("GET /api/v2/notifications/policy", request.User("read:notifications"), h.policy),
		request.Handle("PUT /api/v2/notifications/policy", request.User("write:notifications"), h.changePolicy),
		request.Handle("PATCH /api/v2/notifications/policy", request.User("write:notifications"), h.changePolicy),
		request.Handle("GET /api/v1/notifications/requests", request.User("read:notifications"), h.requests),
		request.Handle("GET /api/v1/notifications/requests/merged", request.User("read:notifications"), h.requestsMerged),
		request.Handle("GET /api/v1/notifications/requests/{id}", request.User("read:notifications"), h.request),
		request.Handle("POST /api/v1/notifications/requests/accept", request.User("write:notifications"), h.onRequests(h.notify.AcceptRequests)),
		request.Handle("POST /api/v1/notifications/requests/dismiss", request.User("write:notifications"), h.onRequests(h.notify.DismissRequests)),
		request.Handle("POST /api/v1/notifications/requests/{id}/accept", request.User("write:notifications"), h.onRequest(h.notify.AcceptRequests)),
		request.Handle("POST /api/v1/notifications/requests/{id}/dismiss", request.User("write:notifications"), h.onRequest(h.notify.DismissRequests)),
		request.Handle("GET /api/v2/notifications", request.User("read:notifications"), h.grouped),
		request.Handle("GET /api/v2/notifications/unread_count", request.User("read:notifications"), h.unreadGroups),
		request.Handle("GET /api/v2/notifications/{key}", request.User("read:notifications"), h.group),
		request.Handle("POST /api/v2/notifications/{key}/dismiss", request.User("write:notifications"), h.dismissGroup),
		request.Handle("GET /api/v2/notifications/{key}/accounts", request.User("read:notifications"), h.groupAccounts),
	}
}

func (h *notificationHandler) unread(r *request.Request) (any, error) {
	f, ok := notificationFilter(r.In)
	limit := r.In.Limit()
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	if !ok {
		return wire.UnreadCount{}, nil
	}
	n, err := h.notify.UnreadNotifications(r.Context(), r.Viewer(), f, limit)
	if err != nil {
		return nil, err
	}
	return wire.UnreadCount{Count: n}, nil
}

// notificationPage reads the paging parameters. Cursors are ids or numbers of notifications.
func notificationPage(r *request.Request) linnet.Page {
	p := request.AccountPage(r.In)
	for _, c := range [...]*linnet.Cursor{&p.Max, &p.Since, &p.Min} {
		if id, err := c.ID(); err == nil && id != 0 { // the service refuses other cursors
			*c = linnet.CursorOf(linnet.NotificationID(id, r.Viewer()))
		}
	}
	return p
}

func (h *notificationHandler) list(r *request.Request) (any, error) {
	f, ok := notificationFilter(r.In)
	p := notificationPage(r)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	if !ok {
		return wire.NotificationList{}, nil
	}
	s, err := h.notify.Notifications(r.Context(), r.Viewer(), f, p)
	if err != nil {
		return nil, err
	}
	request.SetLink(r, s.First, s.Next())
	for i := range s.Items {
		addFallback(r, &s.Items[i])
	}
	return wire.NotificationList{Viewer: r.Viewer(), Views: s.Items}, nil
}

// notificationFilter reads the filter of a list of notifications. It returns false for an invalid
// account id, which matches nothing.
func notificationFilter(in *request.Input) (f linnet.NotificationFilter, ok bool) {
	f.Types, f.Exclude = notificationTypes(in, "types"), notificationTypes(in, "exclude_types")
	f.Held = in.Flag("include_filtered")
	f.From, ok = in.ID("account_id")
	return f, ok
}

// notificationTypes reads types, including types that this server does not have.
func notificationTypes(in *request.Input, name string) []linnet.NotificationType {
	words := in.Strings(name)
	types := make([]linnet.NotificationType, len(words))
	for i, w := range words {
		types[i] = linnet.NotificationType(w)
	}
	return types
}

func (h *notificationHandler) get(r *request.Request) (any, error) {
	id, err := r.NotificationID()
	if err != nil {
		return nil, err
	}
	v, err := h.notify.Notification(r.Context(), r.Viewer(), id)
	if err != nil {
		return nil, err
	}
	addFallback(r, &v)
	return wire.OneNotification{Viewer: r.Viewer(), View: &v}, nil
}

// addFallback adds a title to a notification if the app lists the types that it supports without
// this one. It leaves out types that Mastodon expects all apps to know.
// https://docs.joinmastodon.org/methods/notifications/#get
func addFallback(r *request.Request, v *linnet.NotificationView) {
	if v.Type.Kind().Fallback && r.In.Has("supported_types") && !slices.Contains(notificationTypes(r.In, "supported_types"), v.Type) {
		v.Fallback = notify.Title(request.Language(r.Request), v, r.Viewer())
	}
}

func (h *notificationHandler) dismiss(r *request.Request) (any, error) {
	id, err := r.NotificationID()
	if err != nil {
		return nil, err
	}
	return wire.Empty{}, h.notify.DismissNotification(r.Context(), r.Viewer(), id)
}

// dismissInBody is dismiss with the id as a parameter.
// https://docs.joinmastodon.org/methods/notifications/#dismiss-deprecated
func (h *notificationHandler) dismissInBody(r *request.Request) (any, error) {
	id, ok := r.In.ID("id")
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	if !ok || id == 0 {
		return nil, request.ErrNotFound()
	}
	return wire.Empty{}, h.notify.DismissNotification(r.Context(), r.Viewer(), linnet.NotificationID(id, r.Viewer()))
}

// dismissMany dismisses the notifications in the parameter ids that exist.
func (h *notificationHandler) dismissMany(r *request.Request) (any, error) {
	ids := r.In.IDs("ids", linnet.MaxIDsInQuery)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	for _, id := range ids {
		err := h.notify.DismissNotification(r.Context(), r.Viewer(), linnet.NotificationID(id, r.Viewer()))
		if err != nil && linnet.KindOf(err) != linnet.NotFound {
			return nil, err
		}
	}
	return wire.Empty{}, nil
}

func (h *notificationHandler) clear(r *request.Request) (any, error) {
	return wire.Empty{}, h.notify.ClearNotifications(r.Context(), r.Viewer())
}

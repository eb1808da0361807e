package mastodon

import (
	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
)

// notificationPage reads the parameters of pagination, whose cursors are ids or numbers of
// notifications.
func notificationPage(r *request.Request) linnet.Page {
	p := request.AccountPage(r.In)
	for _, c := range [...]*linnet.Cursor{&p.Max, &p.Since, &p.Min} {
		if id, err := c.ID(); err == nil && id != 0 { // others are refused where they are used
			*c = linnet.CursorOf(linnet.NotificationID(id, r.Viewer()))
		}
	}
	return p
}

func (a *API) notifications(r *request.Request) (any, error) {
	f, ok := notificationFilter(r.In)
	p := notificationPage(r)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	if !ok {
		return wire.NotificationList{}, nil
	}
	s, err := a.svc.Notify.Notifications(r.Context(), r.Viewer(), f, p)
	if err != nil {
		return nil, err
	}
	request.SetLink(r, s.First, s.Next())
	return wire.NotificationList{Viewer: r.Viewer(), Views: s.Items}, nil
}

// notificationFilter reads what narrows a list of notifications; ok is false if
// it asks for those of somebody who cannot exist, of whom there are none.
func notificationFilter(in *request.Input) (f linnet.NotificationFilter, ok bool) {
	f.Types, f.Exclude = notificationTypes(in, "types"), notificationTypes(in, "exclude_types")
	f.Held = in.Flag("include_filtered")
	f.From, ok = in.ID("account_id")
	return f, ok
}

// notificationTypes reads types, also those that never occur here: to ask for
// them alone gives nothing.
func notificationTypes(in *request.Input, name string) []linnet.NotificationType {
	words := in.Strings(name)
	types := make([]linnet.NotificationType, len(words))
	for i, w := range words {
		types[i] = linnet.NotificationType(w)
	}
	return types
}

func (a *API) getNotification(r *request.Request) (any, error) {
	id, err := r.NotificationID()
	if err != nil {
		return nil, err
	}
	v, err := a.svc.Notify.Notification(r.Context(), r.Viewer(), id)
	if err != nil {
		return nil, err
	}
	return wire.OneNotification{Viewer: r.Viewer(), View: &v}, nil
}

func (a *API) dismissNotification(r *request.Request) (any, error) {
	id, err := r.NotificationID()
	if err != nil {
		return nil, err
	}
	return wire.Empty{}, a.svc.Notify.DismissNotification(r.Context(), r.Viewer(), id)
}

func (a *API) clearNotifications(r *request.Request) (any, error) {
	return wire.Empty{}, a.svc.Notify.ClearNotifications(r.Context(), r.Viewer())
}

package mastodon

import (
	"linnet/internal/linnet"
	"linnet/internal/mastodon/wire"
)

// notificationID reads the notification in the path, named by its id or its number.
func (r *request) notificationID() (linnet.ID, error) {
	id, err := r.pathID()
	return linnet.NotificationID(id, r.me()), err
}

// notificationPage reads the parameters of pagination, whose cursors are ids or numbers of
// notifications.
func notificationPage(r *request) linnet.Page {
	p := accountPage(r.in)
	for _, c := range [...]*linnet.Cursor{&p.Max, &p.Since, &p.Min} {
		if id, err := c.ID(); err == nil && id != 0 { // others are refused where they are used
			*c = linnet.CursorOf(linnet.NotificationID(id, r.me()))
		}
	}
	return p
}

func (a *API) notifications(r *request) (any, error) {
	f, ok := notificationFilter(r.in)
	p := notificationPage(r)
	if err := r.in.err(); err != nil {
		return nil, err
	}
	if !ok {
		return wire.NotificationList{}, nil
	}
	s, err := a.svc.Notify.Notifications(r.Context(), r.me(), f, p)
	if err != nil {
		return nil, err
	}
	setLink(r, s.First, s.Next())
	return wire.NotificationList{Viewer: r.me(), Views: s.Items}, nil
}

// notificationFilter reads what narrows a list of notifications; ok is false if
// it asks for those of somebody who cannot exist, of whom there are none.
func notificationFilter(in *input) (f linnet.NotificationFilter, ok bool) {
	f.Types, f.Exclude = notificationTypes(in, "types"), notificationTypes(in, "exclude_types")
	f.Held = in.flag("include_filtered")
	f.From, ok = in.id("account_id")
	return f, ok
}

// notificationTypes reads types, also those that never occur here: to ask for
// them alone gives nothing.
func notificationTypes(in *input, name string) []linnet.NotificationType {
	words := in.texts(name)
	types := make([]linnet.NotificationType, len(words))
	for i, w := range words {
		types[i] = linnet.NotificationType(w)
	}
	return types
}

func (a *API) getNotification(r *request) (any, error) {
	id, err := r.notificationID()
	if err != nil {
		return nil, err
	}
	v, err := a.svc.Notify.Notification(r.Context(), r.me(), id)
	if err != nil {
		return nil, err
	}
	return wire.OneNotification{Viewer: r.me(), View: &v}, nil
}

func (a *API) dismissNotification(r *request) (any, error) {
	id, err := r.notificationID()
	if err != nil {
		return nil, err
	}
	return wire.Empty{}, a.svc.Notify.DismissNotification(r.Context(), r.me(), id)
}

func (a *API) clearNotifications(r *request) (any, error) {
	return wire.Empty{}, a.svc.Notify.ClearNotifications(r.Context(), r.me())
}

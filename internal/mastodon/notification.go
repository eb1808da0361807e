package mastodon

import "linnet/internal/linnet"

// notification is the entity Notification.
// https://docs.joinmastodon.org/entities/Notification/
type notification struct {
	notificationHead
	Account account         `json:"account"`
	Status  *status         `json:"status,omitempty"`
	Report  *report         `json:"report,omitempty"`
	Warning *accountWarning `json:"moderation_warning,omitempty"`
}

// accountWarning is the entity AccountWarning. It carries what people are told of
// the access to their account: apps show its text.
// https://docs.joinmastodon.org/entities/AccountWarning/
type accountWarning struct {
	ID            string    `json:"id"`
	Action        string    `json:"action"`
	Text          string    `json:"text"`
	StatusIDs     *[]string `json:"status_ids"`
	TargetAccount account   `json:"target_account"`
	Appeal        *none     `json:"appeal"`
	CreatedAt     string    `json:"created_at"`
}

// warningOf is the warning of a notification, nil for other types.
func (a *API) warningOf(v *linnet.NotificationView) *accountWarning {
	if v.Type != linnet.NotifySecurity {
		return nil
	}
	return &accountWarning{ID: v.ID.String(), Action: "none", Text: v.Event.Sentence(),
		TargetAccount: a.account(&v.By.UserView), CreatedAt: timestamp(v.At)}
}

type notificationHead struct {
	ID        string `json:"id"`
	Type      string `json:"type"`
	CreatedAt string `json:"created_at"`
	GroupKey  string `json:"group_key"`
}

// notification is the wire form as one value; writeNotification writes the same.
func (a *API) notification(v *linnet.NotificationView, viewer linnet.ID) notification {
	out := notification{notificationHead: notificationHeadOf(v), Account: a.account(&v.By.UserView)}
	if v.Status != nil {
		s := a.status(v.Status, viewer)
		out.Status = &s
	}
	if v.Filed != nil {
		r := a.report(v.Filed)
		out.Report = &r
	}
	out.Warning = a.warningOf(v)
	return out
}

func notificationHeadOf(v *linnet.NotificationView) notificationHead {
	id := v.ID.String()
	return notificationHead{ID: id, Type: string(v.Type), CreatedAt: timestamp(v.At), GroupKey: v.GroupKey()}
}

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
		return notificationList{}, nil
	}
	s, err := a.svc.Notify.Notifications(r.Context(), r.me(), f, p)
	if err != nil {
		return nil, err
	}
	setLink(r, s.First, s.Next())
	return notificationList{r.me(), s.Items}, nil
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
	return oneNotification{r.me(), &v}, nil
}

func (a *API) dismissNotification(r *request) (any, error) {
	id, err := r.notificationID()
	if err != nil {
		return nil, err
	}
	return empty{}, a.svc.Notify.DismissNotification(r.Context(), r.me(), id)
}

func (a *API) clearNotifications(r *request) (any, error) {
	return empty{}, a.svc.Notify.ClearNotifications(r.Context(), r.me())
}

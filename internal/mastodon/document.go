package mastodon

import "linnet/internal/linnet"

// oneStatus is a status as an answer.
type oneStatus struct {
	viewer linnet.ID
	view   *linnet.StatusView
}

func (d oneStatus) write(a *API, w *buffer) { a.writeStatus(w, d.view, d.viewer) }

// statusList is a list of statuses.
type statusList struct {
	viewer linnet.ID
	views  []linnet.StatusView
}

func (d statusList) write(a *API, w *buffer) {
	writeList(w, d.views, func(v *linnet.StatusView) { a.writeStatus(w, v, d.viewer) })
}

// statusContext is the entity Context.
// https://docs.joinmastodon.org/entities/Context/
type statusContext struct {
	ancestors, descendants statusList
}

func (d statusContext) write(a *API, w *buffer) {
	w.text(`{"ancestors":`)
	d.ancestors.write(a, w)
	w.text(`,"descendants":`)
	d.descendants.write(a, w)
	w.text("}")
}

// oneNotification is a notification as an answer.
type oneNotification struct {
	viewer linnet.ID
	view   *linnet.NotificationView
}

func (d oneNotification) write(a *API, w *buffer) { a.writeNotification(w, d.view, d.viewer) }

// notificationList is a list of notifications.
type notificationList struct {
	viewer linnet.ID
	views  []linnet.NotificationView
}

func (d notificationList) write(a *API, w *buffer) {
	writeList(w, d.views, func(v *linnet.NotificationView) { a.writeNotification(w, v, d.viewer) })
}

// writeNotification appends what notification is as one value.
func (a *API) writeNotification(w *buffer, v *linnet.NotificationView, viewer linnet.ID) {
	w.text("{")
	w.members(notificationHeadOf(v))
	w.text(`,"account":`)
	a.writeAccount(w, v.By)
	if v.Status != nil {
		w.text(`,"status":`)
		a.writeStatus(w, v.Status, viewer)
	}
	if v.Filed != nil {
		w.text(`,"report":`)
		w.value(a.report(v.Filed))
	}
	if warning := a.warningOf(v); warning != nil {
		w.text(`,"moderation_warning":`)
		w.value(warning)
	}
	w.text("}")
}

// write appends the entity Search.
func (d searchResults) write(a *API, w *buffer) {
	w.text(`{"accounts":`)
	w.value(d.accounts)
	w.text(`,"statuses":`)
	d.statuses.write(a, w)
	w.text(`,"hashtags":`)
	w.value(d.hashtags)
	w.text("}")
}

// writeList appends a list of what write appends for each; an empty one is [].
func writeList[T any](w *buffer, views []T, write func(*T)) {
	w.text("[")
	for i := range views {
		if i > 0 {
			w.text(",")
		}
		write(&views[i])
	}
	w.text("]")
}

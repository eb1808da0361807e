package wire

import (
	"html"
	"slices"
	"strconv"
	"strings"

	"linnet/internal/linnet"
)

// OneNotification is a notification as a response.
type OneNotification struct {
	Viewer linnet.ID
	View   *linnet.NotificationView
}

func (d OneNotification) write(e *Encoder, w *buffer) { e.writeNotification(w, d.View, d.Viewer) }

// NotificationList is a list of notifications as a response.
type NotificationList struct {
	Viewer linnet.ID
	Views  []linnet.NotificationView
}

func (d NotificationList) write(e *Encoder, w *buffer) {
	writeList(w, d.Views, func(v *linnet.NotificationView) { e.writeNotification(w, v, d.Viewer) })
}

// writeNotification appends the JSON of Encoder.notification.
func (e *Encoder) writeNotification(w *buffer, v *linnet.NotificationView, viewer linnet.ID) {
	w.text("{")
	w.contents(notificationHeadOf(v))
	w.text(`,"account":`)
	e.writeAccount(w, v.By)
	if v.Status != nil {
		w.text(`,"status":`)
		e.writeStatus(w, v.Status, viewer)
	}
	if v.Filed != nil {
		w.text(`,"report":`)
		w.value(e.Report(v.Filed))
	}
	if v.Collection != nil {
		w.text(`,"collection":`)
		w.value(e.Collection(v.Collection))
	}
	if warning := e.warning(v); warning != nil {
		w.text(`,"moderation_warning":`)
		w.value(warning)
	}
	if f := fallbackOf(v); f != nil {
		w.text(`,"fallback":`)
		w.value(f)
	}
	w.text("}")
}

// UnreadCount is the response with the number of unread notifications.
// https://docs.joinmastodon.org/methods/notifications/#unread-count
type UnreadCount struct {
	Count int `json:"count"`
}

// NotificationGroup is the entity NotificationGroup.
// https://docs.joinmastodon.org/methods/grouped_notifications/#NotificationGroup
type NotificationGroup struct {
	GroupKey                 string          `json:"group_key"`
	NotificationsCount       int             `json:"notifications_count"`
	Type                     string          `json:"type"`
	MostRecentNotificationID uint64          `json:"most_recent_notification_id"`
	PageMinID                string          `json:"page_min_id,omitempty"`
	PageMaxID                string          `json:"page_max_id,omitempty"`
	LatestPageNotificationAt string          `json:"latest_page_notification_at,omitempty"`
	SampleAccountIDs         []string        `json:"sample_account_ids"`
	StatusID                 string          `json:"status_id,omitempty"`
	Warning                  *AccountWarning `json:"moderation_warning,omitempty"`
	Collection               *Collection     `json:"collection,omitempty"`

	Fallback *NotificationFallback `json:"fallback,omitempty"`
}

// GroupedNotifications is the entity GroupedNotificationsResults. It contains each account and
// status of the groups once.
// https://docs.joinmastodon.org/methods/grouped_notifications/#GroupedNotificationsResults
type GroupedNotifications struct {
	Viewer  linnet.ID
	Groups  []linnet.NotificationGroup
	Partial bool // only the latest of each group in full
}

// notificationGroup encodes a group of notifications.
func (e *Encoder) notificationGroup(g *linnet.NotificationGroup) NotificationGroup {
	out := NotificationGroup{GroupKey: g.Key, NotificationsCount: g.Count, Type: string(g.Newest.Type),
		MostRecentNotificationID: g.Newest.Number(), Warning: e.warning(&g.Newest), Fallback: fallbackOf(&g.Newest)}
	for _, u := range g.Sample {
		out.SampleAccountIDs = append(out.SampleAccountIDs, u.ID.String())
	}
	if g.PageMax != 0 {
		out.PageMinID, out.PageMaxID = g.PageMin.String(), g.PageMax.String()
		out.LatestPageNotificationAt = Timestamp(g.Newest.At)
	}
	if g.Newest.Status != nil {
		out.StatusID = g.Newest.Status.ID.String()
	}
	if g.Newest.Collection != nil {
		c := e.Collection(g.Newest.Collection)
		out.Collection = &c
	}
	return out
}

// accounts returns the accounts of the groups without duplicates: accounts to be encoded in full,
// and partial ones.
func (d GroupedNotifications) accounts() (full, rest []*linnet.SharedUser) {
	add := func(to, but []*linnet.SharedUser, u *linnet.SharedUser) []*linnet.SharedUser {
		same := func(o *linnet.SharedUser) bool { return o.ID == u.ID }
		if slices.ContainsFunc(to, same) || slices.ContainsFunc(but, same) {
			return to
		}
		return append(to, u)
	}
	for i := range d.Groups {
		full = add(full, nil, d.Groups[i].Sample[0])
	}
	for i := range d.Groups {
		for _, u := range d.Groups[i].Sample[1:] {
			if d.Partial {
				rest = add(rest, full, u)
			} else {
				full = add(full, nil, u)
			}
		}
	}
	return full, rest
}

func (d GroupedNotifications) write(e *Encoder, w *buffer) {
	full, rest := d.accounts()
	w.text(`{"accounts":`)
	writeList(w, full, func(u **linnet.SharedUser) { e.writeAccount(w, *u) })
	if d.Partial {
		w.text(`,"partial_accounts":`)
		writeList(w, rest, func(u **linnet.SharedUser) {
			o := e.Account(&(*u).UserView)
			w.value(PartialAccount{o.ID, o.Acct, o.URL, o.Avatar, o.AvatarStatic, o.Locked, o.Bot})
		})
	}
	w.text(`,"statuses":`)
	var statuses []*linnet.StatusView
	for i := range d.Groups {
		st := d.Groups[i].Newest.Status
		if st != nil && !slices.ContainsFunc(statuses, func(o *linnet.StatusView) bool { return o.ID == st.ID }) {
			statuses = append(statuses, st)
		}
	}
	writeList(w, statuses, func(v **linnet.StatusView) { e.writeStatus(w, *v, d.Viewer) })
	w.text(`,"notification_groups":`)
	w.value(Each(d.Groups, e.notificationGroup))
	w.text("}")
}

// notification is the entity Notification.
// https://docs.joinmastodon.org/entities/Notification/
type notification struct {
	notificationHead
	Account Account         `json:"account"`
	Status  *Status         `json:"status,omitempty"`
	Report  *Report         `json:"report,omitempty"`
	Warning *AccountWarning `json:"moderation_warning,omitempty"`

	Collection *Collection           `json:"collection,omitempty"`
	Fallback   *NotificationFallback `json:"fallback,omitempty"`
}

// NotificationFallback is the entity NotificationFallback. The texts are HTML.
// https://docs.joinmastodon.org/entities/NotificationFallback/
type NotificationFallback struct {
	Title   string  `json:"title"`
	Summary *string `json:"summary"`
	Details *string `json:"details"`
}

// fallbackOf returns the fallback of a notification, or nil.
func fallbackOf(v *linnet.NotificationView) *NotificationFallback {
	if v.Fallback == "" {
		return nil
	}
	return &NotificationFallback{Title: html.EscapeString(v.Fallback)}
}

// AccountWarning is the entity AccountWarning. Security notifications use it too, because apps show
// its text. Rules is Linnet's own.
// https://docs.joinmastodon.org/entities/AccountWarning/
type AccountWarning struct {
	ID            string    `json:"id"`
	Action        string    `json:"action"`
	Text          string    `json:"text"`
	StatusIDs     *[]string `json:"status_ids"`
	TargetAccount Account   `json:"target_account"`
	Appeal        *Appeal   `json:"appeal"`
	CreatedAt     string    `json:"created_at"`
	Rules         []Rule    `json:"rules"`
}

// Appeal is the entity Appeal.
// https://docs.joinmastodon.org/entities/Appeal/
type Appeal struct {
	Text  string `json:"text"`
	State string `json:"state"`
}

// Strike encodes a strike for its owner. Actions that Mastodon doesn't have are warnings with the
// action as text.
func (e *Encoder) Strike(st *linnet.Strike, on *linnet.UserView) AccountWarning {
	ids := make([]string, len(st.Posts))
	for i, p := range st.Posts {
		ids[i] = p.ID.String()
	}
	out := AccountWarning{ID: st.ID.String(), Action: string(st.Act), Text: st.Text, StatusIDs: &ids, TargetAccount: e.Account(on), CreatedAt: Timestamp(st.ID.Time()), Rules: []Rule{}}
	if st.Act == linnet.RemovePicture {
		out.Action, out.Text = string(linnet.Warn), strings.TrimSpace(st.Sentence()+" "+st.Text)
	}
	for _, r := range st.Rules {
		out.Rules = append(out.Rules, Rule{ID: strconv.Itoa(r.Number), Text: r.Text})
	}
	if st.Appeal != nil {
		out.Appeal = &Appeal{st.Appeal.Text, string(st.Appeal.State)}
	}
	return out
}

// StrikeView encodes a strike with its account, which can be in the process of deletion.
func (e *Encoder) StrikeView(v *linnet.StrikeView) AccountWarning {
	on := v.OnAccount
	if on == nil {
		on = &linnet.UserView{User: linnet.User{ID: v.On}}
	}
	return e.Strike(&v.Strike, on)
}

// warning returns the warning of a security notification, or nil.
func (e *Encoder) warning(v *linnet.NotificationView) *AccountWarning {
	if v.Type != linnet.NotifySecurity {
		return nil
	}
	if v.Warned != nil {
		out := e.Strike(v.Warned, &v.By.UserView)
		return &out
	}
	return &AccountWarning{ID: v.ID.String(), Action: "none", Text: v.Event.Sentence(),
		TargetAccount: e.Account(&v.By.UserView), CreatedAt: Timestamp(v.At), Rules: []Rule{}}
}

type notificationHead struct {
	ID        string `json:"id"`
	Type      string `json:"type"`
	CreatedAt string `json:"created_at"`
	GroupKey  string `json:"group_key"`
}

// notification encodes a notification. Tests compare it with writeNotification.
func (e *Encoder) notification(v *linnet.NotificationView, viewer linnet.ID) notification {
	out := notification{notificationHead: notificationHeadOf(v), Account: e.Account(&v.By.UserView)}
	if v.Status != nil {
		s := e.Status(v.Status, viewer)
		out.Status = &s
	}
	if v.Filed != nil {
		r := e.Report(v.Filed)
		out.Report = &r
	}
	out.Warning, out.Fallback = e.warning(v), fallbackOf(v)
	if v.Collection != nil {
		c := e.Collection(v.Collection)
		out.Collection = &c
	}
	return out
}

func notificationHeadOf(v *linnet.NotificationView) notificationHead {
	id := v.ID.String()
	return notificationHead{ID: id, Type: string(v.Type), CreatedAt: Timestamp(v.At), GroupKey: v.GroupKey()}
}

package mastodon

import (
	"slices"

	"linnet/internal/linnet"
)

// notificationGroup is the entity NotificationGroup.
// https://docs.joinmastodon.org/methods/grouped_notifications/#NotificationGroup
type notificationGroup struct {
	GroupKey                 string          `json:"group_key"`
	NotificationsCount       int             `json:"notifications_count"`
	Type                     string          `json:"type"`
	MostRecentNotificationID uint64          `json:"most_recent_notification_id"`
	PageMinID                string          `json:"page_min_id,omitempty"`
	PageMaxID                string          `json:"page_max_id,omitempty"`
	LatestPageNotificationAt string          `json:"latest_page_notification_at,omitempty"`
	SampleAccountIDs         []string        `json:"sample_account_ids"`
	StatusID                 string          `json:"status_id,omitempty"`
	Warning                  *accountWarning `json:"moderation_warning,omitempty"`
}

// partialAccount is the entity PartialAccountWithAvatar.
// https://docs.joinmastodon.org/entities/Account/#PartialAccountWithAvatar
type partialAccount struct {
	ID           string `json:"id"`
	Acct         string `json:"acct"`
	URL          string `json:"url"`
	Avatar       string `json:"avatar"`
	AvatarStatic string `json:"avatar_static"`
	Locked       bool   `json:"locked"`
	Bot          bool   `json:"bot"`
}

// groupedNotifications is the entity GroupedNotificationsResults: what groups name
// stands once beside them.
// https://docs.joinmastodon.org/methods/grouped_notifications/#GroupedNotificationsResults
type groupedNotifications struct {
	viewer  linnet.ID
	groups  []linnet.NotificationGroup
	partial bool // only the latest of each group in full
}

func (a *API) notificationGroupOf(g *linnet.NotificationGroup) notificationGroup {
	out := notificationGroup{GroupKey: g.Key, NotificationsCount: g.Count, Type: string(g.Newest.Type),
		MostRecentNotificationID: g.Newest.Number(), Warning: a.warningOf(&g.Newest)}
	for _, u := range g.Sample {
		out.SampleAccountIDs = append(out.SampleAccountIDs, u.ID.String())
	}
	if g.PageMax != 0 {
		out.PageMinID, out.PageMaxID = g.PageMin.String(), g.PageMax.String()
		out.LatestPageNotificationAt = timestamp(g.Newest.At)
	}
	if g.Newest.Status != nil {
		out.StatusID = g.Newest.Status.ID.String()
	}
	return out
}

// people are those whom the groups name, each once: first those whom the client
// needs in full.
func (d groupedNotifications) people() (full, rest []*linnet.SharedUser) {
	add := func(to, but []*linnet.SharedUser, u *linnet.SharedUser) []*linnet.SharedUser {
		same := func(o *linnet.SharedUser) bool { return o.ID == u.ID }
		if slices.ContainsFunc(to, same) || slices.ContainsFunc(but, same) {
			return to
		}
		return append(to, u)
	}
	for i := range d.groups {
		full = add(full, nil, d.groups[i].Sample[0])
	}
	for i := range d.groups {
		for _, u := range d.groups[i].Sample[1:] {
			if d.partial {
				rest = add(rest, full, u)
			} else {
				full = add(full, nil, u)
			}
		}
	}
	return full, rest
}

func (d groupedNotifications) write(a *API, w *buffer) {
	full, rest := d.people()
	w.text(`{"accounts":`)
	writeList(w, full, func(u **linnet.SharedUser) { a.writeAccount(w, *u) })
	if d.partial {
		w.text(`,"partial_accounts":`)
		writeList(w, rest, func(u **linnet.SharedUser) {
			o := a.account(&(*u).UserView)
			w.value(partialAccount{o.ID, o.Acct, o.URL, o.Avatar, o.AvatarStatic, o.Locked, o.Bot})
		})
	}
	w.text(`,"statuses":`)
	var statuses []*linnet.StatusView
	for i := range d.groups {
		st := d.groups[i].Newest.Status
		if st != nil && !slices.ContainsFunc(statuses, func(o *linnet.StatusView) bool { return o.ID == st.ID }) {
			statuses = append(statuses, st)
		}
	}
	writeList(w, statuses, func(v **linnet.StatusView) { a.writeStatus(w, *v, d.viewer) })
	w.text(`,"notification_groups":`)
	w.value(each(d.groups, a.notificationGroupOf))
	w.text("}")
}

// groupFilter reads what narrows a list of groups; ok as in notificationFilter.
func groupFilter(in *input) (f linnet.GroupFilter, ok bool) {
	f.NotificationFilter, ok = notificationFilter(in)
	if in.has("grouped_types") {
		f.Grouped = notificationTypes(in, "grouped_types")
	}
	return f, ok
}

// partialAccounts reads whether accounts may be stripped down.
func partialAccounts(in *input) bool {
	switch in.text("expand_accounts") {
	case "", "full":
		return false
	case "partial_avatars":
		return true
	}
	in.fault("expand_accounts", "must be full or partial_avatars")
	return false
}

func (a *API) groupedNotifications(r *request) (any, error) {
	f, ok := groupFilter(r.in)
	out := groupedNotifications{viewer: r.me(), partial: partialAccounts(r.in)}
	p := notificationPage(r)
	if err := r.in.err(); err != nil || !ok {
		return out, err
	}
	found, err := a.svc.Notify.GroupedNotifications(r.Context(), r.me(), f, p)
	if err != nil {
		return nil, err
	}
	out.groups = found.Items
	setLink(r, found.First, found.Next())
	return out, nil
}

func (a *API) getNotificationGroup(r *request) (any, error) {
	out := groupedNotifications{viewer: r.me(), partial: partialAccounts(r.in)}
	if err := r.in.err(); err != nil {
		return nil, err
	}
	found, err := a.svc.Notify.NotificationGroup(r.Context(), r.me(), r.PathValue("key"))
	out.groups = found.Items
	return out, err
}

func (a *API) dismissNotificationGroup(r *request) (any, error) {
	return empty{}, a.svc.Notify.DismissGroup(r.Context(), r.me(), r.PathValue("key"))
}

func (a *API) notificationGroupAccounts(r *request) (any, error) {
	p := notificationPage(r)
	if err := r.in.err(); err != nil {
		return nil, err
	}
	s, err := a.svc.Notify.GroupPeople(r.Context(), r.me(), r.PathValue("key"), p)
	if err != nil {
		return nil, err
	}
	return paged(r, s, a.account), nil
}

func (a *API) unreadGroups(r *request) (any, error) {
	f, ok := groupFilter(r.in)
	limit := r.in.limit()
	if err := r.in.err(); err != nil || !ok {
		return unreadCount{}, err
	}
	n, err := a.svc.Notify.UnreadGroups(r.Context(), r.me(), f, limit)
	return unreadCount{n}, err
}

package mastodon

import (
	"linnet/internal/linnet"
	"linnet/internal/mastodon/wire"
)

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
	out := wire.GroupedNotifications{Viewer: r.me(), Partial: partialAccounts(r.in)}
	p := notificationPage(r)
	if err := r.in.err(); err != nil || !ok {
		return out, err
	}
	found, err := a.svc.Notify.GroupedNotifications(r.Context(), r.me(), f, p)
	if err != nil {
		return nil, err
	}
	out.Groups = found.Items
	setLink(r, found.First, found.Next())
	return out, nil
}

func (a *API) getNotificationGroup(r *request) (any, error) {
	out := wire.GroupedNotifications{Viewer: r.me(), Partial: partialAccounts(r.in)}
	if err := r.in.err(); err != nil {
		return nil, err
	}
	found, err := a.svc.Notify.NotificationGroup(r.Context(), r.me(), r.PathValue("key"))
	out.Groups = found.Items
	return out, err
}

func (a *API) dismissNotificationGroup(r *request) (any, error) {
	return wire.Empty{}, a.svc.Notify.DismissGroup(r.Context(), r.me(), r.PathValue("key"))
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
	return paged(r, s, a.enc.Account), nil
}

func (a *API) unreadGroups(r *request) (any, error) {
	f, ok := groupFilter(r.in)
	limit := r.in.limit()
	if err := r.in.err(); err != nil || !ok {
		return wire.UnreadCount{}, err
	}
	n, err := a.svc.Notify.UnreadGroups(r.Context(), r.me(), f, limit)
	return wire.UnreadCount{Count: n}, err
}

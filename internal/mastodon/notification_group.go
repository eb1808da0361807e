package mastodon

import (
	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
)

// groupFilter reads the filter of a list of groups. The result false is as in notificationFilter.
func groupFilter(in *request.Input) (f linnet.GroupFilter, ok bool) {
	f.NotificationFilter, ok = notificationFilter(in)
	if in.Has("grouped_types") {
		f.Grouped = notificationTypes(in, "grouped_types")
	}
	return f, ok
}

// partialAccounts reads whether the response may contain partial accounts.
func partialAccounts(in *request.Input) bool {
	switch in.String("expand_accounts") {
	case "", "full":
		return false
	case "partial_avatars":
		return true
	}
	in.Fault("expand_accounts", "must be full or partial_avatars")
	return false
}

func (h *notificationHandler) grouped(r *request.Request) (any, error) {
	f, ok := groupFilter(r.In)
	out := wire.GroupedNotifications{Viewer: r.Viewer(), Partial: partialAccounts(r.In)}
	p := notificationPage(r)
	if err := r.In.Err(); err != nil || !ok {
		return out, err
	}
	found, err := h.notify.GroupedNotifications(r.Context(), r.Viewer(), f, p)
	if err != nil {
		return nil, err
	}
	out.Groups = found.Items
	for i := range out.Groups {
		addFallback(r, &out.Groups[i].Newest)
	}
	request.SetLink(r, found.First, found.Next())
	return out, nil
}

func (h *notificationHandler) group(r *request.Request) (any, error) {
	out := wire.GroupedNotifications{Viewer: r.Viewer(), Partial: partialAccounts(r.In)}
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	found, err := h.notify.NotificationGroup(r.Context(), r.Viewer(), r.PathValue("key"))
	out.Groups = found.Items
	for i := range out.Groups {
		addFallback(r, &out.Groups[i].Newest)
	}
	return out, err
}

func (h *notificationHandler) dismissGroup(r *request.Request) (any, error) {
	return wire.Empty{}, h.notify.DismissGroup(r.Context(), r.Viewer(), r.PathValue("key"))
}

func (h *notificationHandler) groupAccounts(r *request.Request) (any, error) {
	p := notificationPage(r)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	s, err := h.notify.GroupPeople(r.Context(), r.Viewer(), r.PathValue("key"), p)
	if err != nil {
		return nil, err
	}
	return request.Paged(r, s, h.enc.Account), nil
}

func (h *notificationHandler) unreadGroups(r *request.Request) (any, error) {
	f, ok := groupFilter(r.In)
	limit := r.In.Limit()
	if err := r.In.Err(); err != nil || !ok {
		return wire.UnreadCount{}, err
	}
	n, err := h.notify.UnreadGroups(r.Context(), r.Viewer(), f, limit)
	return wire.UnreadCount{Count: n}, err
}

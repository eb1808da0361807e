package notify

import (
	"context"
	"fmt"
	"slices"
	"time"

	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/store"
	"linnet/internal/store/db"
	"linnet/internal/timeline"
)

const (
	groupSample = 8  // shown senders of a group
	groupBatch  = 20 // newest notifications of a group that are searched for them
)

// noticeGroup is a group of notifications, newest first, before their visibility is checked. The
// newest one determines its position.
type noticeGroup struct {
	id      linnet.NotificationGroupID
	all     []linnet.Notification
	visible []linnet.ID // of all, after view
}

func (g *noticeGroup) head() linnet.ID { return g.all[0].ID }

// noticesBetween reads all notifications of me in a span, newest first.
func (s *Service) noticesBetween(ctx context.Context, me linnet.ID, f linnet.NotificationFilter, sp db.Span) ([]linnet.Notification, error) {
	var all []linnet.Notification
	sp.Limit = kv.MaxRange
	for range 4 + 2*linnet.MaxNotifications/kv.MaxRange {
		page, err := s.st.Inbox.Notices(ctx, me, sp, f.Held)
		if err != nil {
			return nil, core.StoreError(err)
		}
		all = append(all, passing(f, page)...)
		if len(page) < sp.Limit {
			break
		}
		sp.Below = page[len(page)-1].ID
	}
	return all, nil
}

// noticeGroups groups notifications. The group with the newest notification is first.
func noticeGroups(f *linnet.GroupFilter, all []linnet.Notification) []*noticeGroup {
	var groups []*noticeGroup
	at := make(map[linnet.NotificationGroupID]*noticeGroup, len(all))
	for _, n := range all {
		id := f.Group(n)
		g := at[id]
		if g == nil {
			g = &noticeGroup{id: id}
			at[id] = g
			groups = append(groups, g)
		}
		g.all = append(g.all, n)
	}
	return groups
}

// GroupedNotifications returns a page of groups. A group is ordered by its newest
// notification. It is complete, including notifications beyond the page. So no group is repeated or
// missing on the next page, unless new notifications arrive.
// https://docs.joinmastodon.org/methods/grouped_notifications/#get-grouped
func (s *Service) GroupedNotifications(ctx context.Context, me linnet.ID, f linnet.GroupFilter, p linnet.Page) (out linnet.GroupedNotifications, err error) {
	if p.Limit == 0 {
		p.Limit = linnet.MaxPage
	}
	list := func() string { return fmt.Sprintf("grouped notifications %d %+v", me, f) }
	if p, err = s.core.OpenPage(ctx, list, p); err != nil {
		return out, err
	}
	sp, err := timeline.Span(p, linnet.MaxUsersPage)
	if err != nil {
		return out, err
	}
	// Notifications above the bound matter too: a group that has one is not shown again below it.
	all, err := s.noticesBetween(ctx, me, f.NotificationFilter, db.Span{Above: sp.Above})
	if err != nil {
		return out, err
	}
	if f.Shown { // for pages that mark notifications as read
		if out.Newest, err = s.newestVisible(ctx, me, all); err != nil {
			return out, err
		}
	}
	groups := slices.DeleteFunc(noticeGroups(&f, all), func(g *noticeGroup) bool {
		return sp.Below != 0 && g.head() >= sp.Below
	})
	if sp.Above != 0 {
		if groups, err = s.wholeGroups(ctx, me, &f, groups, sp.Above); err != nil {
			return out, err
		}
	}
	if sp.Asc {
		slices.Reverse(groups)
	}
	var heads []timeline.Position
	rest, err := s.showGroups(ctx, me, f.Shown, groups, sp.Limit, func(g *noticeGroup, v linnet.NotificationGroup) {
		out.Items, heads = append(out.Items, v), append(heads, timeline.Position{ID: g.head(), Hidden: g.head() != v.Newest.ID})
	})
	if err != nil || len(heads) == 0 {
		return out, err
	}
	if sp.Asc {
		slices.Reverse(out.Items)
		slices.Reverse(heads)
	}
	last := heads[len(heads)-1]
	if out.First, err = heads[0].Cursor(ctx, s.core, list); err != nil {
		return out, err
	}
	if out.Last, err = last.Cursor(ctx, s.core, list); err != nil {
		return out, err
	}
	if rest == 0 && !sp.Asc {
		out.End()
	}
	inPage(out.Items, groups, last.ID)
	return out, nil
}

// newestVisible returns the newest of some notifications that me can see, whether or not a filter
// hides it, or 0.
func (s *Service) newestVisible(ctx context.Context, me linnet.ID, all []linnet.Notification) (linnet.ID, error) {
	found, _, err := timeline.ShowParts(all, false, 1, timeline.PartLeast, func(part []linnet.Notification) ([]linnet.NotificationView, error) {
		return s.showNotices(ctx, me, false, part)
	})
	if err != nil || len(found) == 0 {
		return 0, err
	}
	return found[0].ID, nil
}

// wholeGroups adds the notifications below a bound to groups.
func (s *Service) wholeGroups(ctx context.Context, me linnet.ID, f *linnet.GroupFilter, groups []*noticeGroup, above linnet.ID) ([]*noticeGroup, error) {
	before := linnet.MakeID(above.Time().Add(-2*linnet.GroupSpan), 0, 0)
	older, err := s.noticesBetween(ctx, me, f.NotificationFilter, db.Span{Below: above + 1, Above: before})
	if err != nil {
		return nil, err
	}
	for _, o := range noticeGroups(f, older) {
		if i := slices.IndexFunc(groups, func(g *noticeGroup) bool { return g.id == o.id }); i >= 0 {
			groups[i].all = append(groups[i].all, o.all...)
		}
	}
	return groups, nil
}

// inPage sets the oldest and the newest visible notification of each group in the span of a page
// that ends at last.
func inPage(shown []linnet.NotificationGroup, groups []*noticeGroup, last linnet.ID) {
	for i := range shown {
		v := &shown[i]
		v.PageMin, v.PageMax = v.Newest.ID, v.Newest.ID
		at := slices.IndexFunc(groups, func(g *noticeGroup) bool { return slices.Contains(g.visible, v.Newest.ID) })
		for _, id := range groups[at].visible {
			if id >= last {
				v.PageMin = min(v.PageMin, id)
			}
		}
	}
}

// showGroups shows up to limit groups with a visible notification. It returns the number of groups
// it hasn't checked. Its parts have their own limit, since a group has several notifications (see
// timeline.ShowParts).
func (s *Service) showGroups(ctx context.Context, me linnet.ID, hides bool, groups []*noticeGroup, limit int, show func(*noticeGroup, linnet.NotificationGroup)) (rest int, err error) {
	for shown := 0; len(groups) > 0 && shown < limit; {
		part := groups[:min(max(limit-shown, timeline.PartLeast), linnet.MaxUsersPage, len(groups))]
		views, err := s.viewGroups(ctx, me, hides, part)
		if err != nil {
			return 0, err
		}
		n := 0
		for _, g := range part {
			if shown == limit {
				break
			}
			n++
			if v, ok := views[g]; ok {
				show(g, v)
				shown++
			}
		}
		groups = groups[n:]
	}
	return len(groups), nil
}

// viewGroups returns the groups that have a visible notification.
func (s *Service) viewGroups(ctx context.Context, me linnet.ID, hides bool, groups []*noticeGroup) (map[*noticeGroup]linnet.NotificationGroup, error) {
	out := map[*noticeGroup]linnet.NotificationGroup{}
	for from := 0; len(groups) > 0; from += groupBatch {
		var look []linnet.Notification
		for _, g := range groups {
			look = append(look, g.all[min(from, len(g.all)):min(from+groupBatch, len(g.all))]...)
		}
		found, err := s.showNotices(ctx, me, hides, look)
		if err != nil {
			return nil, err
		}
		views := make(map[linnet.ID]*linnet.NotificationView, len(found))
		for i := range found {
			views[found[i].ID] = &found[i]
		}
		groups = slices.DeleteFunc(slices.Clone(groups), func(g *noticeGroup) bool {
			v, ok := g.view(from, views)
			if ok {
				out[g] = v
			}
			return ok || from+groupBatch >= len(g.all)
		})
	}
	return out, nil
}

// view returns the group for display, from its notifications from index from on. ok is false if
// none of them is visible.
func (g *noticeGroup) view(from int, views map[linnet.ID]*linnet.NotificationView) (v linnet.NotificationGroup, ok bool) {
	v = linnet.NotificationGroup{Key: g.id.String(), Count: len(g.all) - from}
	for _, n := range g.all[min(from, len(g.all)):min(from+groupBatch, len(g.all))] {
		one := views[n.ID]
		if one == nil {
			v.Count--
			continue
		}
		g.visible = append(g.visible, n.ID)
		if !ok {
			v.Newest, ok = *one, true
		}
		if len(v.Sample) < groupSample && !slices.ContainsFunc(v.Sample, func(u *linnet.SharedUser) bool { return u.ID == one.By.ID }) {
			v.Sample = append(v.Sample, one.By)
		}
	}
	return v, ok
}

// UnreadGroups counts the groups with a notification above me's marker, like UnreadNotifications.
// https://docs.joinmastodon.org/methods/grouped_notifications/#unread-group-count
func (s *Service) UnreadGroups(ctx context.Context, me linnet.ID, f linnet.GroupFilter, limit int) (n int, err error) {
	if limit == 0 {
		limit = linnet.DefaultUnread
	}
	read, err := s.st.Inbox.Markers(ctx, me)
	if err != nil {
		return 0, core.StoreError(err)
	}
	all, err := s.noticesBetween(ctx, me, f.NotificationFilter, db.Span{Above: read[linnet.MarkerNotifications].LastRead})
	if err != nil {
		return 0, err
	}
	_, err = s.showGroups(ctx, me, f.Shown, noticeGroups(&f, all), min(limit, linnet.MaxUnread), func(*noticeGroup, linnet.NotificationGroup) { n++ })
	return n, err
}

// groupNamed reads the notifications of a group. It returns nil if there are none.
func (s *Service) groupNamed(ctx context.Context, me linnet.ID, key string) (*noticeGroup, error) {
	from, to, ok := linnet.KeySpan(key)
	if !ok {
		return nil, nil
	}
	all, err := s.noticesBetween(ctx, me, linnet.NotificationFilter{Held: true}, db.Span{
		Above: linnet.MakeID(from.Add(-time.Millisecond), 0, 0), Below: linnet.MakeID(to, 0, 0)})
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(n linnet.Notification) bool { return n.GroupKey() != key && n.OwnKey() != key })
	if len(all) == 0 {
		return nil, nil
	}
	f := linnet.GroupFilter{}
	if all[0].GroupKey() != key {
		f.Grouped = []linnet.NotificationType{} // the key of a single notification
	}
	return &noticeGroup{id: f.Group(all[0]), all: all}, nil
}

// NotificationGroup returns a group by its key, or a single notification by its key.
// https://docs.joinmastodon.org/methods/grouped_notifications/#get-notification-group
func (s *Service) NotificationGroup(ctx context.Context, me linnet.ID, key string) (out linnet.GroupedNotifications, err error) {
	g, err := s.groupNamed(ctx, me, key)
	if err != nil {
		return out, err
	}
	if g != nil {
		_, err = s.showGroups(ctx, me, false, []*noticeGroup{g}, 1, func(_ *noticeGroup, v linnet.NotificationGroup) {
			out.Items = append(out.Items, v)
		})
	}
	if err == nil && len(out.Items) == 0 {
		err = linnet.Errorf(linnet.NotFound, "Record not found")
	}
	return out, err
}

// DismissGroup deletes the notifications of a group. It is not an error if there are none, because
// another client may have been first.
// https://docs.joinmastodon.org/methods/grouped_notifications/#dismiss-group
func (s *Service) DismissGroup(ctx context.Context, me linnet.ID, key string) error {
	g, err := s.groupNamed(store.Durable(ctx), me, key)
	if err != nil || g == nil {
		return err
	}
	return core.StoreError(s.st.Inbox.DropNotices(ctx, me, g.all))
}

// GroupPeople returns the senders of the notifications of a group, newest first. Cursors are ids of
// notifications.
// https://docs.joinmastodon.org/methods/grouped_notifications/#get-group-accounts
func (s *Service) GroupPeople(ctx context.Context, me linnet.ID, key string, p linnet.Page) (out linnet.Slice[linnet.UserView], err error) {
	sp, err := timeline.Span(p, linnet.MaxUsersPage)
	if err != nil {
		return out, err
	}
	g, err := s.groupNamed(ctx, me, key)
	if err != nil {
		return out, err
	}
	if g == nil {
		return out, linnet.Errorf(linnet.NotFound, "Record not found")
	}
	all := slices.DeleteFunc(g.all, func(n linnet.Notification) bool {
		return sp.Below != 0 && n.ID >= sp.Below || n.ID <= sp.Above
	})
	found, rest, err := timeline.ShowParts(all, sp.Asc, sp.Limit, 0, func(part []linnet.Notification) ([]linnet.NotificationView, error) {
		return s.showNotices(ctx, me, false, part)
	})
	if err != nil {
		return out, err
	}
	for i := range found {
		out.Items = append(out.Items, found[i].By.UserView)
	}
	if n := len(found); n > 0 {
		out.First, out.Last = linnet.CursorOf(found[0].ID), linnet.CursorOf(found[n-1].ID)
	}
	if len(rest) == 0 && !sp.Asc {
		out.End()
	}
	return out, nil
}

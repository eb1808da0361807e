package notify_test

import (
	"fmt"
	"slices"
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
)

// fanClub creates a user with notifications of every kind: several users favourite several
// statuses, mention and follow the user.
func fanClub(w *apptest.World, people, statuses int) (me linnet.ID, fans []linnet.ID) {
	w.Helper()
	me, fans = w.Person("me"), w.People(people)
	var mine []linnet.ID
	for i := range statuses {
		mine = append(mine, w.Post(me, "status %d", i).ID)
	}
	for i, f := range fans {
		w.Follow(f, me)
		for j, s := range mine {
			if (i+j)%3 != 0 {
				apptest.Must(w.Posting.Marks.Favourite(w.Ctx, f, s))(w)
			}
			if (i+j)%4 == 0 {
				apptest.Must(w.Posting.Repost(w.Ctx, f, s, nil))(w)
			}
		}
		w.Post(f, "hello @me")
	}
	w.Drain()
	return me, fans
}

// groupKeys reads all pages, down or up. It fails if a group appears twice or out of order.
func groupKeys(w *apptest.World, me linnet.ID, f linnet.GroupFilter, limit int, up bool) (keys []string, sum int) {
	w.Helper()
	p := linnet.Page{Limit: limit}
	if up {
		p.Min = "1"
	}
	for range 1000 {
		s := apptest.Must(w.Notify.GroupedNotifications(w.Ctx, me, f, p))(w)
		var page []string
		for i, g := range s.Items {
			if slices.Contains(keys, g.Key) || slices.Contains(page, g.Key) {
				w.Fatalf("group %s comes twice", g.Key)
			}
			if i > 0 && g.Newest.ID >= s.Items[i-1].Newest.ID {
				w.Fatalf("group %s is out of order", g.Key)
			}
			if g.PageMin < s.Items[len(s.Items)-1].Newest.ID || g.PageMin > g.PageMax || g.PageMax != g.Newest.ID {
				w.Fatalf("group %s from %v to %v on its page", g.Key, g.PageMin, g.PageMax)
			}
			page = append(page, g.Key)
			sum += g.Count
		}
		if up {
			keys = append(page, keys...)
			if len(page) == 0 {
				return keys, sum
			}
			p.Min = s.First
			continue
		}
		keys = append(keys, page...)
		if s.Last == "" {
			return keys, sum
		}
		p.Max = s.Last
	}
	w.Fatal("paging does not end")
	return nil, 0
}

// TestGroupsPageByPage checks that pages of each size and direction contain each group once, and
// that the groups contain all notifications.
func TestGroupsPageByPage(t *testing.T) {
	w := apptest.InMemory(t)
	me, fans := fanClub(w, 12, 5)
	flat := w.NoticesOf(me, linnet.NotificationFilter{}, 80)
	var want []string
	for _, n := range flat {
		if key := n.GroupKey(); !slices.Contains(want, key) {
			want = append(want, key)
		}
	}
	if len(want) != 5+5+1+len(fans) {
		t.Fatalf("%d groups of %d notifications: %v", len(want), len(flat), want)
	}
	for _, limit := range []int{1, 2, 3, 7, 20, 80} {
		for _, up := range []bool{false, true} {
			keys, sum := groupKeys(w, me, linnet.GroupFilter{}, limit, up)
			if fmt.Sprint(keys) != fmt.Sprint(want) || sum != len(flat) {
				t.Errorf("limit %d, up %v: %d notifications in %v\nwant %d in %v", limit, up, sum, keys, len(flat), want)
			}
		}
	}
	alone, sum := groupKeys(w, me, linnet.GroupFilter{Grouped: []linnet.NotificationType{}}, 9, false)
	if len(alone) != len(flat) || sum != len(flat) {
		t.Errorf("ungrouped: %d of %d", len(alone), len(flat))
	}
	one := linnet.GroupFilter{NotificationFilter: linnet.NotificationFilter{From: fans[0], Exclude: []linnet.NotificationType{linnet.NotifyMention}}}
	if _, sum := groupKeys(w, me, one, 2, false); sum != len(w.NoticesOf(me, one.NotificationFilter, 80)) {
		t.Errorf("of one person: %d", sum)
	}
	s := apptest.Must(w.Notify.GroupedNotifications(w.Ctx, me, linnet.GroupFilter{}, linnet.Page{Since: linnet.CursorOf(flat[len(flat)/2].ID)}))(w)
	for _, g := range s.Items {
		if i := slices.IndexFunc(flat, func(n linnet.NotificationView) bool { return n.GroupKey() == g.Key }); flat[i].ID != g.Newest.ID || i >= len(flat)/2 {
			t.Errorf("since: group %s", g.Key)
		}
		whole := apptest.Must(w.Notify.NotificationGroup(w.Ctx, me, g.Key))(w)
		if whole.Items[0].Count != g.Count || whole.Items[0].PageMax != 0 {
			t.Errorf("group %s has %d, alone %d", g.Key, g.Count, whole.Items[0].Count)
		}
	}
}

// TestGroupActs checks that groups are read, counted and dismissed as a whole, without deleted
// accounts.
func TestGroupActs(t *testing.T) { apptest.OnEngines(t, groupActs) }

func groupActs(w *apptest.World) {
	me, fans := fanClub(w, 9, 1)
	all := apptest.Must(w.Notify.GroupedNotifications(w.Ctx, me, linnet.GroupFilter{}, linnet.Page{}))(w)
	var follows linnet.NotificationGroup
	for _, g := range all.Items {
		if g.Newest.Type == linnet.NotifyFollow {
			follows = g
		}
	}
	if follows.Count != len(fans) || len(follows.Sample) != 8 || follows.Sample[0].ID != fans[8] {
		w.Errorf("%d follows, %d people named", follows.Count, len(follows.Sample))
	}
	people := apptest.Must(w.Notify.GroupPeople(w.Ctx, me, follows.Key, linnet.Page{Limit: 4}))(w)
	next := apptest.Must(w.Notify.GroupPeople(w.Ctx, me, follows.Key, linnet.Page{Limit: 6, Max: people.Last}))(w)
	if len(people.Items) != 4 || len(next.Items) != 5 || next.Items[0].ID != fans[4] || next.Last != "" {
		w.Errorf("%d and %d people", len(people.Items), len(next.Items))
	}
	back := apptest.Must(w.Notify.GroupPeople(w.Ctx, me, follows.Key, linnet.Page{Limit: 3, Min: next.First}))(w)
	if len(back.Items) != 3 || back.Items[2].ID != fans[5] || back.First == "" {
		w.Errorf("upwards: %d people", len(back.Items))
	}
	if n := apptest.Must(w.Notify.UnreadGroups(w.Ctx, me, linnet.GroupFilter{}, 0))(w); n != len(all.Items) {
		w.Errorf("%d unread of %d", n, len(all.Items))
	}
	for _, who := range []linnet.ID{fans[0], me} {
		_, err := w.Notify.NotificationGroup(w.Ctx, who, map[linnet.ID]string{fans[0]: follows.Key, me: "favourite-1-x"}[who])
		apptest.WantKind(w, err, linnet.NotFound)
	}
	apptest.Must(w.Social.Unfollow(w.Ctx, fans[8], me))(w)
	w.Drain()
	if g := apptest.Must(w.Notify.NotificationGroup(w.Ctx, me, follows.Key))(w).Items[0]; g.Count != 8 || g.Sample[0].ID != fans[7] {
		w.Errorf("after the end of a follow: %d", g.Count)
	}
	for range 2 {
		if err := w.Notify.DismissGroup(w.Ctx, me, follows.Key); err != nil {
			w.Error(err)
		}
	}
	_, err := w.Notify.NotificationGroup(w.Ctx, me, follows.Key)
	apptest.WantKind(w, err, linnet.NotFound)
	if n := len(apptest.Must(w.Notify.GroupedNotifications(w.Ctx, me, linnet.GroupFilter{}, linnet.Page{}))(w).Items); n != len(all.Items)-1 {
		w.Errorf("%d groups are left", n)
	}
	w.Check()
}

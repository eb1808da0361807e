package reading_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
)

// TestMarkersRace checks that concurrent saves each increase the version or return a conflict. None
// is dropped silently.
func TestMarkersRace(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		me := w.Person("me")
		var saved atomic.Int64
		var wg sync.WaitGroup
		for g := range 8 {
			wg.Go(func() {
				for i := range 10 {
					name := linnet.MarkerHome
					if g%2 == 0 {
						name = linnet.MarkerNotifications
					}
					_, err := w.Reading.SaveMarkers(w.Ctx, me, map[linnet.MarkerTimeline]linnet.ID{name: linnet.ID(100*g + i + 1)})
					if err == nil {
						saved.Add(1)
					} else if linnet.KindOf(err) != linnet.Conflict {
						w.Error(err)
					}
				}
			})
		}
		wg.Wait()
		all := apptest.Must(w.Reading.Markers(w.Ctx, me, []linnet.MarkerTimeline{linnet.MarkerHome, linnet.MarkerNotifications}))(w)
		if n := all[linnet.MarkerHome].Version + all[linnet.MarkerNotifications].Version; n != uint64(saved.Load()) || n == 0 {
			w.Errorf("%d saves, versions %+v", saved.Load(), all)
		}
		w.Check()
	})
}

// TestUnreadNotifications checks that the count of unread notifications spans several reads and has
// its bounds.
func TestUnreadNotifications(t *testing.T) {
	w := apptest.InMemory(t)
	me, ann := w.Person("me"), w.Person("ann")
	for i := range 1100 {
		w.Post(ann, "%d @me", i)
	}
	w.Drain()
	for limit, want := range map[int]int{0: linnet.DefaultUnread, 7: 7, 250: 250, 999: 999, 5000: linnet.MaxUnread} {
		if n := apptest.Must(w.Notify.UnreadNotifications(w.Ctx, me, linnet.NotificationFilter{}, limit))(w); n != want {
			t.Errorf("limit %d: %d", limit, n)
		}
	}
	p := apptest.Must(w.Notify.Notifications(w.Ctx, me, linnet.NotificationFilter{}, linnet.Page{Limit: 80}))(w)
	apptest.Must(w.Reading.SaveMarkers(w.Ctx, me, map[linnet.MarkerTimeline]linnet.ID{linnet.MarkerNotifications: p.Items[70].ID}))(w)
	if n := apptest.Must(w.Notify.UnreadNotifications(w.Ctx, me, linnet.NotificationFilter{}, 0))(w); n != 70 {
		t.Errorf("%d above the marker", n)
	}
}

// TestUnreadShown checks that the count shown on pages is cached until a change affects it.
func TestUnreadShown(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		me, ann, bob := w.Person("me"), w.Person("ann"), w.Person("bob")
		marked := func(id linnet.ID) {
			apptest.Must(w.Reading.SaveMarkers(w.Ctx, me, map[linnet.MarkerTimeline]linnet.ID{linnet.MarkerNotifications: id}))(w)
		}
		newest := func() linnet.ID {
			return apptest.Must(w.Notify.Notifications(w.Ctx, me, linnet.NotificationFilter{}, linnet.Page{}))(w).Items[0].ID
		}
		said := w.Post(me, "hello")
		var first, mention linnet.ID
		var filter linnet.Filter
		for _, step := range []struct {
			name string
			act  func()
			want int
		}{
			{"nothing yet", func() {}, 0},
			{"a mention", func() { mention = w.Post(ann, "@me").ID }, 1},
			{"a favourite", func() { first = newest(); apptest.Must(w.Posting.Marks.Favourite(w.Ctx, bob, said.ID))(w) }, 2},
			{"a follow", func() { w.Follow(ann, me) }, 3},
			{"one was read", func() { marked(first) }, 2},
			{"bob is muted", func() { apptest.Must(w.Social.Mute(w.Ctx, me, bob, linnet.MuteOptions{Notices: true}))(w) }, 1},
			{"bob is not muted", func() { apptest.Must(w.Social.Unmute(w.Ctx, me, bob))(w) }, 2},
			{"a mention that a filter finds", func() { mention = w.Post(ann, "@me birds").ID }, 3},
			{"the filter warns", func() { filter = w.Filter(me, linnet.FilterNotifications, "birds") }, 3},
			{"the filter hides", func() {
				apptest.Must(w.Reading.UpdateFilter(w.Ctx, me, filter.ID, linnet.FilterChange{Action: new(linnet.FilterHide)}))(w)
			}, 2},
			{"another mention", func() { mention = w.Post(ann, "@me trains").ID }, 3},
			{"which is deleted", func() { apptest.Must(w.Posting.Delete(w.Ctx, ann, mention))(w) }, 2},
			{"ann is blocked", func() { apptest.Must(w.Social.Block(w.Ctx, me, ann))(w) }, 1},
			{"all were read", func() { marked(newest()) }, 0},
			{"all are cleared", func() { w.OK(w.Notify.ClearNotifications(w.Ctx, me)) }, 0},
		} {
			step.act()
			w.Drain()
			for range 2 {
				if n := apptest.Must(w.Notify.UnreadShown(w.Ctx, me))(w); n != step.want {
					w.Errorf("%s: %d unread, want %d", step.name, n, step.want)
				}
			}
		}
	})
}

// TestUnreadShownCost checks that pages do not query the store for a cached count.
func TestUnreadShownCost(t *testing.T) {
	c := apptest.NewCosts(t)
	me, ann := c.Person("me"), c.Person("ann")
	c.Post(ann, "@me")
	c.Drain()
	apptest.Must(c.Notify.UnreadShown(c.Ctx, me))(t)
	if s := c.Of("unread notifications", func() { apptest.Must(c.Notify.UnreadShown(c.Ctx, me))(t) }); s.Reads > 0 {
		t.Errorf("%d reads, want none", s.Reads)
	}
}

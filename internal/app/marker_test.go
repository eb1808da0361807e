package app_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"linnet/internal/linnet"
)

// TestMarkersRace checks that concurrent saves each increase the version or return a conflict. None
// is dropped silently.
func TestMarkersRace(t *testing.T) {
	onEngines(t, func(w *world) {
		me := w.person("me")
		var saved atomic.Int64
		var wg sync.WaitGroup
		for g := range 8 {
			wg.Go(func() {
				for i := range 10 {
					name := linnet.MarkerHome
					if g%2 == 0 {
						name = linnet.MarkerNotifications
					}
					_, err := w.Reading.SaveMarkers(w.ctx, me, map[linnet.MarkerTimeline]linnet.ID{name: linnet.ID(100*g + i + 1)})
					if err == nil {
						saved.Add(1)
					} else if linnet.KindOf(err) != linnet.Conflict {
						w.Error(err)
					}
				}
			})
		}
		wg.Wait()
		all := must(w.Reading.Markers(w.ctx, me, []linnet.MarkerTimeline{linnet.MarkerHome, linnet.MarkerNotifications}))(w)
		if n := all[linnet.MarkerHome].Version + all[linnet.MarkerNotifications].Version; n != uint64(saved.Load()) || n == 0 {
			w.Errorf("%d saves, versions %+v", saved.Load(), all)
		}
		w.check()
	})
}

// TestUnreadNotifications checks that the count of unread notifications spans several reads and has
// its bounds.
func TestUnreadNotifications(t *testing.T) {
	w := memWorld(t)
	me, ann := w.person("me"), w.person("ann")
	for i := range 1100 {
		w.post(ann, "%d @me", i)
	}
	w.drain()
	for limit, want := range map[int]int{0: linnet.DefaultUnread, 7: 7, 250: 250, 999: 999, 5000: linnet.MaxUnread} {
		if n := must(w.Notify.UnreadNotifications(w.ctx, me, linnet.NotificationFilter{}, limit))(w); n != want {
			t.Errorf("limit %d: %d", limit, n)
		}
	}
	p := must(w.Notify.Notifications(w.ctx, me, linnet.NotificationFilter{}, linnet.Page{Limit: 80}))(w)
	must(w.Reading.SaveMarkers(w.ctx, me, map[linnet.MarkerTimeline]linnet.ID{linnet.MarkerNotifications: p.Items[70].ID}))(w)
	if n := must(w.Notify.UnreadNotifications(w.ctx, me, linnet.NotificationFilter{}, 0))(w); n != 70 {
		t.Errorf("%d above the marker", n)
	}
}

// TestUnreadShown checks that the count shown on pages is cached until a change affects it.
func TestUnreadShown(t *testing.T) {
	onEngines(t, func(w *world) {
		me, ann, bob := w.person("me"), w.person("ann"), w.person("bob")
		marked := func(id linnet.ID) {
			must(w.Reading.SaveMarkers(w.ctx, me, map[linnet.MarkerTimeline]linnet.ID{linnet.MarkerNotifications: id}))(w)
		}
		newest := func() linnet.ID {
			return must(w.Notify.Notifications(w.ctx, me, linnet.NotificationFilter{}, linnet.Page{}))(w).Items[0].ID
		}
		said := w.post(me, "hello")
		var first, mention linnet.ID
		var filter linnet.Filter
		for _, step := range []struct {
			name string
			act  func()
			want int
		}{
			{"nothing yet", func() {}, 0},
			{"a mention", func() { mention = w.post(ann, "@me").ID }, 1},
			{"a favourite", func() { first = newest(); must(w.Posting.Marks.Favourite(w.ctx, bob, said.ID))(w) }, 2},
			{"a follow", func() { w.follow(ann, me) }, 3},
			{"one was read", func() { marked(first) }, 2},
			{"bob is muted", func() { must(w.Social.Mute(w.ctx, me, bob, linnet.MuteOptions{Notices: true}))(w) }, 1},
			{"bob is not muted", func() { must(w.Social.Unmute(w.ctx, me, bob))(w) }, 2},
			{"a mention that a filter finds", func() { mention = w.post(ann, "@me birds").ID }, 3},
			{"the filter warns", func() { filter = w.filter(me, linnet.FilterNotifications, "birds") }, 3},
			{"the filter hides", func() {
				must(w.Reading.UpdateFilter(w.ctx, me, filter.ID, linnet.FilterChange{Action: new(linnet.FilterHide)}))(w)
			}, 2},
			{"another mention", func() { mention = w.post(ann, "@me trains").ID }, 3},
			{"which is deleted", func() { must(w.Posting.Delete(w.ctx, ann, mention))(w) }, 2},
			{"ann is blocked", func() { must(w.Social.Block(w.ctx, me, ann))(w) }, 1},
			{"all were read", func() { marked(newest()) }, 0},
			{"all are cleared", func() { w.did(w.Notify.ClearNotifications(w.ctx, me)) }, 0},
		} {
			step.act()
			w.drain()
			for range 2 {
				if n := must(w.Notify.UnreadShown(w.ctx, me))(w); n != step.want {
					w.Errorf("%s: %d unread, want %d", step.name, n, step.want)
				}
			}
		}
	})
}

// TestUnreadShownCost checks that pages do not query the store for a cached count.
func TestUnreadShownCost(t *testing.T) {
	c := newCosts(t)
	me, ann := c.person("me"), c.person("ann")
	c.post(ann, "@me")
	c.drain()
	must(c.Notify.UnreadShown(c.ctx, me))(t)
	if s := c.of("unread notifications", func() { must(c.Notify.UnreadShown(c.ctx, me))(t) }); s.Reads > 0 {
		t.Errorf("%d reads, want none", s.Reads)
	}
}

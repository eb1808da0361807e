package app_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"linnet/internal/linnet"
)

// Of saves at the same time each is counted in the version or refused as a
// conflict; none is lost without a word.
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

// The count of unread notifications goes through more than one read of them, and
// has its bounds.
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

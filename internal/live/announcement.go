package live

import (
	"context"

	"linnet/internal/core"
	"linnet/internal/linnet"
)

// announcement sends an announcement or a reaction to all listeners with a user, after this server
// has read it.
func (h *hub) announcement(ctx context.Context, ev core.Event) {
	told := &linnet.StreamEvent{Stream: linnet.Stream{Kind: linnet.StreamUser}, Type: ev.Type, About: ev.Announcement, Memo: &linnet.Memo{}}
	switch ev.Type {
	case linnet.EventAnnouncement:
		v, err := h.s.announcing.ForAll(ctx, ev.Announcement, ev.Set)
		if err != nil {
			return // it is deleted, or can't be read: clients fetch the current state
		}
		told.Announcement = &v
	case linnet.EventAnnouncementDeleted:
		if err := h.s.core.RefreshAnnouncements(ctx, ev.Set); err != nil && ctx.Err() == nil {
			h.s.opt.Log.Debug("cannot read announcements", "err", err)
		}
	default:
		told.Reaction = &linnet.Reaction{Name: ev.Name, Count: ev.Count, Emoji: h.s.core.Emojis().Shown(ev.Name)}
	}
	for _, l := range h.all() {
		for _, st := range l.subscribed() {
			if st == told.Stream {
				h.send(l, told)
			}
		}
	}
}

package live

import (
	"context"

	"linnet/internal/core"
	"linnet/internal/linnet"
)

// conversation sends a changed conversation to its user's listeners.
func (h *hub) conversation(ctx context.Context, ev core.Event) {
	var view *linnet.ConversationView
	for _, l := range h.all() {
		if l.who.User != ev.To {
			continue
		}
		for _, st := range l.subscribed() {
			if st.Kind != linnet.StreamUser && st.Kind != linnet.StreamDirect {
				continue
			}
			if view == nil {
				v, err := h.s.conversations.Get(ctx, ev.To, ev.Conversation)
				if err != nil {
					return // it is deleted
				}
				view = &v
			}
			h.send(l, &linnet.StreamEvent{Stream: st, Type: ev.Type, Conversation: view})
		}
	}
}

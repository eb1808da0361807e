package mastodon

import (
	"bytes"
	"fmt"

	"linnet/internal/linnet"
)

// payload writes what an event says: the entity as JSON, just as a request for
// it would answer, or the bare id of what was deleted; nil for an event that says
// nothing more. One that the session may not read is left out: ok is false.
func (s *streams) payload(who linnet.Session, ev linnet.StreamEvent) (text []byte, ok bool, err error) {
	var entity any
	switch {
	case ev.Type == linnet.EventFilters:
		return nil, true, nil
	case ev.Type == linnet.EventDelete:
		return []byte(ev.Deleted.String()), true, nil
	case ev.Type == linnet.EventAnnouncementGone:
		return []byte(ev.About.String()), true, nil
	case ev.Type == linnet.EventAnnouncement && ev.Announcement != nil:
		entity = s.api.announcement(ev.Announcement)
	case ev.Type == linnet.EventReaction && ev.Reaction != nil:
		r := s.api.reactionTo(ev.Reaction)
		r.AnnouncementID = ev.About.String()
		entity = r
	case ev.Type == linnet.EventMerged:
		return []byte("1"), who.Allows(scopeNotifications), nil
	case (ev.Type == linnet.EventUpdate || ev.Type == linnet.EventEdit) && ev.Status != nil:
		entity = oneStatus{who.User, ev.Status}
	case ev.Type == linnet.EventNotification && ev.Notification != nil:
		if !who.Allows(scopeNotifications) {
			return nil, false, nil
		}
		entity = oneNotification{who.User, ev.Notification}
	case ev.Type == linnet.EventConversation && ev.Conversation != nil:
		entity = oneConversation{who.User, ev.Conversation}
	default:
		return nil, false, nil
	}
	// Copied: the bytes are valid during the call only.
	err = s.api.encoded(entity, func(b []byte) { text = bytes.Clone(b) })
	if err != nil {
		return nil, false, fmt.Errorf("write a %s event: %w", ev.Type, err)
	}
	return text, true, nil
}

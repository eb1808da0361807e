package streaming

import (
	"bytes"
	"encoding/json"
	"fmt"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/wire"
)

// transport is the protocol of a stream.
type transport int

const (
	overSSE transport = iota
	overSocket
	transports
)

// inForm caches the encoding of an event for each transport. An entry is nil until it is used.
type inForm [transports][]byte

// form returns an event as encoded for a transport, or nil if the session may not read it. It logs
// an event that cannot be encoded and returns nil, so that the stream continues. An event that
// looks the same to all listeners is encoded once.
func (s *Server) form(who linnet.Session, ev *linnet.StreamEvent, over transport) []byte {
	memo := ev.Memo
	if !looksAlike(ev, who.User) {
		memo = nil
	}
	cached, _ := memo.Get().(inForm)
	if cached[over] != nil {
		return cached[over]
	}
	encoded, err := s.encode(who, ev, over)
	if err != nil {
		s.opt.Log.Error("cannot send stream event", "err", err)
	}
	if encoded == nil {
		return nil
	}
	cached[over] = encoded
	memo.Set(cached) // two goroutines that encode it at once for two transports overwrite each other
	return encoded
}

// encode encodes an event for a transport. It returns nil if the session may not read the event.
func (s *Server) encode(who linnet.Session, ev *linnet.StreamEvent, over transport) ([]byte, error) {
	text, ok, err := s.payload(who, ev)
	if err != nil || !ok {
		return nil, err
	}
	if over == overSocket {
		return eventFrame(ev, text)
	}
	return eventLines(ev, text), nil
}

// looksAlike reports whether an event looks the same to a viewer as to other listeners. A status
// looks different to its author, to the author of the original and without a user. Notifications
// depend on scopes.
func looksAlike(ev *linnet.StreamEvent, viewer linnet.ID) bool {
	switch ev.Type {
	case linnet.EventUpdate, linnet.EventEdit:
		st := ev.Status
		return viewer != 0 && st != nil && viewer != st.Author && (st.Repost == nil || viewer != st.Repost.Author)
	case linnet.EventDelete, linnet.EventAnnouncement, linnet.EventReaction, linnet.EventAnnouncementDeleted:
		return true
	}
	return false
}

// eventFrame returns a WebSocket message. The JSON of the payload is a string within it. It is nil
// for an event without content.
func eventFrame(ev *linnet.StreamEvent, payload []byte) ([]byte, error) {
	f := struct {
		Stream  []string         `json:"stream"`
		Event   linnet.EventType `json:"event"`
		Payload *string          `json:"payload,omitempty"`
	}{Stream: streamWords(ev.Stream), Event: ev.Type}
	if payload != nil {
		text := string(payload)
		f.Payload = &text
	}
	text, err := json.Marshal(f)
	if err != nil {
		return nil, fmt.Errorf("write a frame: %w", err)
	}
	return textFrame(text), nil
}

// eventLines returns an event of an event stream.
func eventLines(ev *linnet.StreamEvent, payload []byte) []byte {
	if payload == nil { // browsers drop an event without data. Mastodon sends this
		payload = []byte("undefined")
	}
	return fmt.Appendf(nil, "event: %s\ndata: %s\n\n", ev.Type, payload)
}

// payload returns the content of an event: the entity as JSON, or the id of a deleted object, or
// nil. It returns false if the session may not read the event.
func (s *Server) payload(who linnet.Session, ev *linnet.StreamEvent) (text []byte, ok bool, err error) {
	var entity any
	switch {
	case ev.Type == linnet.EventFilters:
		return nil, true, nil
	case ev.Type == linnet.EventDelete:
		return []byte(ev.Deleted.String()), true, nil
	case ev.Type == linnet.EventAnnouncementDeleted:
		return []byte(ev.About.String()), true, nil
	case ev.Type == linnet.EventAnnouncement && ev.Announcement != nil:
		entity = s.opt.Encoder.Announcement(ev.Announcement)
	case ev.Type == linnet.EventReaction && ev.Reaction != nil:
		r := s.opt.Encoder.Reaction(ev.Reaction)
		r.AnnouncementID = ev.About.String()
		entity = r
	case ev.Type == linnet.EventMerged:
		return []byte("1"), who.Allows(scopeNotifications), nil
	case (ev.Type == linnet.EventUpdate || ev.Type == linnet.EventEdit) && ev.Status != nil:
		entity = wire.OneStatus{Viewer: who.User, View: ev.Status}
	case ev.Type == linnet.EventNotification && ev.Notification != nil:
		if !who.Allows(scopeNotifications) {
			return nil, false, nil
		}
		entity = wire.OneNotification{Viewer: who.User, View: ev.Notification}
	case ev.Type == linnet.EventConversation && ev.Conversation != nil:
		entity = wire.OneConversation{Viewer: who.User, View: ev.Conversation}
	default:
		return nil, false, nil
	}
	// Copied: the bytes are valid during the call only.
	err = s.opt.Encoder.Encode(entity, func(b []byte) { text = bytes.Clone(b) })
	if err != nil {
		return nil, false, fmt.Errorf("write a %s event: %w", ev.Type, err)
	}
	return text, true, nil
}

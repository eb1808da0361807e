package wire

import (
	"linnet/internal/linnet"
)

// OneConversation is a conversation as a response.
type OneConversation struct {
	Viewer linnet.ID
	View   *linnet.ConversationView
}

func (d OneConversation) write(e *Encoder, w *buffer) { e.writeConversation(w, d.View, d.Viewer) }

// ConversationList is a list of conversations as a response.
type ConversationList struct {
	Viewer linnet.ID
	Views  []linnet.ConversationView
}

func (d ConversationList) write(e *Encoder, w *buffer) {
	writeList(w, d.Views, func(v *linnet.ConversationView) { e.writeConversation(w, v, d.Viewer) })
}

// conversationHead is the entity Conversation without accounts and last_status.
// https://docs.joinmastodon.org/entities/Conversation/
type conversationHead struct {
	ID     string `json:"id"`
	Unread bool   `json:"unread"`
}

func (e *Encoder) writeConversation(w *buffer, v *linnet.ConversationView, viewer linnet.ID) {
	w.text("{")
	w.contents(conversationHead{v.ID.String(), v.Unread})
	w.text(`,"accounts":`)
	writeList(w, v.People, func(u **linnet.SharedUser) { e.writeAccount(w, *u) })
	w.text(`,"last_status":`)
	e.writeStatus(w, v.Status, viewer)
	w.text("}")
}

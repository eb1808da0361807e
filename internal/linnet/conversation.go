package linnet

// Conversation is one participant's view of the direct statuses between the same users: their
// authors and mentions. Each participant has their own, with its own id. Statuses between the same
// users are in the same conversation, whether they are replies or not. A status with other
// participants is in another one.
type Conversation struct {
	ID     ID // valid for its owner only
	Unread bool
	Last   ID // its newest status
}

// ConversationView is a conversation as its owner sees it.
// https://docs.joinmastodon.org/entities/Conversation/
type ConversationView struct {
	Conversation
	People []*SharedUser // the others, or the owner if there are none
	Status *StatusView   // the newest one that the owner can see

	// Deserted reports that there were others, but all of them are deleted.
	Deserted bool
}

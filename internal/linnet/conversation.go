package linnet

// Conversation is what one person keeps of the direct statuses between a set of
// people: the author of a status and those whom it mentions. Each of them has a
// conversation of their own, with an id of its own; statuses between the same
// people meet in it, whoever writes and whatever is answered. A status that names
// more people, or fewer, belongs to another conversation.
type Conversation struct {
	ID     ID // good for its owner only
	Unread bool
	Last   ID // its newest status
}

// ConversationView is a conversation as its owner sees it.
// https://docs.joinmastodon.org/entities/Conversation/
type ConversationView struct {
	Conversation
	People []*SharedUser // the others; the owner, if there are none
	Status *StatusView   // the newest that the owner may see

	// Deserted: there were others, and none of them is here any more.
	Deserted bool
}

package compose

import (
	"linnet/internal/linnet"
	"linnet/internal/posting"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
)

// ConversationPath returns the path of a conversation. For a chat it is the group's page.
func ConversationPath(c *page.Context, v linnet.ConversationView) string {
	if IsChat(c, v) {
		return paths.Person(v.People[0].Login)
	}
	return paths.Messages + "/" + v.ID.String()
}

// IsChat reports whether a conversation is a chat. The conversation with the chat's account, which
// sends invitations and receives commands, isn't.
func IsChat(c *page.Context, v linnet.ConversationView) bool {
	return len(v.People) == 1 && v.People[0].Group == linnet.Chat && v.ID == posting.ConversationIn(c.Me.ID, v.People[0].ID)
}

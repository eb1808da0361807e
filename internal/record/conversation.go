package record

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// Conversation is a user's conversation. A deleted one is kept for a while,
// without a newest status: a task that is late or repeated must not bring back
// what its owner has deleted.
type Conversation struct {
	Last    JID  `json:"last,omitzero"`
	Unread  bool `json:"unread,omitempty"`
	Deleted JID  `json:"deleted,omitzero"` // this status and older ones stay out
}

// ConversationID is the id of the conversation that a user has with some people,
// the user among them or not. It follows from who they are, so that nobody has to
// look it up, and tells nothing about them.
func ConversationID(owner linnet.ID, people []linnet.ID) linnet.ID {
	others := slices.DeleteFunc(slices.Clone(people), func(id linnet.ID) bool { return id == owner })
	slices.Sort(others)
	h := sha256.New()
	for _, id := range append([]linnet.ID{owner}, slices.Compact(others)...) {
		fmt.Fprintf(h, "%d.", id)
	}
	return linnet.ID(max(binary.BigEndian.Uint64(h.Sum(nil))>>1, 1))
}

func ConversationKey(kind string, owner, id linnet.ID) kv.Key {
	return kv.Key{Kind: kind, Shard: owner.Shard(), ID: owner.String() + "." + id.String()}
}

func ConversationsKey(owner linnet.ID) kv.Key { return IDKey(KindConversations, owner) }

// ConversationsCounter counts a user's conversations, under the user's counts.
const ConversationsCounter = "conversations"

// ListedAs is the member of its owner's list by which a conversation is found.
func ListedAs(last, id linnet.ID) string { return last.String() + "." + id.String() }

func ParseListed(m string) (last, id linnet.ID, ok bool) {
	head, tail, _ := strings.Cut(m, ".")
	last, ok = linnet.ParseID(head)
	id, _ = linnet.ParseID(tail)
	return last, id, ok && id != 0
}

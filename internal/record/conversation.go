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

// Conversation is a user's conversation. A deleted one is stored for a while without a newest
// status, because a late or repeated task must not restore it.
type Conversation struct {
	Last    JID  `json:"last,omitzero"`
	Unread  bool `json:"unread,omitempty"`
	Deleted JID  `json:"deleted,omitzero"` // this status and older ones are hidden
}

// ConversationID returns the id of a user's conversation with some users, who may include the user.
// It depends only on these users, so it need not be looked up, and reveals nothing about them.
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

// ListedAs returns the member of the owner's list by which a conversation is found.
func ListedAs(last, id linnet.ID) string { return last.String() + "." + id.String() }

func ParseListed(m string) (last, id linnet.ID, ok bool) {
	head, tail, _ := strings.Cut(m, ".")
	last, ok = linnet.ParseID(head)
	id, _ = linnet.ParseID(tail)
	return last, id, ok && id != 0
}

package audit

import (
	"fmt"
	"slices"
	"strings"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/inbox"
)

// conversationOf reads the user and the conversation that a key consists of.
func (x *auditing) conversationOf(key kv.Key) (owner, id linnet.ID, ok bool) {
	of, conversation, _ := strings.Cut(key.ID, ".")
	owner, ok1 := linnet.ParseID(of)
	id, ok2 := linnet.ParseID(conversation)
	if !ok1 || !ok2 || owner.Shard() != key.Shard {
		x.found(RuleRecord, key, "the key is not a user of its shard and a conversation")
		return 0, 0, false
	}
	return owner, id, true
}

// checkConversation checks that a conversation is in its owner's list and that its newest status is
// right. A deleted one has no records.
func checkConversation(x *auditing, key kv.Key) {
	owner, id, ok := x.conversationOf(key)
	if !ok {
		return
	}
	x.belongs(key, owner)
	get := &kv.Get{Key: key}
	newest := &kv.Range{Key: record.ConversationKey(record.KindMessages, owner, id), Desc: true, Limit: 1}
	x.ask(func() {
		var r record.Conversation
		if !read(x, get, &r) {
			return
		}
		if r.Last == 0 {
			if len(newest.Members) > 0 {
				x.found(RuleDeleted, newest.Key, "the conversation was deleted")
			}
			return
		}
		last := linnet.ID(r.Last)
		if len(newest.Members) == 0 || newest.Members[0].Member != last.String() {
			x.found(RuleIndex, key, fmt.Sprintf("its newest status is %v, but %v has %v", last, newest.Key, newest.Members))
		}
		q := &kv.Scores{Key: record.ConversationsKey(owner), Members: []string{record.ListedAs(last, id)}}
		x.ask(func() {
			if !q.Found[0] {
				x.found(RuleOrphan, key, fmt.Sprintf("%q is not in %v", q.Members[0], q.Key))
			}
		}, q)
	}, get, newest)
}

// conversations: each leads to a conversation with that newest status, and all
// are counted.
func checkConversations(x *auditing, key kv.Key) {
	owner, ok := x.keyID(key)
	if !ok {
		return
	}
	x.belongs(key, owner)
	x.each(key, func(m kv.Member) {
		last, id, ok := record.ParseListed(m.Member)
		if !ok || m.Score != last.Millis() {
			x.found(RuleRecord, key, fmt.Sprintf("%q at %d is not a conversation", m.Member, m.Score))
			return
		}
		get := &kv.Get{Key: record.ConversationKey(record.KindConversation, owner, id)}
		x.ask(func() {
			var r record.Conversation
			if get.Version == 0 || read(x, get, &r) && linnet.ID(r.Last) != last {
				x.found(RuleIndex, key, fmt.Sprintf("%q points to no conversation with that newest status", m.Member))
			}
		}, get)
	}, func(w whole) { x.sized(w, record.CountsKey(owner), record.ConversationsCounter) })
}

// checkMessages checks that the conversation exists, and that each of its statuses exists, is
// direct and has the same participants, including the owner.
func checkMessages(x *auditing, key kv.Key) {
	owner, id, ok := x.conversationOf(key)
	if !ok {
		return
	}
	get := &kv.Get{Key: record.ConversationKey(record.KindConversation, owner, id)}
	x.ask(func() {
		if get.Version == 0 {
			x.found(RuleOrphan, key, "there is no such conversation")
		}
	}, get)
	x.each(key, func(m kv.Member) {
		status, ok := linnet.ParseID(m.Member)
		if !ok || m.Score != status.Millis() {
			x.found(RuleRecord, key, fmt.Sprintf("%q at %d is not a status", m.Member, m.Score))
			return
		}
		x.withStatus(status, func(st *linnet.Status) { x.message(key, owner, id, status, st) })
	}, nil)
}

func (x *auditing) message(key kv.Key, owner, id, status linnet.ID, st *linnet.Status) {
	if st == nil {
		x.found(RuleDeleted, key, fmt.Sprintf("post %v doesn't exist", status), record.StatusAffair(status))
		return
	}
	if st.ForMembers() {
		if st.Visibility != linnet.Direct || inbox.ChatConversationID(owner, st.Group) != id {
			x.found(RuleIndex, key, fmt.Sprintf("status %v belongs to another conversation", status))
		}
		return
	}
	people := []linnet.ID{st.Author}
	for _, m := range st.Mentions {
		people = append(people, m.ID)
	}
	switch {
	case st.Visibility != linnet.Direct:
		x.found(RuleIndex, key, fmt.Sprintf("status %v is %v", status, st.Visibility))
	case !slices.Contains(people, owner):
		x.found(RulePrivate, key, fmt.Sprintf("status %v is not for user %v", status, owner), record.StatusAffair(status))
	case record.ConversationID(owner, people) != id:
		x.found(RuleIndex, key, fmt.Sprintf("status %v belongs to another conversation", status), record.StatusAffair(status))
	}
}

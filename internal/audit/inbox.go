package audit

import (
	"slices"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/inbox"
)

// inboxRows are the rows of notifications, conversations and other records of one user.
func inboxRows() map[string]row {
	return map[string]row{
		record.KindNotices:  {owner: ofUser, set: members(noticeRefs)},
		record.KindHeld:     {owner: ofUser, set: members(noticeRefs)},
		record.KindPolicy:   {owner: ofUser, value: readable[record.Policy]},
		record.KindAccepted: {owner: ofUser, set: ids(anyID)},
		record.KindMerging:  {owner: ofUser, set: ids(anyID)},
		record.KindMarkers:  {owner: ofUser, value: readable[record.Markers]},
		record.KindFilters:  {owner: ofUser, value: readable[[]record.Filter]},

		record.KindConversation:  {key: pair, owner: ofUser, value: stored(conversationRefs), reread: true},
		record.KindConversations: {owner: ofUser, set: members(conversationsRefs)},
		record.KindMessages:      {key: pair, owner: ofConversation, set: ids(messageRefs)},
	}
}

// noticeRefs checks the form of a notification. Its objects can be deleted, and then it isn't
// shown.
func noticeRefs(_ *auditing, m kv.Member) []ref {
	n, ok := record.ParseNotice(m.Member)
	return must(ok && n.ID.Millis() == m.Score, "%q with score %d is not a notification", m.Member, m.Score)
}

// conversationRefs expects a conversation in its owner's list with its newest status. A deleted one
// has no statuses.
func conversationRefs(x *auditing, r *record.Conversation) []ref {
	last := linnet.ID(r.Last)
	newest := &kv.Range{Key: record.ConversationKey(record.KindMessages, x.id, x.second()), Desc: true, Limit: 1}
	if last == 0 {
		return []ref{not(notEmpty(newest.Key), "the conversation was deleted").as(RuleDeleted).about(newest.Key)}
	}
	return []ref{
		in(record.ConversationsKey(x.id), record.ListedAs(last, x.second())).as(RuleOrphan),
		reading(newest, func() *Finding {
			if len(newest.Members) > 0 && newest.Members[0].Member == last.String() {
				return nil
			}
			return broken(RuleIndex, "the newest status is %v, but %v has %v", last, newest.Key, newest.Members)
		}),
	}
}

func conversationsRefs(x *auditing, m kv.Member) []ref {
	last, id, ok := record.ParseListed(m.Member)
	if !ok || m.Score != last.Millis() {
		return wrong("%q with score %d is not a conversation", m.Member, m.Score)
	}
	key := record.ConversationKey(record.KindConversation, x.id, id)
	return []ref{refersBack(key, func(r *record.Conversation) bool { return linnet.ID(r.Last) == last }).as(RuleIndex)}
}

// ofConversation expects the conversation that a set of statuses belongs to.
func ofConversation(x *auditing, then func()) {
	x.expect([]ref{exists(record.ConversationKey(record.KindConversation, x.id, x.second()))})
	then()
}

// messageRefs expects a direct status with the participants of the conversation, including its
// owner.
func messageRefs(x *auditing, id linnet.ID, m kv.Member) []ref {
	if m.Score != id.Millis() {
		return wrong("%q has the wrong score %d", m.Member, m.Score)
	}
	return []ref{status(id, func(st *linnet.Status) *Finding {
		if st == nil {
			return deleted(id)
		}
		if st.Visibility != linnet.Direct {
			return broken(RuleIndex, "status %v has visibility %v", id, st.Visibility)
		}
		if st.ForMembers() {
			if inbox.ChatConversationID(x.id, st.Group) != x.second() {
				return broken(RuleIndex, "status %v belongs to another conversation", id)
			}
			return nil
		}
		people := []linnet.ID{st.Author}
		for _, m := range st.Mentions {
			people = append(people, m.ID)
		}
		switch {
		case !slices.Contains(people, x.id):
			return broken(RulePrivate, "status %v is not addressed to user %v", id, x.id).awaits(record.StatusSubject(id))
		case record.ConversationID(x.id, people) != x.second():
			return broken(RuleIndex, "status %v belongs to another conversation", id).awaits(record.StatusSubject(id))
		}
		return nil
	})}
}

package record

import (
	"slices"

	"linnet/internal/kv"
)

// Keys describes every kind of key, in the order of docs/keys.md.
func Keys() []KeyDoc {
	docs := []KeyDoc{
		{KindUser, "value", "user", "the public profile, JSON", "limits of a profile", "user:ID, listing 8.1", noSecret()},
		{KindCounts, "counters", "user", "followers, following, statuses except direct ones, conversations, blocks, mutes, follow requests in both directions, followed tags, unfollows and list removals", "11", "user:ID, listing 8.1", noSecret()},
		{KindSecret, "value", "user", "password hash, e-mail address, e-mail preferences", "2 KiB", "sidebar on sensitive information", secretIn("hash", "email", "mail")},
		{KindLogin, "value", "login in lower case", "the user with this login, never deleted", "1", "users:, listing 8.1", noSecret()},
		{KindUsers, "set", "", "every user of the shard, by time of sign-up", "users/1024", "", noSecret()},
		{KindNames, "set", "first two letters", "login or a word of the display name, and user: for prefix search", "users with such a prefix", "", noSecret()},
		{KindStatus, "value", "status", "a status or boost, JSON", "120 KiB", "status:ID, listings 8.2 and 8.8", noSecret()},
		{KindTally, "counters", "status", "public replies, boosts, favourites, other replies, public quotes", "5", "status:ID", noSecret()},
		{KindPosts, "set", "user", "the profile timeline: status and flags (b repost, r reply, u unlisted, p private, d direct, g for a group's members, m with pictures), by time", "none", "profile:ID, listings 8.6 and 8.8", noSecret()},
		{KindHome, "feed", "user", "the home timeline", "1,000 to 1,100", "home:ID, listings 8.3 and 8.7", noSecret()},
		{KindListFeed, "feed", "list", "the timeline of a list", "1,000 to 1,100", "exercise: updating lists", noSecret()},
		{KindList, "value", "list", "owner and settings of a list, JSON", "1 KiB", "exercise: lists of users", noSecret()},
		{KindLists, "set", "user", "the lists of a user, by time", "100", "", noSecret()},
		{KindExclusive, "set", "user", "exclusive lists of a user", "100", "", noSecret()},
		{KindMemberships, "set", "user", "the user's groups, by time of joining (ms)", "about 500", "suggestion: groups", noSecret()},
		{KindReplies, "set", "status", "public and unlisted replies, by time; in earlier releases all replies", "none", "suggestion: conversation flow", noSecret()},
		{KindClosed, "set", "status", "followers-only and direct replies, by time", "none", "suggestion: conversation flow", noSecret()},
		{KindRepost, "value", "user.status", "the user's boost of the status", "1", "", noSecret()},
		{KindBookmarks, "set", "user", "bookmarked statuses, by time", "none", "", noSecret()},
		{KindRelationships, "set", "user", "relationship flags by user and kind (r hides boosts, m mutes, b blocks, x is blocked by, l with followed languages after bars), muted threads (t with the first status), and followed tags (# with the folded tag, score is the negative time); the score of m is twice its end in ms, plus one if notifications are muted", "following, mutes, blocks, blocked by, threads muted, 100 tags", "suggestion: spam and abuse controls", noSecret()},
		{KindMutes, "set", "user", "muted users, by time", "10,000", "suggestion: spam and abuse controls", noSecret()},
		{KindFilters, "value", "user", "all filters of a user with their keywords and statuses, JSON", "64 KiB", "", noSecret()},
		{KindMentioned, "set", "user", "statuses that mention the user, by time", "none", "suggestion: record of who mentions someone", noSecret()},
		{KindPins, "value", "user", "pinned statuses, the latest first, JSON", "5", "", noSecret()},
		{KindEndorsed, "set", "user", "endorsed users, by time", "following", "", noSecret()},
		{KindNote, "value", "user.user", "the first user's private note about the second", "2,000 characters", "", noSecret()},
		{KindNoted, "set", "user", "users with a note, by time", "none", "", noSecret()},
		{KindConversation, "value", "user.conversation", "newest status and unread flag, JSON; after deletion its position, 30 days", "1 KiB", "suggestion: direct messages", noSecret()},
		{KindConversations, "set", "user", "the conversations of a user: status.conversation, by time of its newest status", "10,000", "suggestion: direct messages", noSecret()},
		{KindMessages, "set", "user.conversation", "the statuses of a conversation, by time", "about 500", "suggestion: groups of people in direct messages", noSecret()},
		{KindGlobal, "set", "", "public statuses in 16 slices by author's shard, by time", "2,500 a slice, and up to 256 for each server", "global:timeline of Retwis, split and merged", noSecret()},
		{KindTag, "set", "folded tag", "public statuses with the tag: status.author, by time", "40,000", "", noSecret()},
		{KindTOTP, "value", "user", "second factor: secret, enabled flag, last step used, hashes of recovery codes, JSON", "1 KiB", "", secretIn("secret", "recovery")},
		{KindTicket, "value", "SHA-256 of a ticket", "a login before its second factor, JSON, 5 minutes", "1 KiB", "", noSecret()},
		{KindToken, "value", "SHA-256 of a token", "user and scopes of an access token or cookie, JSON", "1 KiB", "", noSecret()},
		{KindSessions, "set", "user", "hashes of the user's tokens, by time", "tokens issued", "", noSecret()},
		{KindCode, "value", "SHA-256 of a code", "an authorization code, JSON, 10 minutes", "2 KiB", "", secretIn("challenge")},
		{KindApp, "value", "app", "a registered app, JSON; 7 days until a token is issued to it", "50 KiB", "", secretIn("secret")},
		{KindIdem, "value", "user.SHA-256 of a key", "the status posted with an idempotency key, 1 hour", "1", "", noSecret()},
		{KindSetup, "value", "", "hash of the current setup token", "1", "", secretIn("hash", "used")},
		{KindMeta, "value", "name", "format version; instance settings; custom emoji; rules of restricted hashtags; versions of emoji and announcements; flags for an existing administrator, counted groups and rechecked suspensions; progress of imports; results of e-mail delivery", "256 KiB", "", noSecret()},
		{KindStats, "counters", "", "users, groups among them, and statuses of the shard, users active by month", "months", "", noSecret()},
		{KindActive, "set", "", "users of the shard by the last month in which they were active", "users/1024", "", noSecret()},
		{KindPulled, "set", "", "authors whose statuses are merged when timelines are read, by time (shard 0)", "1,000", "", noSecret()},
		{KindPushed, "set", "", "authors whose statuses are delivered to feeds again, by time (shard 0)", "1,000", "", noSecret()},
	}
	docs = slices.Concat(docs, groupCountKeys(), erasedKeys(), dayKeys(), featuredKeys(), promotionKeys(), rankingKeys(), noticeKeys(), moderationKeys(), inviteKeys(), directoryKeys(), securityKeys(), suggestKeys(), collectionKeys(), trendKeys(), untrendKeys(), tagNameKeys(), pollKeys(), attachmentKeys(), versionKeys(), quoteKeys(), searchKeys(), pushKeys(), announcementKeys(), scheduledKeys(), backupKeys(), moveKeys(), termsKeys(), linkedKeys(), cardKeys(), archiveKeys(), importKeys(), outsideFeedKeys())
	for _, e := range RelationKinds() {
		docs = append(docs, e.docs()...)
	}
	return append(docs,
		KeyDoc{kindLater, "set", "", "tasks of the shard with a later start time, by time", "open polls, scheduled statuses", "execute_later", noSecret()},
		KeyDoc{kindDue, "set", "", "tasks of the shard by due time", "tasks in progress", "execute_later, listing 8.7", noSecret()},
		KeyDoc{kindTask, "value", "task", "kind, arguments and errors of a task, JSON", "256 KiB", "execute_later, listing 8.7", noSecret()},
		KeyDoc{kindDead, "set", "", "tasks set aside after 5 errors, by time", "until an operator retries or discards them", "", noSecret()},
		KeyDoc{kindServers, "set", "", "servers that run tasks by heartbeat, and servers that only create tasks under the id web (shard 0)", "servers", "", noSecret()},
	)
}

// BackupRule determines how backups and digests treat a kind of record.
type BackupRule string

// Rules for records in backups.
const (
	InBackups BackupRule = "yes"
	Cached    BackupRule = "no: rebuilt"
	Passing   BackupRule = "no: expires within minutes"
	OfStore   BackupRule = "no: belongs to this store only"
)

// BackupRule returns how backups treat the records. By default they are included.
func (d KeyDoc) BackupRule() BackupRule {
	switch d.Kind {
	case KindSetup, KindTicket, KindCode, KindConfirmed, KindChallenge:
		return Passing
	case KindCatchUp, KindRanking:
		return Cached
	case KindBackup, KindMove, KindMediaLocation, kindServers:
		return OfStore
	}
	if d.Shape == "feed" {
		return Cached
	}
	return InBackups
}

// BackupKinds returns the kinds of key in backups and digests, with their shapes.
func BackupKinds() map[string]kv.Shape {
	shapes := map[string]kv.Shape{"value": kv.ValueShape, "counters": kv.CounterShape, "set": kv.SetShape}
	kinds := map[string]kv.Shape{}
	for _, d := range Keys() {
		if d.BackupRule() == InBackups {
			kinds[d.Kind] = shapes[d.Shape]
		}
	}
	return kinds
}

// MadeByOpening reports whether a key exists in a store that was only opened, inspected, backed up,
// or served without users. A store without other keys has no data of users.
func MadeByOpening(k kv.Key) bool {
	switch k.Kind {
	case KindSetup, KindVAPID, KindDay, KindMediaLocation, kindServers:
		return true
	case KindBackup:
		return k != RestoringKey()
	}
	return slices.Contains([]kv.Key{MetaKey("format"), GroupsMarkKey(), RecheckedMarkKey(), SearchManifestKey(), SearchLeaseKey()}, k)
}

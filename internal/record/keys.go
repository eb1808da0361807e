package record

import (
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// The kinds of key. Keys below describes each, and keys are made only by the functions after it.
const (
	KindUser          = "user"
	KindCounts        = "counts"
	KindSecret        = "secret"
	KindLogin         = "login"
	KindUsers         = "users"
	KindGroups        = "groups"
	KindNames         = "names"
	KindStatus        = "status"
	KindTally         = "tally"
	KindPosts         = "posts"
	KindHome          = "home"
	KindListFeed      = "listfeed"
	KindTopFeed       = "topfeed"
	KindPromotions    = "promotions"
	KindPromoted      = "promoted"
	KindCatchUp       = "catchup"
	KindOwnFeeds      = "ownfeeds"
	KindRanking       = "ranking"
	KindList          = "list"
	KindLists         = "lists"
	KindExclusive     = "exclusive"
	KindMemberships   = "joined"
	KindReplies       = "replies"
	KindClosed        = "closedreplies"
	KindRepost        = "repost"
	KindBookmarks     = "bookmarks"
	KindRelationships = "stance"
	KindMutes         = "mutes"
	KindMentioned     = "mentioned"
	KindPins          = "pins"
	KindEndorsed      = "endorsed"
	KindFeatured      = "featured"
	KindUserTag       = "usertag"
	KindUserTags      = "usertags"
	KindNote          = "note"
	KindTOTP          = "totp"
	KindTicket        = "ticket"
	KindNoted         = "noted"
	KindNotices       = "notices"
	KindMarkers       = "markers"
	KindPolicy        = "noticepolicy"
	KindHeld          = "held"
	KindAccepted      = "accepted"
	KindMerging       = "merging"
	KindGlobal        = "global"
	KindTag           = "tag"
	KindTagNames      = "tagnames"
	KindTagRecent     = "tagrecent"
	KindToken         = "token"
	KindSessions      = "sessions"
	KindCode          = "code"
	KindApp           = "app"
	KindIdem          = "idem"
	KindSetup         = "setup"
	KindMeta          = "meta"
	KindTrends        = "trends"
	KindUntrended     = "untrended"
	KindDirectory     = "directory"
	KindDismissed     = "dismissed"
	KindStats         = "stats"
	KindActive        = "active"
	KindPulled        = "pulled"
	KindPushed        = "pushed"
	KindFilters       = "filters"
	KindState         = "state"
	KindStaff         = "staff"
	KindAct           = "act"
	KindActs          = "acts"
	KindReport        = "report"
	KindReports       = "reports"
	KindReportDays    = "reportdays"
	KindReported      = "reportonce"
	KindDay           = "day"
	KindBallots       = "ballots"
	KindVoters        = "voters"
	KindVoted         = "voted"
)

// Kinds of keys of package task, which records do not depend on. A test compares them.
const (
	kindLater   = "latertasks"
	kindDue     = "tasks"
	kindTask    = "task"
	kindDead    = "deadtasks"
	kindServers = "servers"
)

const (
	KindConversation  = "conversation"
	KindConversations = "conversations"
	KindMessages      = "messages"
)

// KeyDoc describes one kind of key for the documentation.
type KeyDoc struct {
	Kind  string // as in the key
	Shape string // value, counters, set, feed
	ID    string // the part after the shard
	Holds string
	Bound string // limit of its size
	Book  string // the key or listing of the book that it implements

	Secrets Secrets // parts that are never displayed, not even by inspect
}

// Secrets are the parts of a record that are never displayed, because they give access or contain
// an address. Every kind of key states them. Hashes of passwords are secret. Hashes of random
// secrets are not, because they cannot be reversed.
type Secrets struct {
	stated bool
	Fields []string
}

// Stated reports whether the secrets were declared.
func (s Secrets) Stated() bool { return s.stated }

// noSecret declares that a record has no secrets.
func noSecret() Secrets { return Secrets{stated: true} }

// secretIn declares the secret fields of a record that is a JSON object.
func secretIn(fields ...string) Secrets { return Secrets{stated: true, Fields: fields} }

// Keys describes every kind of key, in the order of docs/keys.md.
func Keys() []KeyDoc {
	docs := []KeyDoc{
		{KindUser, "value", "user", "the public profile, JSON", "limits of a profile", "user:ID, listing 8.1", noSecret()},
		{KindCounts, "counters", "user", "followers, following, statuses except direct ones, conversations, blocks, mutes, follow requests in both directions, followed tags, unfollows and list removals", "11", "user:ID, listing 8.1", noSecret()},
		{KindSecret, "value", "user", "password hash, e-mail address, e-mail preferences", "2 KiB", "sidebar on sensitive information", secretIn("hash", "email", "mail")},
		{KindLogin, "value", "login in lower case", "the user with this login, never deleted", "1", "users:, listing 8.1", noSecret()},
		{KindUsers, "set", "", "every user of the shard, by time of sign-up", "users/1024", "", noSecret()},
		{KindNames, "set", "first two letters", "login or a word of the display name, and user: for prefix search", "users with such a prefix", "", noSecret()},
		{KindStatus, "value", "status", "a status or boost, JSON", "16 KiB", "status:ID, listings 8.2 and 8.8", noSecret()},
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
		{KindMeta, "value", "name", "format version; instance settings; custom emoji; versions of emoji and announcements; flags for an existing administrator, counted groups and rechecked suspensions; progress of imports; results of e-mail delivery", "256 KiB", "", noSecret()},
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

func IDKey(kind string, id linnet.ID) kv.Key {
	return kv.Key{Kind: kind, Shard: id.Shard(), ID: id.String()}
}

// IDKeys returns the keys of many records of a kind. texts are the ids in decimal, or nil if the
// caller does not have them. Without them the keys share one string.
func IDKeys(kind string, ids []linnet.ID, texts []string) []kv.Key {
	if texts == nil {
		texts = idTexts(ids)
	}
	keys := make([]kv.Key, len(ids))
	for i, id := range ids {
		keys[i] = kv.Key{Kind: kind, Shard: id.Shard(), ID: texts[i]}
	}
	return keys
}

// idTexts returns ids in decimal. The strings share their memory.
func idTexts(ids []linnet.ID) []string {
	var all strings.Builder
	all.Grow(len(ids) * maxDigits)
	texts := make([]string, len(ids))
	for i, id := range ids {
		var digits [maxDigits]byte
		start := all.Len()
		all.Write(strconv.AppendUint(digits[:0], uint64(id), 10))
		texts[i] = all.String()[start:]
	}
	return texts
}

// maxDigits is the maximum number of digits of an id.
const maxDigits = 20

func ShardKey(kind string, shard uint16) kv.Key { return kv.Key{Kind: kind, Shard: shard} }

func UserKey(id linnet.ID) kv.Key { return IDKey(KindUser, id) }

func CountsKey(id linnet.ID) kv.Key { return IDKey(KindCounts, id) }

func SecretKey(id linnet.ID) kv.Key { return IDKey(KindSecret, id) }

func StatusKey(id linnet.ID) kv.Key { return IDKey(KindStatus, id) }

func TallyKey(id linnet.ID) kv.Key { return IDKey(KindTally, id) }

func PostsKey(id linnet.ID) kv.Key { return IDKey(KindPosts, id) }

func NoticesKey(id linnet.ID) kv.Key { return IDKey(KindNotices, id) }

// HomeKey is the home feed of a user.
func HomeKey(user linnet.ID) kv.Key { return IDKey(KindHome, user) }

// HomeKeys are the home feeds of users. texts are the ids in decimal, or nil.
func HomeKeys(users []linnet.ID, texts []string) []kv.Key { return IDKeys(KindHome, users, texts) }

// ListFeedKey is the feed of a list.
func ListFeedKey(list linnet.ID) kv.Key { return IDKey(KindListFeed, list) }

// ListFeedKeys are the feeds of lists. texts are the ids in decimal, or nil.
func ListFeedKeys(lists []linnet.ID, texts []string) []kv.Key {
	return IDKeys(KindListFeed, lists, texts)
}

func RepostKey(user, original linnet.ID) kv.Key {
	return kv.Key{Kind: KindRepost, Shard: user.Shard(), ID: user.String() + "." + original.String()}
}

func HashShard(s string) uint16 {
	h := fnv.New32a()
	h.Write([]byte(s))
	return uint16(h.Sum32() % kv.Shards)
}

func LoginKey(login string) kv.Key {
	l := strings.ToLower(login)
	return kv.Key{Kind: KindLogin, Shard: HashShard(l), ID: l}
}

// GlobalSlices is the number of sets of the global timeline.
const GlobalSlices = 16

// shardsOfSlice is the distance of the slices in shards.
const shardsOfSlice = kv.Shards / GlobalSlices

func GlobalKey(slice int) kv.Key {
	return kv.Key{Kind: KindGlobal, Shard: uint16(slice * shardsOfSlice), ID: ""}
}

// SliceOfGlobalKey returns the slice of a key from GlobalKey. ok is false for other keys.
func SliceOfGlobalKey(k kv.Key) (slice int, ok bool) {
	return int(k.Shard) / shardsOfSlice, k.Kind == KindGlobal && k.Shard%shardsOfSlice == 0
}

func GlobalSlice(author linnet.ID) int { return int(author.Shard()) % GlobalSlices }

func TagKey(folded string) kv.Key {
	return kv.Key{Kind: KindTag, Shard: HashShard(folded), ID: folded}
}

func NamesKey(prefix string) kv.Key {
	return kv.Key{Kind: KindNames, Shard: HashShard(prefix), ID: prefix}
}

func MetaKey(name string) kv.Key { return kv.Key{Kind: KindMeta, ID: name} }

func HashKey(kind string, shard uint16, hash string) kv.Key {
	return kv.Key{Kind: kind, Shard: shard, ID: hash}
}

// Flags of an entry. A member of a posts set is the id followed by its flags.
const (
	flagRepost   = 'b'
	flagReply    = 'r' // to another user
	flagUnlisted = 'u'
	FlagPrivate  = 'p'
	FlagDirect   = 'd'
	FlagMembers  = 'g' // in addition to p and d: for group members
	flagMedia    = 'm' // it has attachments
	flagImported = 'i' // from an import
)

// ProfileEntry returns the member of a status in a posts set. In addition to the flags of
// PostEntry, it contains whether the status has attachments and was imported.
func ProfileEntry(st *linnet.Status) string {
	entry := PostEntry(st)
	if len(st.Media) > 0 {
		entry += string(flagMedia)
	}
	if st.Imported {
		entry += string(flagImported)
	}
	return entry
}

// PostEntry returns the member of a status in a set of replies.
func PostEntry(st *linnet.Status) string {
	b := strconv.AppendUint(make([]byte, 0, 24), uint64(st.ID), 10)
	if st.RepostOf != 0 {
		b = append(b, flagRepost)
	}
	if st.RepliesToOther() {
		b = append(b, flagReply)
	}
	switch st.Visibility {
	case linnet.Unlisted:
		b = append(b, flagUnlisted)
	case linnet.Private:
		b = append(b, FlagPrivate)
	case linnet.Direct:
		b = append(b, FlagDirect)
	}
	if st.ForMembers() {
		b = append(b, FlagMembers)
	}
	return string(b)
}

// SplitEntry parses a member of a posts set.
func SplitEntry(m string) (id linnet.ID, flags string) {
	i := len(m)
	for i > 0 && m[i-1] > '9' {
		i--
	}
	id, _ = linnet.ParseID(m[:i])
	return id, m[i:]
}

// KindBackup is the kind of key about the store's backups. Backups do not contain it, so that a
// backup does not change the digest.
const KindBackup = "backup"

func backupKeys() []KeyDoc {
	return []KeyDoc{{KindBackup, "value", "last, running, kept, restoring, restored or names", "the last successful backup; the server that makes one and its progress, for a minute; results of scheduled backups; a running restore and its progress; the last restore; the secret for names of encrypted chunks; JSON (shard 0)", "4 KiB", "", secretIn("secret")}}
}

// LastBackupKey is the last successful backup. RestoringKey exists while a store is being restored,
// and no server starts on it then.
func LastBackupKey() kv.Key { return kv.Key{Kind: KindBackup, ID: "last"} }
func RestoringKey() kv.Key  { return kv.Key{Kind: KindBackup, ID: "restoring"} }

// RestoredKey holds the last Restoring of a complete restore.
func RestoredKey() kv.Key { return kv.Key{Kind: KindBackup, ID: "restored"} }

// BackupRunningKey exists while a server makes a backup. BackupResultsKey holds the results of
// scheduled backups.
func BackupRunningKey() kv.Key { return kv.Key{Kind: KindBackup, ID: "running"} }
func BackupResultsKey() kv.Key { return kv.Key{Kind: KindBackup, ID: "kept"} }

// BackupRunning is a backup in progress on a server.
type BackupRunning struct {
	By       string    `json:"by"` // name of the server
	Began    time.Time `json:"began"`
	Progress string    `json:"progress,omitempty"` // for operators
}

// BackupResults are the results of scheduled backups.
type BackupResults struct {
	Made   time.Time `json:"made"` // time of the last successful backup
	Failed time.Time `json:"failed,omitzero"`
	Why    string    `json:"why,omitempty"` // the error of the last attempt, if it failed
}

// BackupNamesKey is the secret from which encrypted backups derive the names of their pieces.
func BackupNamesKey() kv.Key { return kv.Key{Kind: KindBackup, ID: "names"} }

// BackupNames contains this secret.
type BackupNames struct {
	Secret []byte `json:"secret"` // 32 bytes
}

// LastBackup is the last successful backup.
type LastBackup struct {
	Moment  time.Time `json:"moment"` // time of the backup
	Ended   time.Time `json:"ended"`
	Where   string    `json:"where"`
	Entries int64     `json:"entries"`
	Bytes   int64     `json:"bytes"` // size of the backup, including parts shared with others
	Digest  string    `json:"digest"`

	Lacks  string    `json:"lacks,omitempty"`  // a message about files that the store refers to but that are missing
	Unsure string    `json:"unsure,omitempty"` // a message with the reason why missing files are unknown
	Whole  time.Time `json:"whole,omitzero"`   // in both cases: time of the last complete backup
}

// Succeeded returns the time of the last complete backup, or zero.
func (b LastBackup) Succeeded() time.Time {
	if b.Lacks != "" || b.Unsure != "" {
		return b.Whole
	}
	return b.Moment
}

// Restoring is a restore into this store.
type Restoring struct {
	Backup string `json:"backup"` // its name and digest
	Shards int    `json:"shards"` // number of complete shards
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

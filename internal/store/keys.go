package store

import (
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/task"
)

// The kinds of key. Keys below says what each holds; the functions after it are
// the only places where keys are made.
const (
	kUser        = "user"
	kCounts      = "counts"
	kSecret      = "secret"
	kLogin       = "login"
	kUsers       = "users"
	kGroups      = "groups"
	kNames       = "names"
	kStatus      = "status"
	kTally       = "tally"
	kPosts       = "posts"
	kHome        = "home"
	kListFeed    = "listfeed"
	kTopFeed     = "topfeed"
	kPromotions  = "promotions"
	kPromoted    = "promoted"
	kCatchUp     = "catchup"
	kOwnFeeds    = "ownfeeds"
	kRanking     = "ranking"
	kList        = "list"
	kLists       = "lists"
	kExclusive   = "exclusive"
	kJoined      = "joined"
	kReplies     = "replies"
	kClosed      = "closedreplies"
	kRepost      = "repost"
	kBookmarks   = "bookmarks"
	kUserStances = "stance"
	kMutes       = "mutes"
	kMentioned   = "mentioned"
	kPins        = "pins"
	kEndorsed    = "endorsed"
	kFeatured    = "featured"
	kUserTag     = "usertag"
	kUserTags    = "usertags"
	kNote        = "note"
	kTOTP        = "totp"
	kTicket      = "ticket"
	kNoted       = "noted"
	kNotices     = "notices"
	kMarkers     = "markers"
	kPolicy      = "noticepolicy"
	kHeld        = "held"
	kAccepted    = "accepted"
	kMerging     = "merging"
	kGlobal      = "global"
	kTag         = "tag"
	kTagNames    = "tagnames"
	kTagRecent   = "tagrecent"
	kToken       = "token"
	kSessions    = "sessions"
	kCode        = "code"
	kApp         = "app"
	kIdem        = "idem"
	kSetup       = "setup"
	kMeta        = "meta"
	kTrends      = "trends"
	kUntrended   = "untrended"
	kDirectory   = "directory"
	kDismissed   = "dismissed"
	kStats       = "stats"
	kActive      = "active"
	kPulled      = "pulled"
	kPushed      = "pushed"
	kFilters     = "filters"
	kState       = "state"
	kStaff       = "staff"
	kAct         = "act"
	kActs        = "acts"
	kReport      = "report"
	kReports     = "reports"
	kReportDays  = "reportdays"
	kReported    = "reportonce"
	kDay         = "day"
)

const (
	kConversation  = "conversation"
	kConversations = "conversations"
	kMessages      = "messages"
)

// KeyDoc describes one kind of key for people.
type KeyDoc struct {
	Kind  string // as in the key
	Shape string // value, counters, set, feed
	ID    string // what stands behind the shard
	Holds string
	Bound string // what limits its size
	Book  string // the key or listing of the book that it answers to

	Secrets Secrets // what of it nobody is shown, not by inspect either
}

// Secrets says what of a record nobody is shown: of what would let somebody in, or
// tell an address. Every kind of key states it. Hashes of passwords are secret;
// those of random secrets are not, since nobody finds what they are of.
type Secrets struct {
	stated bool
	fields []string
}

// Stated reports whether somebody has said what is secret.
func (s Secrets) Stated() bool { return s.stated }

// noSecret states that all of a record may be shown.
func noSecret() Secrets { return Secrets{stated: true} }

// secretIn names the secret fields of a record that is a JSON object.
func secretIn(fields ...string) Secrets { return Secrets{stated: true, fields: fields} }

// Keys describes every kind of key, in the order in which docs/keys.md lists
// them.
func Keys() []KeyDoc {
	docs := []KeyDoc{
		{kUser, "value", "user", "the public profile, JSON", "limits of a profile", "user:ID, listing 8.1", noSecret()},
		{kCounts, "counters", "user", "followers, following, statuses but direct ones, conversations, blocks, mutes, follow requests of and to the user; how often somebody unfollowed or unlisted the user", "10", "user:ID, listing 8.1", noSecret()},
		{kSecret, "value", "user", "password hash, e-mail address", "1 KiB", "sidebar on sensitive information", secretIn("hash", "email")},
		{kLogin, "value", "login in lower case", "the user that owns the login, for ever", "1", "users:, listing 8.1", noSecret()},
		{kUsers, "set", "", "every user of the shard, by time of sign-up", "users/1024", "", noSecret()},
		{kNames, "set", "first two letters", "login or a word of the name, and user: for search by prefix", "users with such a prefix", "", noSecret()},
		{kStatus, "value", "status", "a status or repost, JSON", "16 KiB", "status:ID, listing 8.2", noSecret()},
		{kTally, "counters", "status", "replies that everybody may see, reposts, favourites, other replies", "4", "status:ID", noSecret()},
		{kPosts, "set", "user", "the profile timeline: status and flags (b repost, r reply, u unlisted, p private, d direct, g for a group's members), by time", "none", "profile:ID", noSecret()},
		{kHome, "feed", "user", "the home timeline", "1,000 to 1,100", "home:ID, listing 8.3", noSecret()},
		{kListFeed, "feed", "list", "the timeline of a list", "1,000 to 1,100", "exercise: lists of users", noSecret()},
		{kList, "value", "list", "owner and settings of a list, JSON", "1 KiB", "exercise: lists of users", noSecret()},
		{kLists, "set", "user", "the lists of a user, by time", "100", "", noSecret()},
		{kExclusive, "set", "user", "those lists of a user whose members do not stand at home", "100", "", noSecret()},
		{kJoined, "set", "user", "the groups that the user is in, by since when (ms)", "500 and some", "suggestion: groups", noSecret()},
		{kReplies, "set", "status", "direct replies that are public or unlisted, by time; those of former releases whatever they are", "none", "suggestion: conversation flow", noSecret()},
		{kClosed, "set", "status", "direct replies that not everybody may see, by time", "none", "suggestion: conversation flow", noSecret()},
		{kRepost, "value", "user.status", "the repost that the user made of the status", "1", "", noSecret()},
		{kBookmarks, "set", "user", "statuses kept, by time", "none", "", noSecret()},
		{kUserStances, "set", "user", "how the user stands to people, by person and kind (r hides their reposts, m mutes, b blocks, x is blocked by; l and, behind bars, the languages in which they are wanted), and by its first status a thread that is muted (t); the score of m is twice its end in ms, and one if notifications are muted", "following, mutes, blocks, blocked by, threads muted", "suggestion: spam and abuse controls", noSecret()},
		{kMutes, "set", "user", "whom the user mutes, by since when", "10,000", "suggestion: spam and abuse controls", noSecret()},
		{kFilters, "value", "user", "all filters of a user with their keywords and statuses, JSON", "64 KiB", "", noSecret()},
		{kMentioned, "set", "user", "statuses that mention the user, by time", "none", "suggestion: record of who mentions someone", noSecret()},
		{kPins, "value", "user", "the statuses on top of the profile, the latest pinned first, JSON", "5", "", noSecret()},
		{kEndorsed, "set", "user", "people followed whom the user recommends, by time", "following", "", noSecret()},
		{kNote, "value", "user.user", "what the first has noted about the second, for the first alone", "2,000 characters", "", noSecret()},
		{kNoted, "set", "user", "people about whom the user has noted something, by time", "none", "", noSecret()},
		{kConversation, "value", "user.conversation", "its newest status and whether it is unread, JSON; deleted: up to where, 30 days", "1 KiB", "suggestion: direct messages", noSecret()},
		{kConversations, "set", "user", "the conversations of a user: status.conversation, by time of its newest status", "10,000", "suggestion: direct messages", noSecret()},
		{kMessages, "set", "user.conversation", "the statuses of a conversation, by time", "500 and some", "suggestion: groups of people in direct messages", noSecret()},
		{kGlobal, "set", "", "public statuses in 16 slices by author's shard, by time", "2,500 a slice, and up to 256 for each server", "global:timeline of Retwis, split and merged", noSecret()},
		{kTag, "set", "folded tag", "public statuses with the tag: status.author, by time", "40,000", "", noSecret()},
		{kTOTP, "value", "user", "second factor: secret, whether it is in force, last step used, hashes of recovery codes, JSON", "1 KiB", "", secretIn("secret", "recovery")},
		{kTicket, "value", "SHA-256 of a ticket", "a log-in that waits for its second factor, JSON, 5 minutes", "1 KiB", "", noSecret()},
		{kToken, "value", "SHA-256 of a token", "whom an access token or cookie speaks for, JSON", "1 KiB", "", noSecret()},
		{kSessions, "set", "user", "hashes of the user's tokens, by time", "tokens issued", "", noSecret()},
		{kCode, "value", "SHA-256 of a code", "an authorization code, JSON, 10 minutes", "2 KiB", "", secretIn("challenge")},
		{kApp, "value", "app", "a registered app, JSON; 7 days until a token is issued to it", "50 KiB", "", secretIn("secret")},
		{kIdem, "value", "user.SHA-256 of a key", "the status posted with an idempotency key, 1 hour", "1", "", noSecret()},
		{kSetup, "value", "", "hash of the set-up token in force", "1", "", secretIn("hash", "used")},
		{kMeta, "value", "name", "format version; the instance's texts; the mark that an admin exists, and that groups are counted; progress of imports", "100 KiB", "", noSecret()},
		{kStats, "counters", "", "users, groups among them, and statuses of the shard, users active by month", "months", "", noSecret()},
		{kActive, "set", "", "users of the shard by the last month in which they were active", "users/1024", "", noSecret()},
		{kPulled, "set", "", "authors whose statuses are not pushed to home feeds, by since when (shard 0)", "1,000", "", noSecret()},
		{kPushed, "set", "", "of those, authors who are pushed again, by since when (shard 0)", "1,000", "", noSecret()},
	}
	docs = slices.Concat(docs, groupCountKeys(), erasedKeys(), dayKeys(), featuredKeys(), promotionKeys(), rankingKeys(), noticeKeys(), moderationKeys(), inviteKeys(), directoryKeys(), securityKeys(), suggestKeys(), trendKeys(), untrendKeys(), tagNameKeys())
	for _, e := range EdgeKinds() {
		docs = append(docs, e.docs()...)
	}
	return append(docs,
		KeyDoc{task.DueKey(0).Kind, "set", "", "tasks of the shard by due time", "work under way", "execute_later", noSecret()},
		KeyDoc{task.Key(0, "").Kind, "value", "task", "kind, arguments and faults of a task, JSON", "256 KiB", "execute_later", noSecret()},
		KeyDoc{task.DeadKey(0).Kind, "set", "", "tasks set aside after 5 faults, by time", "until an operator decides", "", noSecret()},
		KeyDoc{task.ServersKey().Kind, "set", "", "servers that run tasks, by heartbeat (shard 0)", "servers", "", noSecret()},
	)
}

func idKey(kind string, id linnet.ID) kv.Key {
	return kv.Key{Kind: kind, Shard: id.Shard(), ID: id.String()}
}

// idKeys are the keys of many records of a kind. texts are the ids as texts, if the
// caller has them (nil: no); else the keys share one text.
func idKeys(kind string, ids []linnet.ID, texts []string) []kv.Key {
	if texts == nil {
		texts = idTexts(ids)
	}
	keys := make([]kv.Key, len(ids))
	for i, id := range ids {
		keys[i] = kv.Key{Kind: kind, Shard: id.Shard(), ID: texts[i]}
	}
	return keys
}

// idTexts are ids as texts, which share their memory.
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

// maxDigits is how many digits an id has at most.
const maxDigits = 20

func shardKey(kind string, shard uint16) kv.Key { return kv.Key{Kind: kind, Shard: shard} }

func userKey(id linnet.ID) kv.Key    { return idKey(kUser, id) }
func countsKey(id linnet.ID) kv.Key  { return idKey(kCounts, id) }
func secretKey(id linnet.ID) kv.Key  { return idKey(kSecret, id) }
func statusKey(id linnet.ID) kv.Key  { return idKey(kStatus, id) }
func tallyKey(id linnet.ID) kv.Key   { return idKey(kTally, id) }
func postsKey(id linnet.ID) kv.Key   { return idKey(kPosts, id) }
func noticesKey(id linnet.ID) kv.Key { return idKey(kNotices, id) }

// HomeKey is the home feed of a user.
func HomeKey(user linnet.ID) kv.Key { return idKey(kHome, user) }

// HomeKeys are the home feeds of users. A caller that has their ids as texts passes
// those too, else nil.
func HomeKeys(users []linnet.ID, texts []string) []kv.Key { return idKeys(kHome, users, texts) }

// ListKey is the feed of a list.
func ListKey(list linnet.ID) kv.Key { return idKey(kListFeed, list) }

// ListKeys are the feeds of lists, likewise.
func ListKeys(lists []linnet.ID, texts []string) []kv.Key { return idKeys(kListFeed, lists, texts) }

func repostKey(user, original linnet.ID) kv.Key {
	return kv.Key{Kind: kRepost, Shard: user.Shard(), ID: user.String() + "." + original.String()}
}

func hashShard(s string) uint16 {
	h := fnv.New32a()
	h.Write([]byte(s))
	return uint16(h.Sum32() % kv.Shards)
}

func loginKey(login string) kv.Key {
	l := strings.ToLower(login)
	return kv.Key{Kind: kLogin, Shard: hashShard(l), ID: l}
}

// GlobalSlices is into how many sets the global timeline is split.
const GlobalSlices = 16

func globalKey(slice int) kv.Key {
	return kv.Key{Kind: kGlobal, Shard: uint16(slice * (kv.Shards / GlobalSlices)), ID: ""}
}

func globalSlice(author linnet.ID) int { return int(author.Shard()) % GlobalSlices }

func tagKey(folded string) kv.Key {
	return kv.Key{Kind: kTag, Shard: hashShard(folded), ID: folded}
}

func namesKey(prefix string) kv.Key {
	return kv.Key{Kind: kNames, Shard: hashShard(prefix), ID: prefix}
}

func metaKey(name string) kv.Key { return kv.Key{Kind: kMeta, ID: name} }

func hashKey(kind string, shard uint16, hash string) kv.Key {
	return kv.Key{Kind: kind, Shard: shard, ID: hash}
}

// Flags of a profile entry; the member of a posts set is the id followed by them.
const (
	flagRepost   = 'b'
	flagReply    = 'r' // to somebody else
	flagUnlisted = 'u'
	flagPrivate  = 'p'
	flagDirect   = 'd'
	flagMembers  = 'g' // beside p and d: for the members of a group
)

// entry is a member of a posts set.
func entry(st *linnet.Status) string {
	b := strconv.AppendUint(make([]byte, 0, 24), uint64(st.ID), 10)
	if st.RepostOf != 0 {
		b = append(b, flagRepost)
	}
	if st.InReplyTo != 0 && st.InReplyAuthor != st.Author {
		b = append(b, flagReply)
	}
	switch st.Visibility {
	case linnet.Unlisted:
		b = append(b, flagUnlisted)
	case linnet.Private:
		b = append(b, flagPrivate)
	case linnet.Direct:
		b = append(b, flagDirect)
	}
	if st.ForMembers() {
		b = append(b, flagMembers)
	}
	return string(b)
}

// splitEntry reads a member of a posts set.
func splitEntry(m string) (id linnet.ID, flags string) {
	i := len(m)
	for i > 0 && m[i-1] > '9' {
		i--
	}
	id, _ = linnet.ParseID(m[:i])
	return id, m[i:]
}

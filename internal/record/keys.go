package record

import (
	"hash/fnv"
	"strconv"
	"strings"

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

package record

import (
	"strings"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// RelationshipFlag is a property of a user's relation to an account, other than a follow. All flags
// of a user are in one small set, with a member for each account and flag. So a page reads all of
// them in one query, and each changes without conditions.
type RelationshipFlag byte

// The relationship flags. Stores contain their letters.
const (
	HidesReposts RelationshipFlag = 'r' // the account's reposts are hidden at home
	MutesThread  RelationshipFlag = 't' // for the first status of a thread: see mutethread.go
	Mutes        RelationshipFlag = 'm' // the account is muted, see MuteScore
	Blocking     RelationshipFlag = 'b' // the user blocks the account
	BlockedBy    RelationshipFlag = 'x' // the account blocks the user
	Narrowed     RelationshipFlag = 'l' // home shows only some languages of the account: see followlang.go
)

// RelationshipFlags are the letters of all flags for accounts.
const RelationshipFlags = "rmbx"

func RelationshipsKey(user linnet.ID) kv.Key { return IDKey(KindRelationships, user) }

func (c RelationshipFlag) Member(other linnet.ID) string { return other.String() + string(c) }

// RelationshipSet returns the set of the relation that a flag belongs to. Some flags have none.
func RelationshipSet(user linnet.ID, c RelationshipFlag) (kv.Key, bool) {
	switch c {
	case Mutes:
		return MutesKey(user), true
	case Blocking:
		return Blocks().OwnedKey(user), true
	case BlockedBy:
		return Blocks().CopyKey(user), true
	}
	return kv.Key{}, false
}

// MuteScore returns the score of a mute among the relationship flags. A mute is in two sets of its
// user: among the mutes, ordered by creation, for lists, and among the relationship flags. The
// score is twice the end in Unix milliseconds (0: never), plus one if notifications are muted too.
// An expired mute has no effect. It is removed when the user next mutes or unmutes an account.
func MuteScore(until time.Time, notices bool) int64 {
	var n int64
	if !until.IsZero() {
		n = 2 * until.UnixMilli()
	}
	if notices {
		n++
	}
	return n
}

// MutesCounter counts the mutes of a user.
const MutesCounter = "mutes"

// MutesKey is the set of accounts that a user mutes, ordered by the creation of the mute.
func MutesKey(user linnet.ID) kv.Key { return IDKey(KindMutes, user) }

// LanguagesScore is the score of all members about languages.
const LanguagesScore = -1

// FollowedTagsCounter counts the tags that a user follows.
const FollowedTagsCounter = "tags"

// FollowedTagMember returns the relationship flag of a folded tag that is followed.
func FollowedTagMember(folded string) string { return "#" + folded }

// FollowedTagOf parses the result of FollowedTagMember.
func FollowedTagOf(member string) (folded string, ok bool) { return strings.CutPrefix(member, "#") }

// FollowedTagScore returns the score of a tag that is followed since a time. Tags come before all
// other members.
func FollowedTagScore(since time.Time) int64 { return -since.UnixMilli() }

// JoinLanguages encodes languages as the part behind the id of a member, see SplitEntry, without
// bytes below the letters.
func JoinLanguages(codes []string) string {
	return strings.ReplaceAll(strings.Join(codes, "|"), "-", "_")
}

// LanguagesIn returns the languages in the part behind the id of a member.
func LanguagesIn(kind string) []string {
	codes, ok := strings.CutPrefix(kind, string(rune(Narrowed))+"|")
	if !ok {
		return nil
	}
	return strings.Split(strings.ReplaceAll(codes, "_", "-"), "|")
}

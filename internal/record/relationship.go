package record

import (
	"strings"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// RelationshipFlag is one thing on which a user's view of a person depends, besides a
// follow. All of a user's lie in one small set, a member for each person and
// kind, so that a page asks one question for all of them and each is changed by
// a change without conditions.
type RelationshipFlag byte

// The relationship flags. Their letters lie in stores.
const (
	HidesReposts RelationshipFlag = 'r' // the person's reposts are not wanted at home
	MutesThread  RelationshipFlag = 't' // towards the first status of a thread: see mutethread.go
	Mutes        RelationshipFlag = 'm' // the person is muted, see MuteScore
	Blocking     RelationshipFlag = 'b' // the user blocks the person
	BlockedBy    RelationshipFlag = 'x' // the person blocks the user
	Narrowed     RelationshipFlag = 'l' // only what they write in some languages is wanted at home: see followlang.go
)

// RelationshipLetters are the letters of all towards people.
const RelationshipLetters = "rmbx"

func RelationshipsKey(user linnet.ID) kv.Key { return IDKey(KindRelationships, user) }

func (c RelationshipFlag) Member(other linnet.ID) string { return other.String() + string(c) }

// RelationshipSet is where a relationship flag has its relation; not all have one.
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

// A mute stands in two sets of its user: among the mutes, by the time when it
// was made, for lists; and among the relationship flags, with what it means as its score:
// when it ends in Unix milliseconds (0: never), twice, and one more if
// notifications are muted as well. A mute that has ended means nothing and is
// removed when the user next mutes or unmutes anybody.
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

// MutesKey is the set of whom a user mutes, by when the mute was made.
func MutesKey(user linnet.ID) kv.Key { return IDKey(KindMutes, user) }

// LanguagesScore is the score of all members about languages.
const LanguagesScore = -1

// FollowedTagsCounter counts the tags that a user follows.
const FollowedTagsCounter = "tags"

// FollowedTagMember stands among the relationship flags for a folded tag that is followed.
func FollowedTagMember(folded string) string { return "#" + folded }

// FollowedTagOf reads such a member.
func FollowedTagOf(member string) (folded string, ok bool) { return strings.CutPrefix(member, "#") }

// FollowedTagScore is the score of a tag that is followed from a time on: those of all
// tags come before those of everything else.
func FollowedTagScore(since time.Time) int64 { return -since.UnixMilli() }

// JoinLanguages writes languages as they follow the id of a member, see SplitEntry: without
// bytes below the letters.
func JoinLanguages(codes []string) string {
	return strings.ReplaceAll(strings.Join(codes, "|"), "-", "_")
}

// LanguagesIn are the languages in what stands behind the id of a member.
func LanguagesIn(kind string) []string {
	codes, ok := strings.CutPrefix(kind, string(rune(Narrowed))+"|")
	if !ok {
		return nil
	}
	return strings.Split(strings.ReplaceAll(codes, "_", "-"), "|")
}

package record

import (
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"unicode/utf8"
)

// featuredKeys are the kinds of key of a user's tags.
func featuredKeys() []KeyDoc {
	return []KeyDoc{
		{KindFeatured, "value", "user", "the tags that the user shows on the profile, the first shown first, JSON", "10", "", noSecret()},
		{KindUserTag, "set", "user.folded tag", "the user's public statuses with the tag, by time", "none", "", noSecret()},
		{KindUserTags, "counters", "user", "number of public statuses of the user with each tag, by a hash of the folded tag", "tags used", "", noSecret()},
	}
}

func FeaturedKey(user linnet.ID) kv.Key { return IDKey(KindFeatured, user) }

func UserTagsKey(user linnet.ID) kv.Key { return IDKey(KindUserTags, user) }

func UserTagKey(user linnet.ID, folded string) kv.Key {
	return kv.Key{Kind: KindUserTag, Shard: user.Shard(), ID: user.String() + "." + folded}
}

// TagName returns the name of a tag's counter, because a tag can be longer than such names.
func TagName(folded string) string { return Hash(folded)[:22] }

type Featured struct {
	Tags []FeaturedTag `json:"tags"`
}

type FeaturedTag struct {
	ID   JID    `json:"id"`
	Name string `json:"name"`
	Tag  string `json:"tag"` // folded
}

func PinsKey(user linnet.ID) kv.Key { return IDKey(KindPins, user) }

// Pins lists pinned statuses, the latest first. It is written together with the flag in each
// status's record. A deleted status may be in it until its clean-up.
type Pins struct {
	Statuses []JID `json:"statuses"`
}

const (
	TagRecentMost = 4
)

func tagNameKeys() []KeyDoc {
	return []KeyDoc{
		{KindTagNames, "set", "first two letters", "folded tags of public statuses, for prefix search", "tags with such a prefix", "", noSecret()},
		{KindTagRecent, "set", "first 1 to 4 letters", "recently used tags, by time", "about 500", "", noSecret()},
	}
}

func TagNamesKey(tag string) kv.Key {
	prefix := CutRunes(tag, NamePrefix)
	return kv.Key{Kind: KindTagNames, Shard: HashShard(prefix), ID: prefix}
}

func TagRecentKey(prefix string) kv.Key {
	return kv.Key{Kind: KindTagRecent, Shard: HashShard(prefix), ID: prefix}
}

// TagPrefixes returns the prefixes of a tag under which the most recently used tags are stored.
func TagPrefixes(tag string) []string {
	var out []string
	for n := range min(utf8.RuneCountInString(tag), TagRecentMost) {
		out = append(out, CutRunes(tag, n+1))
	}
	return out
}

// TagSubject is the removal of a status from a tag.
func TagSubject(tag string) Subject { return Subject{Kind: "tag " + tag} }

package record

import (
	"linnet/internal/kv"
	"linnet/internal/linnet"
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

package record

import (
	"unicode/utf8"

	"linnet/internal/kv"
)

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

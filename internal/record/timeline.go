package record

import (
	"strings"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// Post is an entry of a profile timeline, with the properties in its flags.
type Post struct {
	ID         linnet.ID
	Author     linnet.ID // owner of the profile
	Repost     bool
	Reply      bool // to another user
	Visibility linnet.Visibility
	Members    bool // only for members of a group
	Media      bool // it has attachments
	Imported   bool
}

func ParsePost(author linnet.ID, m string) Post {
	id, flags := SplitEntry(m)
	p := Post{ID: id, Author: author}
	for _, f := range flags {
		switch f {
		case flagRepost:
			p.Repost = true
		case flagReply:
			p.Reply = true
		case flagUnlisted:
			p.Visibility = linnet.Unlisted
		case FlagPrivate:
			p.Visibility = linnet.Private
		case FlagDirect:
			p.Visibility = linnet.Direct
		case FlagMembers:
			p.Members = true
		case flagMedia:
			p.Media = true
		case flagImported:
			p.Imported = true
		}
	}
	return p
}

// ParseTagged parses a member of the set of a tag, see TagMember.
func ParseTagged(m string) Post {
	id, author, _ := strings.Cut(m, ".")
	var p Post
	p.ID, _ = linnet.ParseID(id)
	p.Author, _ = linnet.ParseID(author)
	return p
}

func TagMember(st *linnet.Status) string { return st.ID.String() + "." + st.Author.String() }

func GlobalKeys() []kv.Key {
	keys := make([]kv.Key, GlobalSlices)
	for i := range keys {
		keys[i] = GlobalKey(i)
	}
	return keys
}

func PulledKey() kv.Key { return ShardKey(KindPulled, 0) }

func PushedKey() kv.Key { return ShardKey(KindPushed, 0) }

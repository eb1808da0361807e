package record

import (
	"linnet/internal/kv"
	"linnet/internal/linnet"
)

func ListKey(id linnet.ID) kv.Key { return IDKey(KindList, id) }

func ListsKey(user linnet.ID) kv.Key { return IDKey(KindLists, user) }

// ExclusiveKey is the set of a user's lists whose members are not shown at home. The home timeline
// needs them without reading the records of all lists.
func ExclusiveKey(user linnet.ID) kv.Key { return IDKey(KindExclusive, user) }

func EncodeList(l *linnet.List) []byte {
	return Encode(List{JID(l.Owner), l.Title, l.Replies, l.Exclusive})
}

// PrivateSet is a kind of private set of ids of one user, such as bookmarks. Such sets have one
// side and no tombstones.
type PrivateSet string

const (
	Bookmarks PrivateSet = KindBookmarks
	Endorsed  PrivateSet = KindEndorsed
	Accepted  PrivateSet = KindAccepted
)

// Key is the set of a user.
func (k PrivateSet) Key(user linnet.ID) kv.Key { return IDKey(string(k), user) }

func suggestKeys() []KeyDoc {
	return []KeyDoc{{KindDismissed, "set", "user", "dismissed suggestions, by time", "about 1,000", "followers in common of Retwis", noSecret()}}
}

// Dismissed are the users that are no longer suggested to a user.
const Dismissed PrivateSet = KindDismissed

package record

import (
	"linnet/internal/kv"
	"linnet/internal/linnet"
)

type Idem struct {
	Status JID `json:"status"`
}

func IdemKey(author linnet.ID, hash string) kv.Key {
	return kv.Key{Kind: KindIdem, Shard: author.Shard(), ID: author.String() + "." + hash}
}

// ClosedCounter counts the replies to a status that not everybody may see.
const ClosedCounter = "closed"

// RepliesKey is the set of the direct replies to a status that everybody may see, and
// ClosedRepliesKey that of the others. They lie apart so that nobody can hide what is
// public among what is not.
func RepliesKey(status linnet.ID) kv.Key { return IDKey(KindReplies, status) }

// ClosedRepliesKey: see RepliesKey.
func ClosedRepliesKey(status linnet.ID) kv.Key { return IDKey(KindClosed, status) }

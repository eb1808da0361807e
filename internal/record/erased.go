package record

import (
	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// KindErased is the kind of key of what is left of deleted statuses.
const KindErased = "erased"

func erasedKeys() []KeyDoc {
	return []KeyDoc{{KindErased, "set", "user", "statuses of the user's that everybody could read and that are deleted, by when: their pages say so; of others nothing is left", "1,000 and some, the latest", "", noSecret()}}
}

func ErasedKey(user linnet.ID) kv.Key { return IDKey(KindErased, user) }

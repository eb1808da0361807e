package posting

import (
	"strings"

	"linnet/internal/linnet"
)

// What is not finished of an edit is a draft whose key names the status that it changes. So it
// is kept, found and deleted like others, and is told from them wherever it is gone on with: it
// never becomes a second status by itself.

const editOf = "edit of "

// EditKey is the key with which a composer saves an edit of a status, made from the key that it
// has itself, or from the outcome for it.
func EditKey(status linnet.ID, key string) string {
	if EditedBy(key) != 0 {
		return key
	}
	return editOf + status.String() + " " + key
}

// EditedBy is the status that a draft changes which was saved with a key; 0: none.
func EditedBy(key string) linnet.ID {
	rest, ok := strings.CutPrefix(key, editOf)
	if !ok {
		return 0
	}
	digits, _, _ := strings.Cut(rest, " ")
	id, _ := linnet.ParseID(digits)
	return id
}

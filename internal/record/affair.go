package record

import (
	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// Affair is the subject of a deferred task: a user, a list, a status, or one relation between two.
type Affair struct {
	Kind   string
	Of, To linnet.ID
}

// UserAffair is the creation of a user.
func UserAffair(id linnet.ID) Affair { return Affair{Kind: "user", Of: id} }

// EmailAffair is the claim of an e-mail address, by its hash.
func EmailAffair(hash string) Affair { return Affair{Kind: "email " + hash} }

// PasskeyAffair is the claim of a passkey, by the hash of its credential ID.
func PasskeyAffair(hash string) Affair { return Affair{Kind: "passkey " + hash} }

// StatusAffair is the publication or the undoing of a status.
func StatusAffair(id linnet.ID) Affair { return Affair{Kind: "status", Of: id} }

// ListAffair is the removal of a list.
func ListAffair(id linnet.ID) Affair { return Affair{Kind: "list", Of: id} }

// Affair is the copying of one relation to its other side.
func (k EdgeKind) Affair(owner, other linnet.ID) Affair { return Affair{k.Name, owner, other} }

// IsFeed reports whether a key belongs to a feed.
func IsFeed(key kv.Key) bool {
	return key.Kind == KindHome || key.Kind == KindListFeed || key.Kind == KindTopFeed
}

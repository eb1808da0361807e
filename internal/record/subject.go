package record

import (
	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// Subject is the subject of a deferred task: a user, a list, a collection, a status, or one relation between two.
type Subject struct {
	Kind   string
	Of, To linnet.ID
}

// UserSubject is the creation of a user.
func UserSubject(id linnet.ID) Subject { return Subject{Kind: "user", Of: id} }

// EmailSubject is the claim of an e-mail address, by its hash.
func EmailSubject(hash string) Subject { return Subject{Kind: "email " + hash} }

// PasskeySubject is the claim of a passkey, by the hash of its credential ID.
func PasskeySubject(hash string) Subject { return Subject{Kind: "passkey " + hash} }

// StatusSubject is the publication or deletion of a status.
func StatusSubject(id linnet.ID) Subject { return Subject{Kind: "status", Of: id} }

// ListSubject is the removal of a list.
func ListSubject(id linnet.ID) Subject { return Subject{Kind: "list", Of: id} }

// CollectionSubject is the copying of a changed collection.
func CollectionSubject(id linnet.ID) Subject { return Subject{Kind: "collection", Of: id} }

// Subject is the copying of one relation to its other side.
func (k RelationKind) Subject(owner, other linnet.ID) Subject { return Subject{k.Name, owner, other} }

// IsFeed reports whether a key belongs to a feed.
func IsFeed(key kv.Key) bool {
	return key.Kind == KindHome || key.Kind == KindListFeed || key.Kind == KindTopFeed
}

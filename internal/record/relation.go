package record

import (
	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// RelationKind is a two-sided relation. The side of the owner (a user or a list) is the truth. The
// other side (a user or a status) has a copy that a task updates, so that both sides can be listed.
// Both store removals for a while as tombstones. The score of a member is its version, which only
// rises, and an older version never overwrites a newer one. So follow, unfollow and follow give the
// same result in any order, however often and late the tasks run.
type RelationKind struct {
	Name   string
	Owned  string // set at the owner: the other sides
	Copied string // set at the other side: the owners

	OwnerCounter string // counter in counts of the owner, or ""
	OtherKind    string // kind of counters at the other side, or ""
	OtherCounter string
	Exists       string // kind of record that must exist at the other side for a copy, or ""
	DocOwner     string // kind of the owner: user or list
	DocOther     string
	book         string
}

// The relations. Each function returns the same description every time.
func Follows() RelationKind {
	return RelationKind{"follow", "following", "followers", "following", KindCounts, "followers", KindUser, "user", "user", "following:ID, followers:ID, listings 8.4 and 8.5"}
}

// Requests relates a user to the targets of their follow requests. A user never has a request and a
// follow for the same target.
func Requests() RelationKind {
	return RelationKind{"request", "requesting", "requesters", "requesting", KindCounts, "requests", KindUser, "user", "user", ""}
}

// Favourites relates a user to a status.
func Favourites() RelationKind {
	return RelationKind{"favourite", "favourites", "favourited", "", KindTally, "favourites", KindStatus, "user", "status", "suggestion: favourites"}
}

// Reposts relates a user to the original of a repost.
func Reposts() RelationKind {
	return RelationKind{"repost", "reposts", "reposted", "", KindTally, "reposts", KindStatus, "user", "status", "suggestion: reposting"}
}

// Listings relates a list to its members.
func Listings() RelationKind {
	return RelationKind{"listing", "members", "listed", "", "", "", KindUser, "list", "user", "exercise: lists of users"}
}

// Watches relates a user to the authors whose statuses notify the user.
func Watches() RelationKind {
	return RelationKind{"watch", "watching", "watchers", "", "", "", KindUser, "user", "user", ""}
}

// Blocks relates a user to blocked users. Each side is written in one transaction with a
// relationship flag, see Blocking and BlockedBy.
func Blocks() RelationKind {
	return RelationKind{"block", "blocks", "blockedby", "blocks", "", "", KindUser, "user", "user", "suggestion: spam and abuse controls"}
}

// RelationKinds returns all relations.
func RelationKinds() []RelationKind {
	return []RelationKind{Follows(), Requests(), Favourites(), Reposts(), Listings(), Watches(), Blocks(), GroupOwners(), GroupModerators(), GroupOffers()}
}

// RelationKindNamed returns a relation by name.
func RelationKindNamed(name string) (RelationKind, bool) {
	for _, k := range RelationKinds() {
		if k.Name == name {
			return k, true
		}
	}
	return RelationKind{}, false
}

func (k RelationKind) docs() []KeyDoc {
	return []KeyDoc{
		{k.Owned, "set", k.DocOwner, k.Name + ": each " + k.DocOther + ", by version (ms)", "limit of the relation", k.book, noSecret()},
		{k.Owned + ".gone", "set", k.DocOwner, "tombstones of " + k.Owned, "30 days", "", noSecret()},
		{k.Copied, "set", k.DocOther, k.Name + ": each " + k.DocOwner + ", by version (ms)", "none", k.book, noSecret()},
		{k.Copied + ".gone", "set", k.DocOther, "tombstones of " + k.Copied, "30 days", "", noSecret()},
	}
}

// OfUser reports whether the owner is a user, and not a list.
func (k RelationKind) OfUser() bool { return k.DocOwner == "user" }

// OwnedKey is the set of targets of owner.
func (k RelationKind) OwnedKey(owner linnet.ID) kv.Key { return IDKey(k.Owned, owner) }

// CopyKey is the set of owners at the other side.
func (k RelationKind) CopyKey(other linnet.ID) kv.Key { return IDKey(k.Copied, other) }

// Side is one side of a relation between two users, lists or statuses.
type Side struct {
	Live, Gone kv.Key
	Member     string
	IsLive     bool
	Version    int64 // 0: never written
	Expired    []string
}

func (k RelationKind) OwnerSide(owner, other linnet.ID) Side {
	return Side{Live: IDKey(k.Owned, owner), Gone: IDKey(k.Owned+".gone", owner), Member: other.String()}
}

func (k RelationKind) OtherSide(owner, other linnet.ID) Side {
	return Side{Live: IDKey(k.Copied, other), Gone: IDKey(k.Copied+".gone", other), Member: owner.String()}
}

// TombstoneMillis is how long a removal is recorded, which is much longer than tasks are retried.
const TombstoneMillis = 30 * 24 * 3600 * 1000

// Unchanged returns the conditions that a side has not changed since it was read.
func (h *Side) Unchanged() []kv.Cond {
	if h.IsLive {
		return []kv.Cond{kv.ScoreIs{Key: h.Live, Member: h.Member, Score: h.Version}}
	}
	if h.Version != 0 {
		return []kv.Cond{kv.NoMember{Key: h.Live, Member: h.Member}, kv.ScoreIs{Key: h.Gone, Member: h.Member, Score: h.Version}}
	}
	return []kv.Cond{kv.NoMember{Key: h.Live, Member: h.Member}, kv.NoMember{Key: h.Gone, Member: h.Member}}
}

// Set returns the changes that make the side live or removed at a version, if it is unchanged.
func (h *Side) Set(live bool, version int64) []kv.Op {
	var ops []kv.Op
	if live {
		ops = append(ops, kv.Add{Key: h.Live, Member: h.Member, Score: version})
		if h.Version != 0 {
			ops = append(ops, kv.Remove{Key: h.Gone, Member: h.Member})
		}
	} else {
		ops = append(ops, kv.Remove{Key: h.Live, Member: h.Member}, kv.Add{Key: h.Gone, Member: h.Member, Score: version})
	}
	for _, m := range h.Expired {
		if m != h.Member {
			ops = append(ops, kv.Remove{Key: h.Gone, Member: m})
		}
	}
	return ops
}

// Endings returns the name of the counter of removals under the counts of the other side, or "" if
// nothing needs it.
func (k RelationKind) Endings() string {
	switch k.Name {
	case Follows().Name:
		return "unfollowed"
	case Listings().Name:
		return "unlisted"
	}
	return ""
}

// Endings returns the names of all counters of removals.
func Endings() []string { return []string{Follows().Endings(), Listings().Endings()} }

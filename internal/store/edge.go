package store

import (
	"context"
	"errors"
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// EdgeKind is a two-sided relation. The owner (a user or a list) owns the
// truth; the other side (a user or a status) has a copy that a task brings up
// to date, so that both sides can be walked. Both keep removals for a while as
// tombstones: the score of a member is the version of its half, which only
// rises, and an older one never overwrites a newer one. So follow, unfollow and
// follow end alike in whatever order, how often and how late the tasks run.
type EdgeKind struct {
	Name  string
	owned string // set at the owner: the other sides
	copy  string // set at the other side: the owners

	ownerCounter string // counter in counts of the owner, or ""
	otherKind    string // kind of counters at the other side, or ""
	otherCounter string
	exists       string // kind of record that must exist at the other side for a copy to be written, or ""
	docOwner     string // what the owner is: user or list
	docOther     string
	book         string
}

// The relations. Each constructor returns the same description every time.
func Follows() EdgeKind {
	return EdgeKind{"follow", "following", "followers", "following", kCounts, "followers", kUser, "user", "user", "following:ID, followers:ID, listing 8.4"}
}

// Requests relates a user to those whom they ask to be let follow. Nobody asks
// and follows the same person at once.
func Requests() EdgeKind {
	return EdgeKind{"request", "requesting", "requesters", "requesting", kCounts, "requests", kUser, "user", "user", ""}
}

// Favourites relates a user to a status.
func Favourites() EdgeKind {
	return EdgeKind{"favourite", "favourites", "favourited", "", kTally, "favourites", kStatus, "user", "status", "suggestion: favourites"}
}

// Reposts relates a user to the original of a repost.
func Reposts() EdgeKind {
	return EdgeKind{"repost", "reposts", "reposted", "", kTally, "reposts", kStatus, "user", "status", "suggestion: reposting"}
}

// Listings relates a list to its members.
func Listings() EdgeKind {
	return EdgeKind{"listing", "members", "listed", "", "", "", kUser, "list", "user", "exercise: lists of users"}
}

// Watches relates a user to those whose statuses notify.
func Watches() EdgeKind {
	return EdgeKind{"watch", "watching", "watchers", "", "", "", kUser, "user", "user", ""}
}

// Blocks relates a user to those whom the user blocks. Either side's half lies in
// one transaction with a stance, see Blocking and BlockedBy.
func Blocks() EdgeKind {
	return EdgeKind{"block", "blocks", "blockedby", "blocks", "", "", kUser, "user", "user", "suggestion: spam and abuse controls"}
}

// EdgeKinds are all relations.
func EdgeKinds() []EdgeKind {
	return []EdgeKind{Follows(), Requests(), Favourites(), Reposts(), Listings(), Watches(), Blocks(), GroupOwners(), GroupModerators(), GroupOffers()}
}

// EdgeKindNamed finds a relation by name.
func EdgeKindNamed(name string) (EdgeKind, bool) {
	for _, k := range EdgeKinds() {
		if k.Name == name {
			return k, true
		}
	}
	return EdgeKind{}, false
}

func (k EdgeKind) docs() []KeyDoc {
	return []KeyDoc{
		{k.owned, "set", k.docOwner, k.Name + ": each " + k.docOther + ", by version (ms)", "limits of the act", k.book, noSecret()},
		{k.owned + ".gone", "set", k.docOwner, "tombstones of " + k.owned, "30 days", "", noSecret()},
		{k.copy, "set", k.docOther, k.Name + ": each " + k.docOwner + ", by version (ms)", "none", k.book, noSecret()},
		{k.copy + ".gone", "set", k.docOther, "tombstones of " + k.copy, "30 days", "", noSecret()},
	}
}

// OfUser reports whether the owner is a user, and not a list.
func (k EdgeKind) OfUser() bool { return k.docOwner == "user" }

// OwnedKey is the set of what owner relates to, CopyKey that of who relates to
// other.
func (k EdgeKind) OwnedKey(owner linnet.ID) kv.Key { return idKey(k.owned, owner) }

// CopyKey is the set of owners at the other side.
func (k EdgeKind) CopyKey(other linnet.ID) kv.Key { return idKey(k.copy, other) }

// half is one side of one edge.
type half struct {
	live, gone kv.Key
	member     string
	isLive     bool
	version    int64 // 0: never heard of
	expired    []string
}

func (k EdgeKind) ownerHalf(owner, other linnet.ID) half {
	return half{live: idKey(k.owned, owner), gone: idKey(k.owned+".gone", owner), member: other.String()}
}

func (k EdgeKind) otherHalf(owner, other linnet.ID) half {
	return half{live: idKey(k.copy, other), gone: idKey(k.copy+".gone", other), member: owner.String()}
}

// tombstoneMillis is how long a removal is remembered: far longer than any task
// is retried.
const tombstoneMillis = 30 * 24 * 3600 * 1000

// readHalves reads halves in one round trip, with a few tombstones that are old
// enough to go.
func (s *Store) readHalves(ctx context.Context, hs ...*half) error {
	before := s.Now().UnixMilli() - tombstoneMillis
	qs := make([]kv.Query, 0, 3*len(hs))
	for _, h := range hs {
		qs = append(qs, &kv.Scores{Key: h.live, Members: []string{h.member}},
			&kv.Scores{Key: h.gone, Members: []string{h.member}},
			&kv.Range{Key: h.gone, Below: &kv.Member{Score: before}, Limit: 2})
	}
	if err := s.kv.Read(ctx, qs...); err != nil {
		return fmt.Errorf("read edge: %w", err)
	}
	for i, h := range hs {
		live, gone, old := qs[3*i].(*kv.Scores), qs[3*i+1].(*kv.Scores), qs[3*i+2].(*kv.Range)
		// A half is in one of the two sets, but they were read one after the other:
		// found in both, it has changed in between, and the later version holds.
		h.isLive = live.Found[0] && (!gone.Found[0] || live.Values[0] > gone.Values[0])
		h.version = max(live.Values[0], gone.Values[0])
		for _, m := range old.Members {
			h.expired = append(h.expired, m.Member)
		}
	}
	return nil
}

// unchanged are the conditions that a half is still what was read.
func (h *half) unchanged() []kv.Cond {
	if h.isLive {
		return []kv.Cond{kv.ScoreIs{Key: h.live, Member: h.member, Score: h.version}}
	}
	if h.version != 0 {
		return []kv.Cond{kv.NoMember{Key: h.live, Member: h.member}, kv.ScoreIs{Key: h.gone, Member: h.member, Score: h.version}}
	}
	return []kv.Cond{kv.NoMember{Key: h.live, Member: h.member}, kv.NoMember{Key: h.gone, Member: h.member}}
}

// set are the changes that make the half live or gone at a version.
func (h *half) set(live bool, version int64) []kv.Op {
	var ops []kv.Op
	if live {
		ops = append(ops, kv.Add{Key: h.live, Member: h.member, Score: version}, kv.Remove{Key: h.gone, Member: h.member})
	} else {
		ops = append(ops, kv.Remove{Key: h.live, Member: h.member}, kv.Add{Key: h.gone, Member: h.member, Score: version})
	}
	for _, m := range h.expired {
		if m != h.member {
			ops = append(ops, kv.Remove{Key: h.gone, Member: m})
		}
	}
	return ops
}

func step(from, to bool) int64 {
	switch {
	case to && !from:
		return 1
	case from && !to:
		return -1
	}
	return 0
}

// EdgeCopied is what CopyEdge did.
type EdgeCopied struct {
	Live    bool // the edge is in force
	Changed bool // this call changed the copy
	Gone    bool // the other side no longer exists, and nothing was written
}

// CopyEdge brings the copy at the other side up to date with the owner's half,
// whatever that is now. With the copy, in one transaction, goes its counter and
// what also returns for the change (a notification). It may be repeated, run
// late and run twice at once.
func (s *Store) CopyEdge(ctx context.Context, kind EdgeKind, owner, other linnet.ID, also func(live bool) []kv.Op) (EdgeCopied, error) {
	var did EdgeCopied
	written := false // by a transaction of this call, which was acknowledged
	for range maxRaces {
		own, copy := kind.ownerHalf(owner, other), kind.otherHalf(owner, other)
		if err := s.readHalves(ctx, &own, &copy); err != nil {
			return did, err
		}
		did.Live = own.isLive
		if own.version <= copy.version {
			if !written && surely(&ctx) {
				continue
			}
			return did, nil
		}
		conds, ops := copy.unchanged(), copy.set(own.isLive, own.version)
		if kind.exists != "" {
			conds = append(conds, kv.Present{Key: idKey(kind.exists, other)})
		}
		if n := step(copy.isLive, own.isLive); n != 0 {
			if kind.otherKind != "" {
				ops = append(ops, kv.Incr{Key: idKey(kind.otherKind, other), Name: kind.otherCounter, By: n})
			}
			if name := kind.endings(); name != "" && n < 0 {
				ops = append(ops, kv.Incr{Key: countsKey(other), Name: name, By: 1})
			}
			if also != nil {
				ops = append(ops, also(own.isLive)...)
			}
		}
		failed, err := s.kv.Txn(ctx, conds, ops...)
		if errors.Is(err, kv.ErrUnknown) {
			ctx = kv.Durable(ctx)
			continue
		}
		if err != nil {
			return did, fmt.Errorf("copy %s: %w", kind.Name, err)
		}
		if kind.exists != "" && failed == len(conds)-1 {
			did.Gone = true
			return did, nil
		}
		written = written || failed < 0
		did.Changed = did.Changed || failed < 0 && copy.isLive != own.isLive
		// Once more round: the owner may have changed in the meantime.
	}
	return did, errRaces("copy of "+kind.Name+" at", other)
}

// EdgeHas asks which of others the owner relates to.
func (b *Batch) EdgeHas(kind EdgeKind, owner linnet.ID, others []linnet.ID) *Membership {
	return b.has(idKey(kind.owned, owner), others)
}

// EdgeHasOwner asks which of owners relate to other.
func (b *Batch) EdgeHasOwner(kind EdgeKind, other linnet.ID, owners []linnet.ID) *Membership {
	return b.has(idKey(kind.copy, other), owners)
}

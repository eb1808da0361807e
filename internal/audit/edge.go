package audit

import (
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// edgeOwner checks what an owner relates to: the other sides know of it, at the
// same version.
func (x *auditing) edgeOwner(k record.EdgeKind, key kv.Key) {
	owner, ok := x.keyID(key)
	if !ok {
		return
	}
	x.edgeEnd(k.DocOwner, key)
	x.halves(key, func(other linnet.ID) (kv.Key, string) { return k.CopyKey(other), owner.String() },
		func(other linnet.ID, text string) { x.oneSided(k, key, owner, other, text) },
		func(w whole) {
			if k.OwnerCounter != "" {
				x.sized(w, record.CountsKey(owner), k.OwnerCounter)
			}
		})
}

// edgeCopy checks the other side of the relations that edgeOwner checks.
func (x *auditing) edgeCopy(k record.EdgeKind, key kv.Key) {
	other, ok := x.keyID(key)
	if !ok {
		return
	}
	x.edgeEnd(k.DocOther, key)
	x.halves(key, func(owner linnet.ID) (kv.Key, string) { return k.OwnedKey(owner), other.String() },
		func(owner linnet.ID, text string) { x.oneSided(k, key, owner, other, text) },
		func(w whole) {
			if k.OtherKind != "" {
				x.sized(w, record.IDKey(k.OtherKind, other), k.OtherCounter, record.StatusAffair(other))
			}
		})
}

// halves compares each member of a side with the other side, which must have a member with the same
// score. A member must not have a tombstone.
func (x *auditing) halves(key kv.Key, opposite func(linnet.ID) (kv.Key, string), bad func(linnet.ID, string), end func(whole)) {
	gone := kv.Key{Kind: key.Kind + ".gone", Shard: key.Shard, ID: key.ID}
	x.pages(whole{key: key}, func(page []kv.Member) {
		dead := &kv.Scores{Key: gone}
		for _, m := range page {
			dead.Members = append(dead.Members, m.Member)
			id, ok := linnet.ParseID(m.Member)
			if !ok {
				x.found(RuleRecord, key, fmt.Sprintf("%q is not an id", m.Member))
				continue
			}
			set, member := opposite(id)
			q := &kv.Scores{Key: set, Members: []string{member}}
			x.ask(func() {
				if !q.Found[0] {
					bad(id, fmt.Sprintf("has %v at version %d, but %v has not %s", id, m.Score, set, member))
				} else if q.Values[0] != m.Score {
					bad(id, fmt.Sprintf("has %v at version %d, but %v has %s at %d", id, m.Score, set, member, q.Values[0]))
				}
			}, q)
		}
		x.ask(func() {
			for i, found := range dead.Found {
				if found {
					x.found(RuleEdge, key, fmt.Sprintf("%s is here and, at version %d, also in %v", dead.Members[i], dead.Values[i], gone))
				}
			}
		}, dead)
	}, end)
}

// oneSided reports a relation whose sides differ. If the status on the other side is deleted, the
// rest isn't visible.
func (x *auditing) oneSided(k record.EdgeKind, key kv.Key, owner, other linnet.ID, text string) {
	waits := []record.Affair{k.Affair(owner, other)}
	switch {
	case k.DocOwner == "list":
		x.found(RuleEdge, key, text, append(waits, record.ListAffair(owner))...)
		return
	case k.DocOther != "status":
		x.found(RuleEdge, key, text, waits...)
		return
	}
	exists := &kv.Get{Key: record.StatusKey(other)}
	repost := &kv.Get{Key: record.RepostKey(owner, other)}
	x.ask(func() {
		waits = append(waits, record.StatusAffair(other))
		var r record.Idem
		if k.Name == record.Reposts().Name && read(x, repost, &r) {
			waits = append(waits, record.StatusAffair(linnet.ID(r.Status)))
		}
		if exists.Version == 0 {
			x.minor(RuleEdge, key, text+": the status does not exist", waits...)
		} else {
			x.found(RuleEdge, key, text, waits...)
		}
	}, exists, repost)
}

// edgeEnd checks that the owner of a set of relations exists.
func (x *auditing) edgeEnd(what string, key kv.Key) {
	id, ok := linnet.ParseID(key.ID)
	if !ok || id.Shard() != key.Shard {
		return // reported where the relations are compared
	}
	end, affair := record.StatusKey(id), record.StatusAffair(id)
	switch what {
	case "user":
		x.belongs(key, id)
		return
	case "list":
		end, affair = record.ListKey(id), record.ListAffair(id)
	default:
		what = "status"
	}
	// The set may have been deleted since it was listed.
	get, left := &kv.Get{Key: end}, &kv.Range{Key: key, Limit: 1}
	x.ask(func() {
		if get.Version == 0 && len(left.Members) > 0 {
			x.found(RuleOrphan, key, "there is no such "+what, affair)
		}
	}, get, left)
}

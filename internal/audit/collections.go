package audit

import (
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// collectionRows are the rows of collections.
func collectionRows() map[string]row {
	return map[string]row{
		record.KindCollection:       {key: idKey, value: decoded(record.DecodeCollection, collectionRefs)},
		record.KindCollections:      {owner: ofUser, set: ids(collectionsRefs)},
		record.KindInCollections:    {owner: ofUser, set: ids(inCollectionsRefs)},
		record.KindFoundCollections: {key: anyOf(record.FoundCollectionsKey()), set: ids(foundCollectionsRefs)},
	}
}

// collectionRefs expects the owner, the collection in the owner's set, and in the sets of the
// accounts that it shows.
func collectionRefs(x *auditing, c *linnet.Collection) []ref {
	if c == nil {
		return nil
	}
	accounts := make([]linnet.ID, len(c.Items))
	for i, it := range c.Items {
		accounts[i] = it.Account
	}
	refs := append(distinct(accounts, linnet.MaxCollectionItems+linnet.MaxCollectionRevoked),
		user(c.Owner), in(record.CollectionsKey(c.Owner), x.key.ID).as(RuleOrphan))
	for _, it := range c.Items {
		if it.State == linnet.ItemAccepted {
			refs = append(refs, inAt(record.InCollectionsKey(it.Account), x.key.ID, it.ID.Millis()).as(RuleRelation).
				awaits(record.CollectionSubject(c.ID), record.UserSubject(it.Account)))
		}
	}
	return refs
}

func collectionsRefs(x *auditing, id linnet.ID, _ kv.Member) []ref {
	return []ref{refersBack(record.CollectionKey(id), func(r *record.Collection) bool {
		return linnet.ID(r.Owner) == x.id
	}).as(RuleDeleted)}
}

func inCollectionsRefs(x *auditing, id linnet.ID, _ kv.Member) []ref {
	return []ref{collectionThat(id, RuleRelation, func(c *linnet.Collection) bool { return c.Shows(x.id) }).awaits(record.UserSubject(x.id))}
}

func foundCollectionsRefs(_ *auditing, id linnet.ID, _ kv.Member) []ref {
	return []ref{collectionThat(id, RuleIndex, func(c *linnet.Collection) bool { return c.Discoverable })}
}

// collectionThat expects a collection that belongs in this set. Entries of others aren't shown.
func collectionThat(id linnet.ID, rule Rule, belongs func(*linnet.Collection) bool) ref {
	get := &kv.Get{Key: record.CollectionKey(id)}
	return reading(get, func() *Finding {
		c, err := record.DecodeCollection(id, get)
		if err != nil || c != nil && belongs(c) {
			return nil
		}
		return broken(rule, "collection %v does not exist or does not belong in this record", id)
	}).awaits(record.CollectionSubject(id)).harmless()
}

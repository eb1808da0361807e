package audit

import (
	"slices"
	"strings"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/search"
	"linnet/internal/store/statuses"
)

// discoveryRows are the rows of tags, trends, rankings, custom feeds and search. Feeds are compared
// with their rebuild, not here.
func discoveryRows() map[string]row {
	return map[string]row{
		record.KindHome:     {},
		record.KindListFeed: {},
		record.KindTopFeed:  {},
		record.KindCatchUp:  {owner: ofUser, value: stored(func(_ *auditing, r *record.Rank) []ref { return rankRefs(r, 1) })},
		record.KindRanking:  {key: idKey, value: stored(rankingRefs)},
		record.KindOwnFeeds: {owner: ofUser, value: stored(ownFeedsRefs)},

		record.KindTagNames:  {set: members(tagNameRefs)},
		record.KindTagRecent: {set: members(tagNameRefs)},
		record.KindTrends:    {value: stored(trendRefs)},
		record.KindUntrended: {value: single(untrended())},
		record.KindLinked:    {set: members(linkedRefs), check: checkLinked},
		record.KindLinks:     {set: members(linksRefs)},

		record.KindSearchQueue: {set: ids(searchQueueRefs)},
		record.KindSearchIndex: {value: single(map[kv.Key]value{
			record.SearchManifestKey(): decoded(withoutID(record.DecodeSearchManifest), manifestRefs),
			record.SearchLeaseKey():    readable[record.SearchLease],
		})},
		record.KindSearchPart: {check: checkSearchPart},
	}
}

// rankRefs checks a stored ranking of entries from some sources.
func rankRefs(r *record.Rank, sources int) []ref {
	o, err := r.Order(0)
	if err != nil {
		return wrong("%v", err)
	}
	scored := make([]linnet.ID, len(o.Entries))
	var refs []ref
	for i, e := range o.Entries {
		scored[i] = e.Of
		refs = append(refs, must(e.ID != 0 && e.Of != 0 && e.Source < sources, "entry %v has no id or no source", e.ID)...)
	}
	return append(refs, distinct(scored, linnet.RankingEntries)...)
}

// rankingRefs expects the custom feed of a ranking.
func rankingRefs(x *auditing, r *record.Rank) []ref {
	if r.Owner == nil {
		return wrong("the record lacks the owner of the feed")
	}
	owner := linnet.ID(*r.Owner)
	feeds := record.OwnFeedsKey(owner)
	return []ref{refersBack(feeds, func(all *record.OwnFeeds) bool {
		for _, f := range all.All() {
			if f.ID == x.id {
				x.expect(rankRefs(r, len(f.Sources)))
				return true
			}
		}
		return false
	}).awaits(record.UserSubject(owner))}
}

// ownFeedsRefs checks the limits, and that each feed has a distinct id in the user's shard.
func ownFeedsRefs(x *auditing, r *record.OwnFeeds) (refs []ref) {
	ids := make([]linnet.ID, 0, len(r.Feeds))
	for _, f := range r.All() {
		ids = append(ids, f.ID)
		refs = append(refs, must(f.ID.Shard() == x.key.Shard && len(f.Sources) > 0, "feed %v is in another shard or has no sources", f.ID)...)
		refs = append(refs, atMost(len(f.Sources), linnet.MaxFeedSources)...)
	}
	return append(refs, distinct(ids, linnet.MaxOwnFeeds)...)
}

// tagNameRefs expects an entry of an index of tags to have this prefix and to be in use.
func tagNameRefs(x *auditing, m kv.Member) []ref {
	right := x.key == record.TagNamesKey(m.Member) && m.Score == 0
	if x.key.Kind == record.KindTagRecent {
		right = x.key == record.TagRecentKey(x.key.ID) && strings.HasPrefix(m.Member, x.key.ID)
	}
	if !right {
		return wrong("%q is not an entry of this index", m.Member)
	}
	return []ref{notEmpty(record.TagKey(m.Member)).awaits(record.TagSubject(m.Member))}
}

func trendRefs(x *auditing, r *record.Trend) []ref {
	refs := atMost(len(r.Things), record.TrendTrimmed)
	for _, t := range r.Things {
		slice := kv.Shards / record.TrendSlices * record.TrendSlice(t.Name)
		refs = append(refs, must(slice == int(x.key.Shard), "%q does not belong in this slice", t.Name)...)
	}
	return refs
}

// untrended returns the records of hidden trends, one for each kind.
func untrended() map[kv.Key]value {
	records := map[kv.Key]value{}
	for _, k := range record.TrendKinds() {
		records[record.UntrendedKey(k)] = stored(func(_ *auditing, r *record.Untrended) []ref {
			return atMost(max(len(r.Names), len(r.Shown)), statuses.MaxHiddenTrends)
		})
	}
	return records
}

// linkedRefs checks the form of a status with a link. Readers check whether it exists and contains
// the link.
func linkedRefs(_ *auditing, m kv.Member) []ref {
	head, _, _ := strings.Cut(m.Member, ".")
	id, ok := linnet.ParseID(head)
	return must(ok && id.Millis() == m.Score, "%q with score %d is not a status", m.Member, m.Score)
}

// checkLinked expects a link in the set of expiring links.
func checkLinked(x *auditing) {
	x.expect([]ref{in(record.LinksKey(x.key.Shard), x.key.ID).as(RuleOrphan)})
}

func linksRefs(x *auditing, m kv.Member) []ref {
	return must(record.LinkedKey(m.Member).Shard == x.key.Shard, "%q is not a link of this shard", m.Member)
}

// searchQueueRefs checks the slice of a status. It can be deleted.
func searchQueueRefs(x *auditing, id linnet.ID, m kv.Member) []ref {
	return must(record.SearchQueueKey(record.GlobalSlice(id)) == x.key, "%q is not a status of this slice", m.Member)
}

// manifestRefs expects that the segments of the search index match their checksums.
func manifestRefs(_ *auditing, m *record.SearchManifest) (refs []ref) {
	for _, seg := range m.Segments {
		refs = append(refs, segment(seg))
	}
	return refs
}

func segment(seg record.SearchSegment) ref {
	parts := make([]kv.Query, seg.Parts)
	for i := range parts {
		parts[i] = &kv.Get{Key: record.SearchPartKey(seg.Name, i)}
	}
	return ref{reads: parts, check: func() *Finding {
		var packed []byte
		for _, q := range parts {
			packed = append(packed, q.(*kv.Get).Data...)
		}
		data, err := search.Unpack(packed)
		if err != nil {
			return broken(RuleIndex, "segment %s: %v", seg.Name, err)
		}
		switch opened, err := search.Open(data); {
		case err != nil:
			return broken(RuleIndex, "segment %s: %v", seg.Name, err)
		case opened.Name() != seg.Name || opened.Len() != seg.Count:
			return broken(RuleIndex, "segment %s contains %s with %d statuses, expected %d", seg.Name, opened.Name(), opened.Len(), seg.Count)
		}
		return nil
	}}
}

// checkSearchPart expects that the manifest names the segment. The part itself can be large, and is
// read with the manifest.
func checkSearchPart(x *auditing) {
	name, _, _ := strings.Cut(x.key.ID, ".")
	x.expect([]ref{refersBack(record.SearchManifestKey(), func(m *record.SearchManifest) bool {
		return slices.ContainsFunc(m.Segments, func(s record.SearchSegment) bool { return s.Name == name }) ||
			slices.ContainsFunc(m.Removed, func(r record.SearchRemoved) bool { return r.Name == name })
	})})
}

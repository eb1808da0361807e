package audit

import (
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// checkCatchUp checks that the user exists, the limit, and that no entry occurs twice.
func checkCatchUp(x *auditing, key kv.Key) {
	checkOfUser(x, key)
	x.ordered(key, 1)
}

// checkOwnFeeds checks the limit, and that each feed has a distinct id in the user's shard.
func checkOwnFeeds(x *auditing, key kv.Key) {
	checkOfUser(x, key)
	get := &kv.Get{Key: key}
	x.ask(func() {
		var r record.OwnFeeds
		if !read(x, get, &r) {
			return
		}
		seen := map[linnet.ID]bool{}
		for _, f := range r.All() {
			if seen[f.ID] || f.ID.Shard() != key.Shard || len(r.Feeds) > linnet.MaxOwnFeeds || len(f.Sources) == 0 || len(f.Sources) > linnet.MaxFeedSources {
				x.found(RuleRecord, key, fmt.Sprintf("feed %v occurs twice, is in the wrong place, or exceeds the limit of feeds or sources", f.ID))
			}
			seen[f.ID] = true
		}
	}, get)
}

// ranking: of a feed that its owner has made.
func checkRanking(x *auditing, key kv.Key) {
	id, ok := x.keyID(key)
	if !ok {
		return
	}
	get := &kv.Get{Key: key}
	x.ask(func() {
		var r record.Rank
		if !read(x, get, &r) {
			return
		}
		if r.Owner == nil {
			x.found(RuleRecord, key, "it names no owner of the feed")
			return
		}
		owner := linnet.ID(*r.Owner)
		feeds := &kv.Get{Key: record.OwnFeedsKey(owner)}
		x.ask(func() {
			var all record.OwnFeeds
			read(x, feeds, &all)
			for _, f := range all.All() {
				if f.ID == id {
					x.ordered(key, len(f.Sources))
					return
				}
			}
			x.found(RuleOrphan, key, fmt.Sprintf("user %v has no such feed", owner), record.UserAffair(owner))
		}, feeds)
	}, get)
}

// ordered is the check of an order that takes entries from some sources.
func (x *auditing) ordered(key kv.Key, sources int) {
	get := &kv.Get{Key: key}
	x.ask(func() {
		var r record.Rank
		if !read(x, get, &r) {
			return
		}
		o, err := r.Order(get.Version)
		if err != nil {
			x.found(RuleRecord, key, err.Error())
		}
		if len(o.Entries) > linnet.RankingKeeps {
			x.found(RuleRecord, key, fmt.Sprintf("%d entries, at most %d are stored", len(o.Entries), linnet.RankingKeeps))
		}
		seen := make(map[linnet.ID]bool, len(o.Entries))
		for _, e := range o.Entries {
			if e.ID == 0 || e.Of == 0 || seen[e.Of] || e.Source >= sources {
				x.found(RuleRecord, key, fmt.Sprintf("entry %v occurs twice or has no source", e.ID))
			}
			seen[e.Of] = true
		}
	}, get)
}

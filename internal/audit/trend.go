package audit

import (
	"fmt"
	"linnet/internal/store/statuses"
	"slices"
	"strings"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// checkTrends checks that the record is readable and within its limits.
func checkTrends(x *auditing, key kv.Key) {
	get := &kv.Get{Key: key}
	x.ask(func() {
		var r record.Trend
		if !read(x, get, &r) {
			return
		}
		if len(r.Things) > record.TrendKeep {
			x.found(RuleRecord, key, fmt.Sprintf("it contains %d items", len(r.Things)))
		}
		for _, t := range r.Things {
			if kv.Shards/record.TrendSlices*record.TrendSlice(t.Name) != int(key.Shard) {
				x.found(RuleRecord, key, fmt.Sprintf("%q does not belong in this slice", t.Name))
			}
		}
	}, get)
}

// checkLinked checks that a link is in the set of expiring links and has statuses. Readers check
// whether the statuses exist and contain the link.
func checkLinked(x *auditing, key kv.Key) {
	in := &kv.Scores{Key: record.LinksKey(key.Shard), Members: []string{key.ID}}
	x.ask(func() {
		if !in.Found[0] || record.LinkedKey(key.ID) != key {
			x.found(RuleOrphan, key, fmt.Sprintf("it is not in %v", in.Key))
		}
	}, in)
	x.each(key, func(m kv.Member) {
		head, _, _ := strings.Cut(m.Member, ".")
		if id, ok := linnet.ParseID(head); !ok || id.Millis() != m.Score {
			x.found(RuleRecord, key, fmt.Sprintf("%q at %d is not a status", m.Member, m.Score))
		}
	}, func(whole) {})
}

// links: hashes of links of the shard.
func checkLinks(x *auditing, key kv.Key) {
	x.each(key, func(m kv.Member) {
		if record.LinkedKey(m.Member).Shard != key.Shard || key != record.LinksKey(key.Shard) {
			x.found(RuleRecord, key, fmt.Sprintf("%q is not a link of this shard", m.Member))
		}
	}, func(whole) {})
}

// checkUntrended checks that the record is readable, has a known kind and is within its limits.
func checkUntrended(x *auditing, key kv.Key) {
	if !slices.ContainsFunc(record.TrendKinds(), func(k record.TrendKind) bool { return record.UntrendedKey(k) == key }) {
		x.found(RuleRecord, key, "there is no such kind of trends")
		return
	}
	get := &kv.Get{Key: key}
	x.ask(func() {
		var r record.Untrended
		if read(x, get, &r) && len(r.Names) > statuses.MaxHiddenTrends {
			x.found(RuleRecord, key, fmt.Sprintf("it contains %d names", len(r.Names)))
		}
	}, get)
}

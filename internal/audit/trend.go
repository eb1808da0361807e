package audit

import (
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/record"
)

// trends: the record can be read, and holds no more than it may.
func checkTrends(x *auditing, key kv.Key) {
	get := &kv.Get{Key: key}
	x.ask(func() {
		var r record.Trend
		if !read(x, get, &r) {
			return
		}
		if len(r.Things) > record.TrendKeep {
			x.found(RuleRecord, key, fmt.Sprintf("it holds %d things", len(r.Things)))
		}
		for _, t := range r.Things {
			if kv.Shards/record.TrendSlices*record.TrendSlice(t.Name) != int(key.Shard) {
				x.found(RuleRecord, key, fmt.Sprintf("%q does not lie in this slice", t.Name))
			}
		}
	}, get)
}

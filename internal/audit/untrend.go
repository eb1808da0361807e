package audit

import (
	"fmt"
	"slices"

	"linnet/internal/kv"
	"linnet/internal/record"
	"linnet/internal/store/statuses"
)

// untrended: the record can be read, is of a kind, and holds no more than it may.
func checkUntrended(x *auditing, key kv.Key) {
	if !slices.ContainsFunc(record.TrendKinds(), func(k record.TrendKind) bool { return record.UntrendedKey(k) == key }) {
		x.found(RuleRecord, key, "there is no such kind of trends")
		return
	}
	get := &kv.Get{Key: key}
	x.ask(func() {
		var r record.Untrended
		if read(x, get, &r) && len(r.Names) > statuses.MaxHiddenTrends {
			x.found(RuleRecord, key, fmt.Sprintf("it holds %d names", len(r.Names)))
		}
	}, get)
}

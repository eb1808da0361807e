package audit

import (
	"fmt"
	"strings"

	"linnet/internal/kv"
	"linnet/internal/record"
)

// checkTagNames checks that each entry is a tag with this prefix that is in use.
func checkTagNames(x *auditing, key kv.Key) {
	x.each(key, func(m kv.Member) {
		right := key == record.TagNamesKey(m.Member) && m.Score == 0
		if key.Kind == record.KindTagRecent {
			right = key == record.TagRecentKey(key.ID) && strings.HasPrefix(m.Member, key.ID)
		}
		if !right {
			x.found(RuleRecord, key, fmt.Sprintf("%q is not an entry of this index", m.Member))
			return
		}
		q := &kv.Range{Key: record.TagKey(m.Member), Limit: 1}
		x.ask(func() {
			if len(q.Members) == 0 {
				x.found(RuleIndex, key, fmt.Sprintf("tag %q has no entries", m.Member), record.TagAffair(m.Member))
			}
		}, q)
	}, nil)
}

package audit

import (
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// hasVersions: what an edited status said before is there.
func (x *auditing) hasVersions(st *linnet.Status) {
	for i := range st.Edits {
		get := &kv.Get{Key: record.VersionKey(st.ID, i)}
		x.ask(func() {
			if get.Version == 0 {
				x.found(RuleIndex, record.StatusKey(st.ID), fmt.Sprintf("%v, an earlier version of the post, is missing", get.Key))
			}
		}, get)
	}
}

// version: it is what a status said, by the same author, before it was edited.
func checkVersion(x *auditing, key kv.Key) {
	id, n, ok := record.VersionOf(key)
	if !ok {
		x.found(RuleRecord, key, "the key is not a status of its shard and a number")
		return
	}
	get := &kv.Get{Key: key}
	x.ask(func() {
		if get.Version == 0 {
			return
		}
		was, err := record.DecodeStatus(id, get)
		if err != nil {
			x.found(RuleRecord, key, err.Error())
			return
		}
		x.withStatus(id, func(st *linnet.Status) {
			switch {
			case st == nil:
				x.found(RuleOrphan, key, "there is no such status")
			case n >= len(st.Edits):
				x.found(RuleOrphan, key, fmt.Sprintf("the status was edited %d times", len(st.Edits)))
			case st.Author != was.Author:
				x.found(RuleRecord, key, fmt.Sprintf("it is by %v, but the status is by %v", was.Author, st.Author))
			}
		})
	}, get)
}

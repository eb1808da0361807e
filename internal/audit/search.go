package audit

import (
	"fmt"
	"slices"
	"strings"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/search"
)

func searchChecks() map[string]func(*auditing, kv.Key) {
	return map[string]func(*auditing, kv.Key){
		record.KindSearchQueue: checkSearchQueue,
		record.KindSearchIndex: checkSearchIndex,
		record.KindSearchPart:  checkSearchPart,
	}
}

// checkSearchQueue checks that entries are ids in their author's slice. The statuses can be
// deleted.
func checkSearchQueue(x *auditing, key kv.Key) {
	x.each(key, func(m kv.Member) {
		id, ok := linnet.ParseID(m.Member)
		if !ok || record.SearchQueueKey(record.GlobalSlice(id)) != key {
			x.found(RuleRecord, key, fmt.Sprintf("%q is not a status of this slice", m.Member))
		}
	}, nil)
}

// checkSearchIndex checks that the manifest is readable and that its segments match their
// checksums.
func checkSearchIndex(x *auditing, key kv.Key) {
	get := &kv.Get{Key: key}
	if key != record.SearchManifestKey() {
		x.ask(func() {
			var lease record.SearchLease
			if key != record.SearchLeaseKey() {
				x.found(RuleOrphan, key, "it is neither the manifest nor the lease of the search index")
			} else if get.Version != 0 {
				read(x, get, &lease)
			}
		}, get)
		return
	}
	x.ask(func() {
		m, err := record.DecodeSearchManifest(get)
		if err != nil {
			x.found(RuleRecord, key, err.Error())
			return
		}
		for _, seg := range m.Segments {
			x.searchSegment(key, seg)
		}
	}, get)
}

func (x *auditing) searchSegment(key kv.Key, seg record.SearchSegment) {
	parts := make([]kv.Query, seg.Parts)
	for i := range parts {
		parts[i] = &kv.Get{Key: record.SearchPartKey(seg.Name, i)}
	}
	x.ask(func() {
		var packed []byte
		for _, q := range parts {
			packed = append(packed, q.(*kv.Get).Data...)
		}
		data, err := search.Unpack(packed)
		if err != nil {
			x.found(RuleIndex, key, fmt.Sprintf("segment %s: %v", seg.Name, err))
			return
		}
		switch opened, err := search.Open(data); {
		case err != nil:
			x.found(RuleIndex, key, fmt.Sprintf("segment %s: %v", seg.Name, err))
		case opened.Name() != seg.Name || opened.Len() != seg.Count:
			x.found(RuleIndex, key, fmt.Sprintf("segment %s is %s of %d statuses, not of %d", seg.Name, opened.Name(), opened.Len(), seg.Count))
		}
	}, parts...)
}

// searchpart: the manifest names the segment.
func checkSearchPart(x *auditing, key kv.Key) {
	get := &kv.Get{Key: record.SearchManifestKey()}
	name, _, _ := strings.Cut(key.ID, ".")
	x.ask(func() {
		m, err := record.DecodeSearchManifest(get)
		if err != nil {
			return // said of the manifest
		}
		if !slices.ContainsFunc(m.Segments, func(s record.SearchSegment) bool { return s.Name == name }) &&
			!slices.ContainsFunc(m.Removed, func(r record.SearchRemoved) bool { return r.Name == name }) {
			x.found(RuleOrphan, key, "the search index has no such segment")
		}
	}, get)
}

package record

import (
	"strconv"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// The kinds of key of the search index. It is a cache of the texts of statuses. It is in the store
// so that all servers share it.
const (
	KindSearchQueue = "searchqueue"
	KindSearchIndex = "searchindex"
	KindSearchPart  = "searchpart"
)

func searchKeys() []KeyDoc {
	return []KeyDoc{
		{KindSearchQueue, "set", "", "statuses to be indexed, in 16 slices by author's shard, by time of queueing", "8,192 in all, more during a rebuild", "", noSecret()},
		{KindSearchIndex, "value", "manifest or lease", "segments of the search index, JSON; the lease of the indexing server, 1 minute (shard 4)", "100 KiB", "", noSecret()},
		{KindSearchPart, "value", "segment.number", "a part of a segment of the search index, compressed", "240 KiB", "", noSecret()},
	}
}

// SearchQueueKey is a slice of the statuses to be indexed.
func SearchQueueKey(slice int) kv.Key { return ShardKey(KindSearchQueue, GlobalKey(slice).Shard) }

// searchShard has the manifest and the lease.
const searchShard = 4

// SearchManifestKey is the list of segments. SearchLeaseKey is the lease of the server that changes
// it.
func SearchManifestKey() kv.Key { return HashKey(KindSearchIndex, searchShard, "manifest") }
func SearchLeaseKey() kv.Key    { return HashKey(KindSearchIndex, searchShard, "lease") }

// SearchPartKey is a part of a segment.
func SearchPartKey(segment string, n int) kv.Key {
	id := segment + "." + strconv.Itoa(n)
	return HashKey(KindSearchPart, HashShard(id), id)
}

// SearchLease names the server that works on the search index.
type SearchLease struct {
	Holder string `json:"holder"`
}

// SearchManifest lists the segments of the search index.
type SearchManifest struct {
	Segments []SearchSegment `json:"segments,omitempty"` // oldest first
	Removed  []SearchRemoved `json:"removed,omitempty"`  // segments whose parts may still exist, because a server may be reading them
	Walk     *SearchWalk     `json:"walk,omitempty"`     // progress of queueing all statuses; nil: complete
	Walked   int64           `json:"walked,omitempty"`   // time when that was complete, Unix milliseconds
	Version  uint64          `json:"-"`                  // version of the record; 0: there is none
}

// SearchSegment is a segment in the manifest.
type SearchSegment struct {
	Name   string `json:"name"`  // the SHA-256 of its contents
	Parts  int    `json:"parts"` // number of its parts in the store
	Count  int    `json:"count"` // statuses
	Bytes  int64  `json:"bytes"` // uncompressed size
	Read   int64  `json:"read"`  // time when the oldest of its texts was read, Unix milliseconds
	Former bool   `json:"former,omitempty"`
}

// SearchRemoved is a segment that is no longer in the manifest, or not yet.
type SearchRemoved struct {
	Name  string `json:"name"`
	Parts int    `json:"parts"`
	At    int64  `json:"at"` // Unix milliseconds
}

// SearchWalk is the progress of a walk through all profiles.
type SearchWalk struct {
	Shard uint16      `json:"shard"`
	From  SetPosition `json:"from,omitzero"` // the last user of the shard
}

// SetPosition is a position in a set.
type SetPosition struct {
	Score  int64  `json:"score"`
	Member string `json:"member"`
}

// Begin starts a new index. The existing segments stay until it is complete.
func (m *SearchManifest) Begin() {
	for i := range m.Segments {
		m.Segments[i].Former = true
	}
	m.Walk = &SearchWalk{}
}

// End is called when all statuses are in the queue. It removes the older segments.
func (m *SearchManifest) End(now time.Time) {
	m.Drop(now, func(s SearchSegment) bool { return s.Former })
	m.Walk, m.Walked = nil, now.UnixMilli()
}

// Drop removes segments.
func (m *SearchManifest) Drop(now time.Time, which func(SearchSegment) bool) {
	var stay []SearchSegment
	for _, s := range m.Segments {
		if which(s) {
			m.Removed = append(m.Removed, SearchRemoved{s.Name, s.Parts, now.UnixMilli()})
		} else {
			stay = append(stay, s)
		}
	}
	m.Segments = stay
}

// DecodeSearchManifest decodes the manifest. There may be none.
func DecodeSearchManifest(get *kv.Get) (*SearchManifest, error) {
	m := &SearchManifest{}
	if get.Version == 0 {
		return m, nil
	}
	err := Decode(get, m)
	m.Version = get.Version
	return m, err
}

// QueuedStatus is a status to be indexed, with the time when it was queued.
type QueuedStatus struct {
	ID linnet.ID
	At int64 // Unix milliseconds
}

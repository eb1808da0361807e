package record

import (
	"strconv"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// The kinds of key of the index of words. It is a cache of what is written in statuses,
// and lies in the store so that all servers have the same.
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

// SearchQueueKey is a slice of the statuses that are to be indexed.
func SearchQueueKey(slice int) kv.Key { return ShardKey(KindSearchQueue, GlobalKey(slice).Shard) }

// searchShard is where the manifest and the lease lie.
const searchShard = 4

// SearchManifestKey is the list of segments, SearchLeaseKey what the server holds that
// changes it.
func SearchManifestKey() kv.Key { return HashKey(KindSearchIndex, searchShard, "manifest") }
func SearchLeaseKey() kv.Key    { return HashKey(KindSearchIndex, searchShard, "lease") }

// SearchPartKey is a part of a segment.
func SearchPartKey(segment string, n int) kv.Key {
	id := segment + "." + strconv.Itoa(n)
	return HashKey(KindSearchPart, HashShard(id), id)
}

// SearchLease says who works on the search index.
type SearchLease struct {
	Holder string `json:"holder"`
}

// SearchManifest says of which segments the search index consists.
type SearchManifest struct {
	Segments []SearchSegment `json:"segments,omitempty"` // the first made first
	Removed  []SearchRemoved `json:"removed,omitempty"`  // whose parts are still there, or perhaps; some server may be reading them
	Walk     *SearchWalk     `json:"walk,omitempty"`     // how far all statuses have been put into the queue; nil: they were
	Walked   int64           `json:"walked,omitempty"`   // when that was, Unix milliseconds
	Version  uint64          `json:"-"`                  // of the record; 0: there is none
}

// SearchSegment is a segment in the manifest.
type SearchSegment struct {
	Name   string `json:"name"`  // the SHA-256 of what it is made of
	Parts  int    `json:"parts"` // in which it lies in the store
	Count  int    `json:"count"` // statuses
	Bytes  int64  `json:"bytes"` // before they were compressed
	Read   int64  `json:"read"`  // when the oldest of its texts was read, Unix milliseconds
	Former bool   `json:"former,omitempty"`
}

// SearchRemoved is a segment that is in the manifest no more, or not yet.
type SearchRemoved struct {
	Name  string `json:"name"`
	Parts int    `json:"parts"`
	At    int64  `json:"at"` // Unix milliseconds
}

// SearchWalk is the way through all profiles.
type SearchWalk struct {
	Shard uint16 `json:"shard"`
	From  Place  `json:"from,omitzero"` // the user of the shard who was the last
}

// Place is a place in a set.
type Place struct {
	Score  int64  `json:"score"`
	Member string `json:"member"`
}

// Begin has everything indexed again: what segments there are stay until that is done.
func (m *SearchManifest) Begin() {
	for i := range m.Segments {
		m.Segments[i].Former = true
	}
	m.Walk = &SearchWalk{}
}

// End is when all statuses are in the queue: what was indexed before goes.
func (m *SearchManifest) End(now time.Time) {
	m.Drop(now, func(s SearchSegment) bool { return s.Former })
	m.Walk, m.Walked = nil, now.UnixMilli()
}

// Drop takes segments out.
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

// DecodeSearchManifest reads the manifest; there may be none.
func DecodeSearchManifest(get *kv.Get) (*SearchManifest, error) {
	m := &SearchManifest{}
	if get.Version == 0 {
		return m, nil
	}
	err := Decode(get, m)
	m.Version = get.Version
	return m, err
}

// QueuedStatus is a status that is to be indexed, and when it was put there.
type QueuedStatus struct {
	ID linnet.ID
	At int64 // Unix milliseconds
}

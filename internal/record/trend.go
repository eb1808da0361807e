package record

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"math"
	"slices"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

const (
	TrendSlices  = 8
	TrendTrimmed = 200 // things of a slice and day: those with the most users, then those with the most heat
	// trendHashes is the number of smallest hashes that a sketch stores. Up to that many users the
	// count is exact. Beyond it the standard error is about 13 %.
	trendHashes = 64
	// TrendName limits the name of a thing, in bytes.
	TrendName = 500
)

func trendKeys() []KeyDoc {
	return []KeyDoc{{KindTrends, "value", "kind.day", "trending tags, links and statuses, in 8 slices by name: uses, sketch of users, heat, JSON; 9 days", "200 things a slice", "", noSecret()}}
}

// TrendKind is a kind of trending things.
type TrendKind string

// The kinds. They are parts of keys.
const (
	TrendTags     TrendKind = "tags"     // folded
	TrendLinks    TrendKind = "links"    // addresses
	TrendStatuses TrendKind = "statuses" // ids

	// TrendPublishers are the hosts of links. They are hidden, but not counted.
	TrendPublishers TrendKind = "publishers"
)

// HalfLife returns the time after which a use of a thing counts half.
func (k TrendKind) HalfLife() time.Duration {
	if k == TrendStatuses {
		return 4 * time.Hour
	}
	return 8 * time.Hour
}

func (k TrendKind) Key(day time.Time, slice int) kv.Key {
	return kv.Key{Kind: KindTrends, Shard: uint16(slice * (kv.Shards / TrendSlices)), ID: string(k) + "." + day.Format("20060102")}
}

func TrendSlice(name string) int { return int(HashShard(name)) % TrendSlices }

// TrendUse is the recorded use of one thing.
type TrendUse struct {
	Name   string // at most TrendName bytes
	Uses   int64
	People []linnet.ID // each counts once a day
}

type Trend struct {
	Things []thingRecord `json:"things"`
}

type thingRecord struct {
	Name   string  `json:"name"`
	Uses   int64   `json:"uses"`
	Heat   float64 `json:"heat"` // at the beginning of the day
	Sketch []byte  `json:"who"`
}

// trendSketch counts the users of one thing on one day. It has the smallest of their hashes in
// ascending order. A record has hundreds of things, most with few users. A sketch takes 4 bytes for
// each user and is exact up to 64. A DaySketch, which counts many users once a day, would take a
// kilobyte.
type trendSketch []uint32

func TrendSketchOf(b []byte) trendSketch {
	sk := make(trendSketch, 0, len(b)/4+1)
	for ; len(b) >= 4; b = b[4:] {
		sk = append(sk, binary.BigEndian.Uint32(b))
	}
	return sk
}

func (sk trendSketch) bytes() (b []byte) {
	for _, h := range sk {
		b = binary.BigEndian.AppendUint32(b, h)
	}
	return b
}

// with adds users. It can run more than once, because users already in the sketch change nothing.
func (sk trendSketch) with(name string, people []linnet.ID) trendSketch {
	for _, id := range people {
		sum := sha256.Sum256([]byte(id.String() + " " + name))
		h := binary.BigEndian.Uint32(sum[:])
		if i, have := slices.BinarySearch(sk, h); !have && i < trendHashes {
			sk = slices.Insert(sk, i, h)
			sk = sk[:min(len(sk), trendHashes)]
		}
	}
	return sk
}

// Count returns the number of users. If the sketch is full, it estimates the number from the
// density of its hashes.
func (sk trendSketch) Count() int64 {
	if len(sk) < trendHashes {
		return int64(len(sk))
	}
	return max(trendHashes, int64((trendHashes-1)*math.Exp2(32)/(float64(sk[trendHashes-1])+1)))
}

func (r *Trend) Merge(uses []TrendUse, since, half time.Duration) {
	at := make(map[string]int, len(r.Things))
	for i, t := range r.Things {
		at[t.Name] = i
	}
	for _, u := range uses {
		i, ok := at[u.Name]
		if !ok {
			i, r.Things = len(r.Things), append(r.Things, thingRecord{})
			at[u.Name] = i
		}
		thing := &r.Things[i]
		sk := TrendSketchOf(thing.Sketch)
		before := sk.Count()
		sk = sk.with(u.Name, u.People)
		thing.Name, thing.Uses, thing.Sketch = u.Name, min(thing.Uses+u.Uses, kv.MaxScore), sk.bytes()
		thing.Heat += float64(sk.Count()-before) * math.Exp2(float64(since)/float64(half))
	}
	if len(r.Things) <= TrendTrimmed {
		return
	}
	slices.SortFunc(r.Things, func(a, b thingRecord) int {
		return cmp.Or(cmp.Compare(TrendSketchOf(b.Sketch).Count(), TrendSketchOf(a.Sketch).Count()), cmp.Compare(b.Heat, a.Heat))
	})
	r.Things = r.Things[:TrendTrimmed]
}

func untrendKeys() []KeyDoc {
	return []KeyDoc{{KindUntrended, "value", "kind", "rejected trends and publishers, and approved ones below them, the oldest first, JSON", "200 of each", "", noSecret()}}
}

func UntrendedKey(kind TrendKind) kv.Key { return kv.Key{Kind: KindUntrended, ID: string(kind)} }

// TrendKinds returns all kinds of things that moderators can hide.
func TrendKinds() []TrendKind {
	return []TrendKind{TrendTags, TrendLinks, TrendStatuses, TrendPublishers}
}

// Untrended has the decisions of moderators about trends of a kind, the oldest first.
type Untrended struct {
	Names []string `json:"names"`           // rejected
	Shown []string `json:"shown,omitempty"` // approved, although their publisher or a domain above is rejected
}

// The kinds of key of the statuses with a link. They are candidates: the current record of a status
// decides whether it is visible and still has the link.
const (
	KindLinked = "linked"
	KindLinks  = "links"
)

// LinkedTrimmed is the number of statuses of a link after trimming. In between there may be some
// more.
const LinkedTrimmed = 1000

func linkedKeys() []KeyDoc {
	return []KeyDoc{
		{KindLinked, "set", "hash of a link", "public statuses with the link: status.author, by time; until no new one is added for 9 days", "about 1,000", "", noSecret()},
		{KindLinks, "set", "", "hashes of the shard's links with statuses, by last use", "links used within 9 days", "", noSecret()},
	}
}

// LinkHash returns the part of keys that identifies a link, because links are longer than keys.
func LinkHash(link string) string { return Hash(link)[:32] }

// LinkedKey is the set of statuses with a link, by its hash.
func LinkedKey(hash string) kv.Key {
	return kv.Key{Kind: KindLinked, Shard: HashShard(hash), ID: hash}
}

// LinksKey is in the shard of the links that it names.
func LinksKey(shard uint16) kv.Key { return ShardKey(KindLinks, shard) }

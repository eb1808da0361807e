package store

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// What is talked about is kept by kind and day, in slices by what it is, each a
// record of bounded size that is forgotten after a while. Servers merge into it
// what they have noted. Of each thing a record keeps how often it was used, a
// sketch of by how many people, and how hot it is: the number of its people, each
// weighed by when they came, half as much for each half-life before.
const (
	trendSlices = 8
	trendKeep   = 200 // things of a slice and day: those of most people, of equals the hottest
	trendTTL    = 9 * 24 * time.Hour
	// trendHashes is how many hashes a sketch keeps, the smallest: up to so many
	// people it counts exactly, beyond with a standard error of about 13 %.
	trendHashes = 64
	// TrendName bounds the name of a thing, in bytes.
	TrendName = 500
)

func trendKeys() []KeyDoc {
	return []KeyDoc{{kTrends, "value", "kind.day", "tags, links and statuses that people talk about, in 8 slices by name: uses, a sketch of who, and heat, JSON; 9 days", "200 things a slice", "", noSecret()}}
}

// TrendKind is a kind of things that people talk about.
type TrendKind string

// The kinds. They are parts of keys.
const (
	TrendTags     TrendKind = "tags"     // folded
	TrendLinks    TrendKind = "links"    // addresses
	TrendStatuses TrendKind = "statuses" // ids
)

// halfLife is after what time somebody's use of a thing counts half.
func (k TrendKind) halfLife() time.Duration {
	if k == TrendStatuses {
		return 4 * time.Hour
	}
	return 8 * time.Hour
}

func (k TrendKind) key(day time.Time, slice int) kv.Key {
	return kv.Key{Kind: kTrends, Shard: uint16(slice * (kv.Shards / trendSlices)), ID: string(k) + "." + day.Format("20060102")}
}

func trendSlice(name string) int { return int(hashShard(name)) % trendSlices }

// TrendUse is what was noted of one thing.
type TrendUse struct {
	Name   string // at most TrendName
	Uses   int64
	People []linnet.ID // each counts once a day
}

// Trend is what is known of one thing on one day.
type Trend struct {
	Name   string
	Uses   int64
	People int64   // about, above 64
	Heat   float64 // at the time asked for
}

type trendRecord struct {
	Things []thingRecord `json:"things"`
}

type thingRecord struct {
	Name   string  `json:"name"`
	Uses   int64   `json:"uses"`
	Heat   float64 `json:"heat"` // as of the beginning of the day
	Sketch []byte  `json:"who"`
}

// trendSketch counts the people behind one thing on one day: it holds the smallest
// hashes of theirs, rising. There are hundreds of things in a record, most of a few
// people: it takes 4 bytes for each and is exact up to 64, where a DaySketch, which
// is for one number a day of many people, takes a kilobyte.
type trendSketch []uint32

func trendSketchOf(b []byte) trendSketch {
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

// with adds people. It may be repeated: who is in it already changes nothing.
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

// count is how many people there are: if the sketch is full, judged by how close
// together its hashes lie.
func (sk trendSketch) count() int64 {
	if len(sk) < trendHashes {
		return int64(len(sk))
	}
	return max(trendHashes, int64((trendHashes-1)*math.Exp2(32)/(float64(sk[trendHashes-1])+1)))
}

// add merges what was noted into a thing, at some time after its day began.
func (r *thingRecord) add(u TrendUse, since, half time.Duration) {
	sk := trendSketchOf(r.Sketch)
	before := sk.count()
	sk = sk.with(u.Name, u.People)
	r.Name, r.Uses, r.Sketch = u.Name, min(r.Uses+u.Uses, kv.MaxScore), sk.bytes()
	r.Heat += float64(sk.count()-before) * math.Exp2(float64(since)/float64(half))
}

// MergeTrends adds what a server has noted to the records of today. Of what is
// written while the answer is lost the uses may be forgotten. ErrUnavailable if
// others wrote all the time.
func (s *Store) MergeTrends(ctx context.Context, kind TrendKind, uses []TrendUse) error {
	slicesOf := map[int][]TrendUse{}
	for _, u := range uses {
		if len(u.Name) <= TrendName {
			i := trendSlice(u.Name)
			slicesOf[i] = append(slicesOf[i], u)
		}
	}
	for i, us := range slicesOf {
		if err := s.mergeTrends(ctx, kind, i, us); err != nil {
			return fmt.Errorf("merge trends: %w", err)
		}
	}
	return nil
}

func (s *Store) mergeTrends(ctx context.Context, kind TrendKind, slice int, uses []TrendUse) error {
	now := s.Now().UTC()
	day := now.Truncate(24 * time.Hour)
	key := kind.key(day, slice)
	for range maxRaces {
		get := &kv.Get{Key: key}
		if err := s.kv.Read(ctx, get); err != nil {
			return err
		}
		r := trendRecord{}
		if get.Version != 0 {
			if err := decode(get, &r); err != nil {
				return err
			}
		}
		r.merge(uses, now.Sub(day), kind.halfLife())
		failed, err := s.kv.Txn(ctx, []kv.Cond{kv.VersionIs{Key: key, Version: get.Version}},
			kv.Put{Key: key, Data: encode(r), Version: get.Version + 1, TTL: trendTTL})
		if errors.Is(err, kv.ErrUnknown) {
			return nil // rather forgotten than counted twice
		}
		if err != nil || failed < 0 {
			return err
		}
	}
	return fmt.Errorf("%v changed %d times while it was being written: %w", key, maxRaces, kv.ErrUnavailable)
}

func (r *trendRecord) merge(uses []TrendUse, since, half time.Duration) {
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
		r.Things[i].add(u, since, half)
	}
	if len(r.Things) <= trendKeep {
		return
	}
	slices.SortFunc(r.Things, func(a, b thingRecord) int {
		return cmp.Or(cmp.Compare(trendSketchOf(b.Sketch).count(), trendSketchOf(a.Sketch).count()), cmp.Compare(b.Heat, a.Heat))
	})
	r.Things = r.Things[:trendKeep]
}

// Trends reads what is known of the things of a kind on some days (midnights,
// UTC), in their order, as hot as it is now: 8 records a day, in one round trip.
func (s *Store) Trends(ctx context.Context, kind TrendKind, days []time.Time) ([][]Trend, error) {
	qs := make([]kv.Query, 0, len(days)*trendSlices)
	for _, day := range days {
		for i := range trendSlices {
			qs = append(qs, &kv.Get{Key: kind.key(day, i)})
		}
	}
	if len(qs) == 0 {
		return nil, nil
	}
	if err := s.kv.Read(ctx, qs...); err != nil {
		return nil, fmt.Errorf("read trends: %w", err)
	}
	now, out := s.Now(), make([][]Trend, len(days))
	for i, q := range qs {
		get, day := q.(*kv.Get), i/trendSlices
		if get.Version == 0 {
			continue
		}
		var r trendRecord
		if err := decode(get, &r); err != nil {
			return nil, err
		}
		cooled := math.Exp2(-float64(now.Sub(days[day])) / float64(kind.halfLife()))
		for _, t := range r.Things {
			out[day] = append(out[day], Trend{t.Name, t.Uses, trendSketchOf(t.Sketch).count(), t.Heat * cooled})
		}
	}
	return out, nil
}

// trends: the record can be read, and holds no more than it may.
func (x *auditing) trends(key kv.Key) {
	get := &kv.Get{Key: key}
	x.ask(func() {
		var r trendRecord
		if !read(x, get, &r) {
			return
		}
		if len(r.Things) > trendKeep {
			x.found(RuleRecord, key, fmt.Sprintf("it holds %d things", len(r.Things)))
		}
		for _, t := range r.Things {
			if kv.Shards/trendSlices*trendSlice(t.Name) != int(key.Shard) {
				x.found(RuleRecord, key, fmt.Sprintf("%q does not lie in this slice", t.Name))
			}
		}
	}, get)
}

package kv

// Query is one question of a Read: *Get, *Counters, *Range, *Scores, *AnyMember or
// *Feed.
// The engine writes the answer into it.
type Query interface{ query() Key }

// Get asks for a value.
type Get struct {
	Key Key

	Data    []byte // answer: nil if absent or expired; must not be modified
	Version uint64 // answer: 0 if absent, else as put (at least 1)
}

// Counters asks for named counters under one key.
type Counters struct {
	Key   Key
	Names []string

	Values []int64 // answer, in the order of Names; 0 if absent
}

// Range asks for members of a set in order of (score, member), members compared
// bytewise. The bounds are exclusive and optional.
type Range struct {
	Key   Key
	Above *Member // only members greater than this
	Below *Member // only members smaller than this
	Desc  bool    // from the greatest down, else from the smallest up
	Limit int     // 1 to MaxRange

	Members []Member // answer, in the order asked for
}

// Scores asks for the scores of given members of a set.
type Scores struct {
	Key     Key
	Members []string

	Found  []bool  // answer, in the order of Members
	Values []int64 // answer; 0 where not found
}

// AnyMember asks whether at least one of some sets has a member: one question for very
// many sets of which next to none is expected to have any. See Spread.
type AnyMember struct {
	Keys []Key // 1 to Shards, of any shards

	Found bool // answer
}

// Feed asks for a page of a feed, newest first. The bounds are exclusive; 0
// means none. With Asc the page is the Limit ids directly above Above (still
// newest first), otherwise the newest Limit ids below Below.
//
// Only a warm feed answers ids. Ids at or below the floor are never in a feed:
// a page that would go on past the floor has to be completed from elsewhere.
type Feed struct {
	Key   Key
	Above uint64
	Below uint64
	Asc   bool
	Limit int // 1 to MaxRange

	State FeedState // answer
	Floor uint64    // answer, if warm; 0: the feed reaches to the very beginning
	IDs   []uint64  // answer, strictly falling
}

// FeedState says whether a feed can answer.
type FeedState uint8

const (
	// Cold: the engine does not have the feed (never filled, or forgotten).
	Cold FeedState = iota
	// Filling: somebody is rebuilding it; pushes are kept meanwhile.
	Filling
	// Warm: every id that was pushed above the floor is there.
	Warm
)

// Member is a member of a set with its score.
type Member struct {
	Score  int64
	Member string
}

// Compare orders members by (score, member): negative if m comes before o.
func (m Member) Compare(o Member) int {
	switch {
	case m.Score < o.Score:
		return -1
	case m.Score > o.Score:
		return 1
	case m.Member < o.Member:
		return -1
	case m.Member > o.Member:
		return 1
	}
	return 0
}

func (q *Get) query() Key      { return q.Key }
func (q *Counters) query() Key { return q.Key }
func (q *Range) query() Key    { return q.Key }
func (q *Scores) query() Key   { return q.Key }
func (q *Feed) query() Key     { return q.Key }

func (q *AnyMember) query() Key {
	if len(q.Keys) == 0 {
		return Key{}
	}
	return q.Keys[0]
}

// KeyOf returns the key that a query asks about, of AnyMember the first.
func KeyOf(q Query) Key { return q.query() }

// KeysOf returns all keys that a query asks about.
func KeysOf(q Query) []Key {
	if q, ok := q.(*AnyMember); ok {
		return q.Keys
	}
	return []Key{q.query()}
}

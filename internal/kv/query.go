package kv

// Query is one query of a Read: *Get, *Counters, *Range, *Scores, *AnyMember or *Feed. The engine
// writes the answer into it.
type Query interface{ query() Key }

// Get reads a value.
type Get struct {
	Key Key

	Data    []byte // answer: nil if absent or expired; must not be modified
	Version uint64 // answer: 0 if absent, otherwise the version of the Put
}

// Counters reads named counters of one key.
type Counters struct {
	Key   Key
	Names []string

	Values []int64 // answer, in the order of Names; 0 if absent
}

// Range reads members of a set in the order of (score, member). Members are compared bytewise. The
// bounds are exclusive and optional.
type Range struct {
	Key   Key
	Above *Member // only members greater than this
	Below *Member // only members smaller than this
	Desc  bool    // descending instead of ascending
	Limit int     // 1 to MaxRange

	Members []Member // answer, in the requested order
}

// Scores reads the scores of some members of a set.
type Scores struct {
	Key     Key
	Members []string

	Found  []bool  // answer, in the order of Members
	Values []int64 // answer; 0 where not found
}

// AnyMember reports whether at least one of some sets has a member. One query covers many sets, of
// which almost none should have members. See Spread.
type AnyMember struct {
	Keys []Key // 1 to Shards, of any shards

	Found bool // answer
}

// Feed reads a page of a feed, newest first. The bounds are exclusive, and 0 means none. With Asc
// the page has the Limit ids directly above Above, still newest first. Otherwise it has the newest
// Limit ids below Below.
//
// Only a warm feed has ids. A feed never has ids at or below its floor, so a page that reaches the
// floor has to be completed from other sources.
type Feed struct {
	Key   Key
	Above uint64
	Below uint64
	Asc   bool
	Limit int // 1 to MaxRange

	State FeedState // answer
	Floor uint64    // answer, if warm; 0: the feed is complete
	IDs   []uint64  // answer, strictly descending
}

// FeedState is the state of a feed.
type FeedState uint8

const (
	// Cold: the engine does not have the feed, because it was never filled or was dropped.
	Cold FeedState = iota
	// Filling: a server rebuilds the feed. Pushes are stored meanwhile.
	Filling
	// Warm: the feed has every id that was pushed above the floor.
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

// KeyOf returns the key of a query, or the first key of an AnyMember.
func KeyOf(q Query) Key { return q.query() }

// KeysOf returns all keys of a query.
func KeysOf(q Query) []Key {
	if q, ok := q.(*AnyMember); ok {
		return q.Keys
	}
	return []Key{q.query()}
}

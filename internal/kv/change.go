package kv

import "time"

// Op is one change: Put, Delete, Incr, Add, Remove, Trim, Push, Pull, Merge, Fill or Filled. A key
// has the same shape for its whole life. Using it with another shape is a programming error with
// undefined results.
type Op interface{ change() Key }

// Put replaces a value. The writer chooses Version, which is at least 1 and rises with each change.
// Guard it with VersionIs where writers may race. A TTL above 0 lets the value expire.
type Put struct {
	Key     Key
	Data    []byte
	Version uint64
	TTL     time.Duration
}

// Delete removes the record of any shape under the key. A deleted feed is cold. Deleting a missing
// key does nothing.
type Delete struct{ Key Key }

// Incr adds to a named counter. It cannot be repeated safely, so only Txn accepts it. By is limited
// to ±MaxScore. Callers keep the sum within these limits too, because a counter beyond them is
// undefined.
type Incr struct {
	Key  Key
	Name string
	By   int64
}

// Add adds a member to a set or changes its score.
type Add struct {
	Key    Key
	Member string
	Score  int64
}

// Remove removes a member from a set.
type Remove struct {
	Key    Key
	Member string
}

// Trim keeps the Keep greatest members of a set and removes the rest. An embedded engine walks over
// all remaining members, so callers trim occasionally and not with each addition.
type Trim struct {
	Key  Key
	Keep int
}

// Push adds an id to a warm or filling feed, once and in order. It does nothing on a cold feed, or
// at or below the floor of a warm one. A feed that grows beyond FeedMax is cut to its newest
// FeedTrimmed ids, and its floor rises to the greatest removed id. This also applies during a
// filling: the floor then starts at 0 and takes effect when the feed is warm.
type Push struct {
	Key Key
	ID  uint64
}

// Pull removes an id from a feed.
type Pull struct {
	Key Key
	ID  uint64
}

// Merge pushes many ids to one feed as one change. The feed is cut once, at the end.
type Merge struct {
	Key Key
	IDs []uint64
}

// Fill marks a feed as being filled by the holder of Token. It starts a new feed if the feed is
// cold. It takes over a running filling with the ids pushed so far. It does nothing on a warm feed.
// Without a Filled with the same token within TTL, the feed becomes cold again.
type Fill struct {
	Key   Key
	Token string // 1 to 64 characters, a-z A-Z 0-9
	TTL   time.Duration
}

// Filled ends a filling if its token is still the current one, and does nothing otherwise. IDs
// above Floor join the ids pushed meanwhile, and the feed is warm. Floor is the greatest id that
// the filler did not read. It rises, as with a push, if the feed is longer than FeedTrimmed.
type Filled struct {
	Key   Key
	Token string
	IDs   []uint64 // any order, repeats allowed
	Floor uint64
}

func (c Put) change() Key    { return c.Key }
func (c Delete) change() Key { return c.Key }
func (c Incr) change() Key   { return c.Key }
func (c Add) change() Key    { return c.Key }
func (c Remove) change() Key { return c.Key }
func (c Trim) change() Key   { return c.Key }
func (c *Push) change() Key  { return c.Key }
func (c Pull) change() Key   { return c.Key }
func (c Merge) change() Key  { return c.Key }
func (c Fill) change() Key   { return c.Key }
func (c Filled) change() Key { return c.Key }

// KeyOfOp returns the key that an operation changes.
func KeyOfOp(c Op) Key { return c.change() }

package kv

import "time"

// Op is one change: Put, Delete, Incr, Add, Remove, Trim, Push, Pull, Merge,
// Fill or Filled. A key holds one shape for its whole life; using it as another
// is a programming error whose outcome is not defined.
type Op interface{ change() Key }

// Put replaces a value whole. Version is chosen by the writer, at least 1, and
// rises with each change; guard it with VersionIs where writers may race.
// A TTL above 0 lets the value expire.
type Put struct {
	Key     Key
	Data    []byte
	Version uint64
	TTL     time.Duration
}

// Delete removes whatever lies under the key, of any shape. A deleted feed is
// cold. Deleting what is not there does nothing.
type Delete struct{ Key Key }

// Incr adds to a named counter. It is not repeatable, so only Txn takes it. By
// is held to MaxScore and its negative; callers keep the sum there too, for
// what becomes of a counter beyond it is not defined.
type Incr struct {
	Key  Key
	Name string
	By   int64
}

// Add puts a member into a set, or changes its score.
type Add struct {
	Key    Key
	Member string
	Score  int64
}

// Remove takes a member out of a set.
type Remove struct {
	Key    Key
	Member string
}

// Trim keeps the Keep greatest members of a set and removes the rest. An
// embedded engine walks all that it keeps, so callers trim now and then, not
// with each addition.
type Trim struct {
	Key  Key
	Keep int
}

// Push puts an id into a feed that is warm or filling, in its place in the
// order, once. On a cold feed, or at or below the floor of a warm one, it does
// nothing. A feed that grows beyond FeedMax is cut to its newest FeedKeep ids,
// and its floor rises to the greatest id cut off. That holds while it is being
// filled too: its unseen floor then starts at 0 and counts when it is warm.
type Push struct {
	Key Key
	ID  uint64
}

// Pull takes an id out of a feed.
type Pull struct {
	Key Key
	ID  uint64
}

// Merge pushes many ids into one feed, as one change: it is cut once, after all.
type Merge struct {
	Key Key
	IDs []uint64
}

// Fill marks a feed as being filled by the holder of Token. On a cold feed it
// begins a new one; on one that is being filled it takes the filling over
// (what was pushed stays); on a warm feed it does nothing. If no Filled with
// the same token follows within TTL, the feed is cold again.
type Fill struct {
	Key   Key
	Token string // 1 to 64 characters, a-z A-Z 0-9
	TTL   time.Duration
}

// Filled ends a filling, if the token is still the one in force, and does
// nothing otherwise: IDs above Floor join what was pushed meanwhile, and the
// feed is warm. Floor is the id at and below which the filler did not look; it
// is raised, as by a push, if the feed is longer than FeedKeep.
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

// KeyOfOp returns the key that a change concerns.
func KeyOfOp(c Op) Key { return c.change() }

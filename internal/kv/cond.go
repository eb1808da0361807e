package kv

// Cond is one condition of a Txn: VersionIs, Present, HasMember, NoMember, ScoreIs, AllBelow or
// CounterBelow.
type Cond interface{ cond() Key }

// VersionIs holds if the value under Key has this version. Version 0 means that the value is
// missing or expired.
type VersionIs struct {
	Key     Key
	Version uint64
}

// Present holds if there is a value of any version under Key.
type Present struct{ Key Key }

// HasMember holds if the set has the member.
type HasMember struct {
	Key    Key
	Member string
}

// NoMember holds if the set does not have the member.
type NoMember struct {
	Key    Key
	Member string
}

// ScoreIs holds if the set has the member with this exact score.
type ScoreIs struct {
	Key    Key
	Member string
	Score  int64
}

// AllBelow holds if every member of the set has a lower score than Score. It also holds for an
// empty set.
type AllBelow struct {
	Key   Key
	Score int64
}

// CounterBelow holds if the counter is less than Limit.
type CounterBelow struct {
	Key   Key
	Name  string
	Limit int64
}

// Absent is the condition that there is no value under key.
func Absent(key Key) Cond { return VersionIs{Key: key} }

func (c VersionIs) cond() Key    { return c.Key }
func (c Present) cond() Key      { return c.Key }
func (c HasMember) cond() Key    { return c.Key }
func (c NoMember) cond() Key     { return c.Key }
func (c ScoreIs) cond() Key      { return c.Key }
func (c AllBelow) cond() Key     { return c.Key }
func (c CounterBelow) cond() Key { return c.Key }

// KeyOfCond returns the key that a condition concerns.
func KeyOfCond(c Cond) Key { return c.cond() }

package record

import (
	"time"

	"linnet/internal/kv"
)

// KindMove is the kind of key about moves of this store to or from another one. Copies of the store
// do not contain it.
const KindMove = "move"

func moveKeys() []KeyDoc {
	return []KeyDoc{{KindMove, "value", "fence, filling, store or barrier-ID", "the write fence of a running move, 15 seconds, or of a finished one, permanently; the source of a store that is being filled; the name of the store; JSON (shard 0); the position of received changes, for a minute", "1 KiB", "", noSecret()}}
}

// FenceKey exists while a store is moved to another, and stays after the move.
func FenceKey() kv.Key { return kv.Key{Kind: KindMove, ID: "fence"} }

// FillingKey exists while a store is filled from another.
func FillingKey() kv.Key { return kv.Key{Kind: KindMove, ID: "filling"} }

// StoreNameKey holds the name by which other stores recognize this one.
func StoreNameKey() kv.Key { return kv.Key{Kind: KindMove, ID: "store"} }

// BarrierKey is a key in a shard. It is written to all shards to check which changes have been
// reported.
func BarrierKey(shard uint16, id string) kv.Key {
	return kv.Key{Kind: KindMove, Shard: shard, ID: "barrier-" + id}
}

// Fence describes the move of a store, in progress or complete.
type Fence struct {
	Target string    `json:"target"` // the name of the other store
	To     string    `json:"to"`     // its location, for operators
	Began  time.Time `json:"began"`  // by the clock of the migrating process
	By     string    `json:"by"`     // random id of the migrating process
	Closed bool      `json:"closed"` // writes are refused, unless Brief is set
	// Brief allows writes although Closed is set, by servers that read this record more often from
	// now on. Earlier programs ignore Brief and stop writing.
	Brief bool          `json:"brief,omitempty"`
	Gap   time.Duration `json:"gap,omitempty"`  // minimum time between two writes of a server
	Moved time.Time     `json:"moved,omitzero"` // when the other store was opened
}

// Filling describes a store that is being filled.
type Filling struct {
	Source string    `json:"source"` // the name of the other store
	From   string    `json:"from"`   // its location, for operators
	Began  time.Time `json:"began"`
}

// StoreName is the name of a store, generated when it is first moved or filled.
type StoreName struct {
	Name string `json:"name"`
	// Earlier are the names of the stores that the contents were moved from, oldest first.
	Earlier []string `json:"earlier,omitempty"`
}

// FeedsOf returns the feeds that depend on a record.
func FeedsOf(k kv.Key) []kv.Key {
	switch k.Kind {
	case KindUser:
		return []kv.Key{{Kind: KindHome, Shard: k.Shard, ID: k.ID}, {Kind: KindTopFeed, Shard: k.Shard, ID: k.ID}}
	case KindList:
		return []kv.Key{{Kind: KindListFeed, Shard: k.Shard, ID: k.ID}}
	}
	return nil
}

// Derived returns the kinds of key, other than feeds, that are recomputed or expire within minutes,
// and that copies do not contain.
func Derived() map[string]bool {
	kinds := map[string]bool{}
	for _, d := range Keys() {
		if k := d.BackupRule(); (k == Cached || k == Passing) && d.Shape != "feed" {
			kinds[d.Kind] = true
		}
	}
	return kinds
}

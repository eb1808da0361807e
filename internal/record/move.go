package record

import (
	"time"

	"linnet/internal/kv"
)

// KindMove is what a store knows of its being moved to another, or from one. It is of this
// store alone: no copy of it has it.
const KindMove = "move"

func moveKeys() []KeyDoc {
	return []KeyDoc{{KindMove, "value", "fence, filling, store or barrier-ID", "the write fence of a running move, 15 seconds, or of a finished one, for ever; the source of a store that is being filled; the name of the store; JSON (shard 0); the position of heard changes, for a minute", "1 KiB", "", noSecret()}}
}

// FenceKey is there while a store is moved to another, and remains when it was.
func FenceKey() kv.Key { return kv.Key{Kind: KindMove, ID: "fence"} }

// FillingKey is there while a store is filled from another.
func FillingKey() kv.Key { return kv.Key{Kind: KindMove, ID: "filling"} }

// StoreNameKey holds by what name other stores know this one again.
func StoreNameKey() kv.Key { return kv.Key{Kind: KindMove, ID: "store"} }

// BarrierKey is one of a key in each shard, written to learn how far changes were heard.
func BarrierKey(shard uint16, id string) kv.Key {
	return kv.Key{Kind: KindMove, Shard: shard, ID: "barrier-" + id}
}

// Fence tells of a store that is being moved, or was.
type Fence struct {
	Target string    `json:"target"` // the name of the other store
	To     string    `json:"to"`     // where that is, for people
	Began  time.Time `json:"began"`  // by the clock of who moves it
	By     string    `json:"by"`     // drawn by who moves it
	Closed bool      `json:"closed"` // nothing may be written, unless Brief is set
	// Brief allows writes although Closed is set, by servers that read this record more often
	// from now on. Earlier programs ignore Brief and stop writing.
	Brief bool          `json:"brief,omitempty"`
	Gap   time.Duration `json:"gap,omitempty"`  // least time between two writes of a server
	Moved time.Time     `json:"moved,omitzero"` // when the other store became the one that is used
}

// Filling tells of a store that is being filled.
type Filling struct {
	Source string    `json:"source"` // the name of the other store
	From   string    `json:"from"`   // where that is, for people
	Began  time.Time `json:"began"`
}

// StoreName is a name of a store, drawn when it is first moved or filled.
type StoreName struct {
	Name string `json:"name"`
	// Earlier are the names of the stores that the contents were moved from, oldest first.
	Earlier []string `json:"earlier,omitempty"`
}

// FeedsOf are the feeds that lie beside a record: they go by its changes.
func FeedsOf(k kv.Key) []kv.Key {
	switch k.Kind {
	case KindUser:
		return []kv.Key{{Kind: KindHome, Shard: k.Shard, ID: k.ID}, {Kind: KindTopFeed, Shard: k.Shard, ID: k.ID}}
	case KindList:
		return []kv.Key{{Kind: KindListFeed, Shard: k.Shard, ID: k.ID}}
	}
	return nil
}

// Derived are the kinds of key, but of feeds, that are made anew or over in minutes, and are in no copy.
func Derived() map[string]bool {
	kinds := map[string]bool{}
	for _, d := range Keys() {
		if k := d.Keeping(); (k == Cached || k == Passing) && d.Shape != "feed" {
			kinds[d.Kind] = true
		}
	}
	return kinds
}

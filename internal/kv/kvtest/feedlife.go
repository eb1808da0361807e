package kvtest

import (
	"testing"
	"time"

	"linnet/internal/kv"
)

// FeedLife checks that an engine forgets feeds that are not read for life, at least a second. Only
// reads prolong the life of a feed, and a filling ends at the time set by its filler.
func FeedLife(t *testing.T, open Open, caps Caps, life time.Duration) {
	e := newEnv(t, open, caps.withDefaults())
	read, unread, begun := key("home", 17, "read"), key("home", 17, "unread"), key("home", 17, "begun")
	for _, k := range []kv.Key{read, unread} {
		e.warm(k, 5, 10, 20)
	}
	e.apply(kv.Fill{Key: begun, Token: "t", TTL: life})
	for id := uint64(21); id <= 26; id++ {
		e.past(life / 4)
		for _, k := range []kv.Key{read, unread, begun} {
			e.apply(&kv.Push{Key: k, ID: id})
		}
		q := &kv.Feed{Key: read, Limit: 1}
		e.read(q)
		if q.State != kv.Warm || len(q.IDs) != 1 || q.IDs[0] != id {
			e.Fatalf("a feed that is read each quarter of its life: %+v", q)
		}
		if id < 23 {
			e.wantState(begun, kv.Filling)
		}
	}
	e.wantState(unread, kv.Cold)
	e.wantState(begun, kv.Cold)
	e.wantFeed(read, 5, 26, 25, 24, 23, 22, 21, 20, 10)
	e.past(life + life/4)
	e.wantState(read, kv.Cold)
	e.warm(read, 0, 3)
	e.wantFeed(read, 0, 3)
}

package task

import (
	"fmt"
	"slices"
	"testing"

	"linnet/internal/kv"
)

// TestShare checks that every shard has one owner, that the shares are about equal, and that only
// the shards of a leaving server get new owners.
func TestShare(t *testing.T) {
	var servers []string
	for i := range 5 {
		servers = append(servers, fmt.Sprintf("server%d", i))
	}
	owners := func(servers []string) map[uint16]string {
		by := map[uint16]string{}
		for _, me := range servers {
			mine, others := share(me, servers)
			if len(mine)+len(others) != kv.Shards {
				t.Fatalf("%s sees %d and %d shards", me, len(mine), len(others))
			}
			for _, s := range mine {
				if by[s] != "" {
					t.Fatalf("shard %d belongs to %s and %s", s, by[s], me)
				}
				by[s] = me
			}
			if n := len(mine); n < kv.Shards/len(servers)/2 || n > kv.Shards/len(servers)*2 {
				t.Errorf("%s of %d has %d shards", me, len(servers), n)
			}
		}
		if len(by) != kv.Shards {
			t.Fatalf("%d shards have an owner", len(by))
		}
		return by
	}
	before := owners(servers)
	after := owners(slices.Delete(slices.Clone(servers), 2, 3))
	for s, who := range before {
		if who != "server2" && after[s] != who {
			t.Errorf("shard %d went from %s to %s", s, who, after[s])
		}
	}
	if mine, others := share("alone", nil); len(mine) != kv.Shards || others != nil {
		t.Errorf("alone: %d and %d", len(mine), len(others))
	}
}

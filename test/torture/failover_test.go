package torture_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"linnet/internal/kv/redistest"
	"linnet/tools/torture"
)

// TestFailover drops the replication traffic of a master for a while and then kills it. With
// wait_replicas no acknowledged write is lost.
//
// Without wait_replicas writes must be lost, or the test would prove nothing. Stopping the replicas
// would not suffice, because they would still receive the writes that wait in their sockets.
func TestFailover(t *testing.T) {
	for _, wait := range []int{0, 1, 2} {
		t.Run(fmt.Sprint("wait ", wait), func(t *testing.T) {
			t.Parallel()
			if wait == 2 && !long() {
				t.Skip("nine servers and half a minute until tasks have drained: run with LINNET_TORTURE=long; " +
					"the engine's TestFailoverLosesNothing has one round of it")
			}
			sum := failover(t, wait)
			if wait == 0 && sum.Lost == 0 {
				t.Errorf("nothing of %d acknowledged acts was lost without wait_replicas: the fault does not strike", sum.Acked)
			}
		})
	}
}

func failover(t *testing.T, wait int) torture.Sum {
	program(t)
	redistest.Require(t)
	nodes := redistest.ClusterBehindProxies(t, 3, 3*max(wait, 1))
	master, replicas := nodes.Masters[0], []*redistest.Server{nodes.Replicas[0]}
	if wait > 1 {
		replicas = append(replicas, nodes.Replicas[3])
	}
	strike := func(ctx context.Context, r *torture.Round) error {
		nodes.Proxy(master).DropReplicas()
		time.Sleep(time.Duration(500+r.Chance(1500)) * time.Millisecond)
		master.Kill()
		nodes.Proxy(master).PassReplicas()
		r.StarPosts(ctx)
		next := -1
		if !within(time.Minute, func() bool {
			for i, s := range replicas {
				if s.IsMaster() {
					next = i
				}
			}
			return next >= 0
		}) {
			return fmt.Errorf("no replica takes over")
		}
		master.Restart()
		master, replicas[next] = replicas[next], master
		if !within(time.Minute, func() bool { return followers(master) == len(replicas) }) {
			return fmt.Errorf("the new master has not all of its replicas:\n%s%s", master.Do("INFO", "replication"), master.Do("CLUSTER", "NODES"))
		}
		return r.Await(ctx)
	}
	judged := run
	if wait == 0 {
		judged = count // lost acts can be partly stored, which is reported as wrong
	}
	return judged(t, torture.Options{Store: nodes.URL() + "," + nodes.Proxy(nodes.Masters[2]).Addr(), Lossy: wait == 0,
		Args: []string{"--redis.wait_replicas", fmt.Sprint(wait)}, Followers: either(1_000, 5_000),
		Faults: []torture.Fault{{Name: "failover", Strike: strike}}, Rounds: either(1, 20)})
}

// followers returns the number of connected replicas of a server.
func followers(master *redistest.Server) int {
	return strings.Count(master.Do("INFO", "replication"), "state=online")
}

func within(patience time.Duration, done func() bool) bool {
	for end := time.Now().Add(patience); !done(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			return false
		}
	}
	return true
}
